import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { blobId } from "../../../base/canonical.ts";
import { asFailure, Failure, isFailure } from "../../../base/failure.ts";
import type { World } from "../../../base/world.ts";
import { machine } from "../../../domain/layout.ts";
import type { StoreKey } from "../../../domain/store-key.ts";
import type {
  Created,
  Hash,
  KeyPage,
  Removed,
  Store,
  Stored,
  StoreHealth,
  Swapped,
  Write,
  WriteResult,
} from "../../../ports/store.ts";
import { type ProcessLock, takeProcessLock } from "../../process-lock.ts";
import { type Pace, realPace } from "./checkpoints.ts";
import { realDisk } from "./disk.ts";
import { storeFailure } from "./failures.ts";
import { threadedMaker } from "./file-maker.ts";
import { filesPlace } from "./make-files.ts";
import { openForReading, openOwner } from "./open-owner.ts";
import type { OwnerStore } from "./owner-store.ts";
import { isReadOnlyGarden, readOnlyStore } from "./read-only-store.ts";
import { ClientStore } from "./socket-client.ts";
import { PROTOCOL, serveStore } from "./socket-server.ts";

/**
 * The store of a garden in a folder (G-6). One process at a time owns it; the others work through its socket, and when it ends one
 * of them takes over. Callers see one store throughout: reads and writes of views are retried; a `create` or `swap` whose answer
 * was lost fails with outcome `unknown`.
 */
export async function openDirStore(options: {
  readonly garden: string;
  readonly world: World;
  readonly pace?: Pace;
  /** The folder of the garden with the files of agents that people write (G-1a). Without it they are in the store's own folder. */
  readonly agentsRoot?: string | undefined;
}): Promise<Store> {
  const garden = resolve(options.garden);
  const agents = options.agentsRoot === undefined ? undefined : join(garden, options.agentsRoot);
  const store = new DirStore({ garden, agents }, options.world, options.pace ?? realPace);
  await store.elect();
  return store;
}

/** The owner process of a garden, from `.bloom/owner.json`. */
export interface OwnerCard {
  readonly pid: number;
  readonly since: string;
  readonly socket: string;
  readonly protocol: number;
}

interface Role {
  readonly store: Store;
  readonly gone: () => boolean;
  /** Other processes are connected to this one. */
  readonly hasClients: () => boolean;
  close(): Promise<void>;
}

class DirStore implements Store {
  readonly #garden: string;
  readonly #agents: string | undefined;
  readonly #world: World;
  readonly #pace: Pace;
  #role: Role | undefined;
  #electing: Promise<Role> | undefined;
  #closed = false;
  #closing: Promise<void> | undefined;

  constructor(at: { garden: string; agents: string | undefined }, world: World, pace: Pace) {
    this.#garden = at.garden;
    this.#agents = at.agents;
    this.#world = world;
    this.#pace = pace;
  }

  /** The current role of this process. Finds a new one if the owner has ended. */
  async elect(): Promise<Role> {
    if (this.#closed) throw storeFailure(new Error("the store is closed"));
    if (this.#role && !this.#role.gone()) return this.#role;
    this.#electing ??= this.#findRole().finally(() => {
      this.#electing = undefined;
    });
    this.#role = await this.#electing;
    return this.#role;
  }

  get = (key: StoreKey): Promise<Stored | undefined> => this.#retry((store) => store.get(key));
  list = (prefix: string, page?: { after?: StoreKey; limit?: number }): Promise<KeyPage> =>
    this.#retry((store) => store.list(prefix, page));

  async health(): Promise<StoreHealth> {
    try {
      const health = await this.#retry((store) => store.health());
      return { ...health, shared: health.shared || this.#role?.hasClients() === true };
    } catch (error) {
      const place = join(this.#garden, machine.store);
      return { ok: false, place, role: "client", shared: true, remarks: [asFailure(error).text] };
    }
  }

  delete = (key: StoreKey): Promise<void> => this.#retry((store) => store.delete(key));

  // Copies, because the caller may reuse its buffer while we wait for an owner, a socket or a sync.
  create(key: StoreKey, bytes: Uint8Array): Promise<Created> {
    const copy = Buffer.from(bytes);
    return this.#once((store) => store.create(key, copy));
  }

  swap(key: StoreKey, expected: Hash, bytes: Uint8Array): Promise<Swapped> {
    const copy = Buffer.from(bytes);
    return this.#once((store) => store.swap(key, expected, copy));
  }

  remove(key: StoreKey, expected: Hash): Promise<Removed> {
    return this.#once((store) => store.remove(key, expected));
  }

  inOrder(writes: readonly Write[]): Promise<readonly WriteResult[]> {
    const copies = writes.map((write) => ("bytes" in write ? { ...write, bytes: Buffer.from(write.bytes) } : write));
    return this.#once((store) => store.inOrder(copies));
  }

  put(key: StoreKey, bytes: Uint8Array): Promise<void> {
    const copy = Buffer.from(bytes);
    return this.#retry((store) => store.put(key, copy));
  }

  /** Idempotent: later calls wait for the first. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const role = this.#electing ? await this.#electing.catch(() => undefined) : this.#role;
    this.#closed = true;
    await role?.close();
  }

  /** The current role, synchronously; undefined if one has to be found. */
  #current(): Role | undefined {
    return this.#role && !this.#closed && !this.#role.gone() ? this.#role : undefined;
  }

  /** For calls that are not idempotent. */
  #once<T>(call: (store: Store) => Promise<T>): Promise<T> {
    const role = this.#current();
    return role ? call(role.store) : this.elect().then(({ store }) => call(store));
  }

