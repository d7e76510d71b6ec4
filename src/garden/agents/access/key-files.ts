import { machine } from "../../../domain/layout.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";

/**
 * Records of tokens and one-time codes, named like `tokens/tok_….json`. None holds a secret: a token needs the signing key, and of a
 * code only the hash is kept. In a directory garden they are files in `.bloom/keys`, private to the owner. With another store they
 * are objects under `views/access/`, because every gateway must know them (O-10).
 */
export interface KeyFiles {
  read(name: string): Promise<Uint8Array | undefined>;
  create(name: string, bytes: Uint8Array): Promise<"created" | "taken">;
  write(name: string, bytes: Uint8Array): Promise<void>;
  remove(name: string): Promise<void>;
  /** Names in a folder, without it. */
  names(folder: string): Promise<readonly string[]>;
}

const MAX_BYTES = 64 * 1024;

export const keyFilesOf = ({ settings, folder, store }: Pick<Garden, "settings" | "folder" | "store">): KeyFiles =>
  settings.current.store.kind === "directory" ? localKeyFiles(folder) : sharedKeyFiles(store);

const localKeyFiles = (folder: Garden["folder"]): KeyFiles => {
  const path = (name: string): string => `${machine.keys}/${name}`;
  const prepare = async (name: string): Promise<void> => {
    await folder.makeFolder(machine.keys, "private");
    await folder.makeFolder(path(name.split("/")[0]!), "private");
  };
  return {
    read: (name) => folder.read(path(name), MAX_BYTES),
    async create(name, bytes) {
      await prepare(name);
      return (await folder.create(path(name), bytes, "private")) === "created" ? "created" : "taken";
    },
    async write(name, bytes) {
      await prepare(name);
      await folder.write(path(name), [bytes], "private");
    },
    remove: (name) => folder.removeFile(path(name)),
    names: (inside) => folder.names(path(inside)),
  };
};

const SHARED = "views/access/";
/** True for the key of such a record in a bucket. */
export const isAccessKey = (key: string): boolean => key.startsWith(SHARED);

/** The folders of the records; `.bloom/keys` also holds keys, which never leave the machine. */
const FOLDERS = ["tokens", "sign-in", "oauth-clients", "oauth-codes", "oauth-grants", "oauth-refresh"] as const;
export type AccessFolder = (typeof FOLDERS)[number];

/**
 * Makes the records of a garden's new place those of its old one. Records that only the new place has are removed: left there before
 * an earlier move, they would make a token valid that was revoked since. Idempotent.
 */
export async function moveKeyFiles(
  folder: Garden["folder"],
  from: Store | "local",
  to: Store | "local",
): Promise<void> {
  const [source, target] = [from, to].map((each) => (each === "local" ? localKeyFiles(folder) : sharedKeyFiles(each)));
  for (const inside of FOLDERS) {
    const names = new Set(await source!.names(inside));
    for (const name of await target!.names(inside)) if (!names.has(name)) await target!.remove(`${inside}/${name}`);
    for (const name of names) {
      const bytes = await source!.read(`${inside}/${name}`);
      if (bytes) await target!.write(`${inside}/${name}`, bytes);
    }
  }
}

const sharedKeyFiles = (store: Store): KeyFiles => ({
  read: async (name) => (await store.get(SHARED + name))?.bytes,
  async create(name, bytes) {
    const made = await store.create(SHARED + name, bytes);
    return made.kind;
  },
  write: (name, bytes) => store.put(SHARED + name, bytes),
  remove: (name) => store.delete(SHARED + name),
  async names(inside) {
    const found: string[] = [];
    const prefix = `${SHARED}${inside}/`;
    for await (const { key } of everyKey(store, prefix)) found.push(key.slice(prefix.length));
    return found;
  },
});
