import { createHash } from "node:crypto";
import { Failure } from "../../base/failure.ts";
import { compareUtf8 } from "../../base/order.ts";
import { type GardenPlace, type KnownGarden, knownGarden } from "../../domain/known-garden.ts";
import { gatewayPlace } from "../core/access/gateway-url.ts";
import { realPause } from "../core/flow/pause.ts";
import { type GardenPorts, readConfig } from "../core/garden.ts";
import { firstCommit } from "../records/agents/flower-facts.ts";

/**
 * The gardens of this machine, in the user's state folder: one small file for each, so that several processes write without a lock.
 * Without such a folder nothing is known. A hint only: nothing depends on it but lists that people choose from.
 */
export type MachinePorts = Pick<GardenPorts, "folders" | "repos" | "state">;

const FOLDER = "gardens";
const MOST_BYTES = 16_384;

const idOf = (dir: string): string => createHash("sha256").update(dir).digest("hex").slice(0, 16);
const fileOf = (id: string): string => `${FOLDER}/${id}.json`;
const lockOf = (id: string): string => `${FOLDER}/${id}.lock`;

/** Records a garden. A machine that cannot keep it (read-only, full) is no reason for the caller to fail. */
export async function recordKnownGarden(ports: MachinePorts, dir: string): Promise<void> {
  try {
    const state = await ports.state?.();
    if (!state) return;
    const config = await readConfig(ports.folders.at(dir));
    if (config.kind !== "value") return;
    const record: KnownGarden = { dir, name: config.value.name, first_commit: await flowerOf(ports, dir) };
    await state.write(fileOf(idOf(dir)), [Buffer.from(`${JSON.stringify(record)}\n`)]);
  } catch {
    // the list is a convenience
  }
}

async function flowerOf({ repos }: MachinePorts, dir: string): Promise<string> {
  const repo = await repos.open(dir);
  try {
    return await firstCommit(repo);
  } finally {
    await repo.close();
  }
}

/**
 * Marks a garden as being served until `release` or the end of this process, also by `kill -9`. Tried for a moment: a list that is
 * being read takes the same lock for an instant.
 */
export async function holdServed({ state }: MachinePorts, dir: string): Promise<{ release(): void }> {
  const nothing = { release: () => undefined };
  try {
    const folder = await state?.();
    if (!folder) return nothing;
    for (let attempt = 0; attempt < HOLD_ATTEMPTS; attempt++) {
      const hold = await folder.hold(lockOf(idOf(dir)));
      if (hold) return hold;
      await realPause(HOLD_PAUSE_MS);
    }
    return nothing; // a second server of the same garden
  } catch {
    return nothing;
  }
}

const HOLD_ATTEMPTS = 20;
const HOLD_PAUSE_MS = 25;

/** Every known garden with its state now, by name. */
export async function knownGardens(ports: MachinePorts): Promise<readonly GardenPlace[]> {
  const state = await ports.state?.();
  if (!state) return [];
  const places: GardenPlace[] = [];
  for (const file of await state.names(FOLDER)) {
    if (!file.endsWith(".json")) continue;
    const bytes = await state.read(`${FOLDER}/${file}`, MOST_BYTES).catch(() => undefined);
    const record = bytes && readRecord(bytes);
    if (record) places.push(await placeNow(ports, record));
  }
  return places.toSorted((a, b) => compareUtf8(a.name, b.name) || compareUtf8(a.dir, b.dir));
}

function readRecord(bytes: Uint8Array): KnownGarden | undefined {
  try {
    return knownGarden.parse(JSON.parse(Buffer.from(bytes).toString()));
  } catch {
    return undefined; // written by another version
  }
}

async function placeNow(ports: MachinePorts, record: KnownGarden): Promise<GardenPlace> {
  const id = idOf(record.dir);
  const folder = ports.folders.at(record.dir);
  const config = await readConfig(folder).catch(() => undefined);
  if (!config) return { ...record, id, state: "gone" };
  const named = { ...record, id, ...(config.kind === "value" && { name: config.value.name }) };
  const served = (await isServed(ports, id)) ? await gatewayPlace({ folder }) : undefined;
  if (!served) return { ...named, state: "stopped" };
  return { ...named, state: "running", address: served.url, ...(served.network && { network: true }) };
}

/** The address of the gateway that serves this garden on this machine now; undefined if none does. */
export const servedAddress = async (ports: MachinePorts, dir: string): Promise<string | undefined> =>
  (await isServed(ports, idOf(dir))) ? (await gatewayPlace({ folder: ports.folders.at(dir) }))?.url : undefined;

async function isServed(ports: MachinePorts, id: string): Promise<boolean> {
  const state = await ports.state?.();
  if (state === undefined || (await state.stat(lockOf(id))).kind === "missing") return false;
  const hold = await state.hold(lockOf(id)).catch(() => undefined);
  hold?.release();
  return hold === undefined;
}

/** Removes a garden from the list; its folder is not touched. `named` is an id, a folder or a name that only one garden has. */
export async function forgetKnownGarden(ports: MachinePorts, named: string): Promise<GardenPlace> {
  const all = await knownGardens(ports);
  const exact = all.filter(({ id, dir }) => id === named || dir === named);
  const found = exact.length > 0 ? exact : all.filter(({ name }) => name === named);
  if (found.length !== 1) throw unknownGarden(named, found);
  const state = await ports.state?.();
  await state?.removeFile(fileOf(found[0]!.id));
  return found[0]!;
}

export const unknownGarden = (named: string, several: readonly GardenPlace[] = []): Failure =>
  new Failure(several.length > 1 ? "VALIDATION_FAILED" : "NOT_FOUND", {
    ...(several.length > 1
      ? { en: `several gardens are named ${named}`, uk: `кілька садів мають назву ${named}` }
      : { en: `no garden is known as ${named}`, uk: `сад «${named}» невідомий` }),
    hint: {
      en: "`bloom gardens` lists them; name the folder.",
      uk: "`bloom gardens` покаже їх; вкажіть теку.",
    },
    details: { named },
  });