  /** For idempotent calls: retried with the next owner if the owner ends meanwhile. */
  async #retry<T>(call: (store: Store) => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries++) {
      const role = this.#current() ?? (await this.elect());
      try {
        return await call(role.store);
      } catch (error) {
        if (tries === MAX_TRIES || !isFailure(error) || error.outcome !== "unknown" || !role.gone()) throw error;
      }
    }
  }

  async #findRole(): Promise<Role> {
    if (isReadOnlyGarden(this.#garden)) return this.#readOnly();
    const deadline = performance.now() + PATIENCE_MS;
    for (let waitMs = 5; ; waitMs = Math.min(waitMs * 2, 100)) {
      const ownership = this.#tryToOwn();
      if (ownership) return await this.#own(ownership);
      const card = readCard(this.#garden);
      const client = await ClientStore.connect(card?.socket ?? socketPath(this.#garden), PATIENCE_MS);
      if (client)
        return { store: client, gone: () => client.gone, hasClients: () => false, close: () => client.close() };
      if (performance.now() > deadline) throw notAnswering(card);
      await new Promise((done) => setTimeout(done, waitMs)); // the owner is starting or ending
    }
  }

  #tryToOwn(): ProcessLock | undefined {
    try {
      if (fs.mkdirSync(join(this.#garden, machine.folder), { recursive: true, mode: 0o700 }))
        realDisk.sync(this.#garden);
      return takeProcessLock(join(this.#garden, machine.lock));
    } catch (error) {
      throw storeFailure(error);
    }
  }

  async #own(ownership: ProcessLock): Promise<Role> {
    const undo: (() => Promise<void> | void)[] = [() => ownership.release()];
    const close = async (): Promise<void> => {
      for (const step of undo.splice(0).toReversed()) await step();
    };
    try {
      const store = this.#openFiles();
      undo.push(() => store.close());
      const socket = socketPath(this.#garden);
      fs.rmSync(socket, { force: true }); // we hold the lock, so its listener is dead
      const server = await serveStore(store, socket);
      undo.push(() => server.close());
      fs.chmodSync(socket, 0o600);
      this.#writeCard(socket);
      undo.push(() => fs.rmSync(join(this.#garden, machine.owner), { force: true }));
      return { store, gone: () => false, hasClients: () => server.clients() > 0, close };
    } catch (error) {
      await close();
      throw storeFailure(error);
    }
  }

  #readOnly(): Role {
    const files = openForReading(
      filesPlace(this.#filesPlace()),
      join(this.#garden, machine.storeLog),
      this.#pace,
      this.#world,
    );
    const store = readOnlyStore(files);
    return { store, gone: () => false, hasClients: () => false, close: () => store.close() };
  }

  #filesPlace() {
    return {
      root: join(this.#garden, machine.store),
      temporary: join(this.#garden, machine.temporary, "store"),
      setAside: join(this.#garden, machine.setAside),
      agents: this.#agents,
    };
  }

  #openFiles(): OwnerStore {
    const place = this.#filesPlace();
    const log = join(this.#garden, machine.storeLog);
    return openOwner(filesPlace(place), log, threadedMaker(place), this.#pace, this.#world);
  }

  /** Skipped on a full disk: clients then try the default socket path, and reads keep working. */
  #writeCard(socket: string): void {
    const since = new Date(this.#world.now()).toISOString();
    const card: OwnerCard = { pid: process.pid, since, socket, protocol: PROTOCOL };
    const path = join(this.#garden, machine.owner);
    try {
      fs.writeFileSync(`${path}.new`, `${JSON.stringify(card)}\n`, { mode: 0o600 });
      fs.renameSync(`${path}.new`, path);
    } catch (error) {
      if (!["ENOSPC", "EDQUOT"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
      fs.rmSync(path, { force: true });
    }
  }
}

const PATIENCE_MS = 10_000;
const MAX_TRIES = 20;
const MAX_SOCKET_PATH = 100; // the kernel's limit is 104 to 108 bytes

/** Beside the store, or in the system's temporary folder if that path is too long for a socket. */
function socketPath(garden: string): string {
  if (process.platform === "win32") return `\\\\.\\pipe\\bloom-${blobId(Buffer.from(garden))}`;
  const beside = join(garden, machine.socket);
  return Buffer.byteLength(beside) <= MAX_SOCKET_PATH
    ? beside
    : join(tmpdir(), `bloom-${blobId(Buffer.from(garden)).slice(0, 16)}.sock`);
}

/** The owner of this garden; undefined if there is no card. The card may be a leftover of a dead process. */
export function readCard(garden: string): OwnerCard | undefined {
  try {
    const card = JSON.parse(fs.readFileSync(join(garden, machine.owner), "utf8")) as OwnerCard;
    return typeof card.pid === "number" && typeof card.socket === "string" ? card : undefined;
  } catch {
    return undefined; // absent, or being replaced
  }
}

const notAnswering = (card: OwnerCard | undefined): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", {
    en: `another process${card ? ` (pid ${card.pid}, since ${card.since})` : ""} holds this garden and does not answer`,
    uk: `інший процес${card ? ` (pid ${card.pid}, від ${card.since})` : ""} тримає цей сад і не відповідає`,
    hint: {
      en: "Stop that process, or wait until it is done.",
      uk: "Зупиніть той процес або дочекайтеся його завершення.",
    },
    details: { part: "store", ...(card && { pid: card.pid }) },
  });
