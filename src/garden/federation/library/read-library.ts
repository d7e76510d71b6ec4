import { createHash } from "node:crypto";
import { z } from "zod";
import type { GardenPeer } from "../../../domain/federation/garden-peer.ts";
import { printOfLine } from "../../../domain/federation/garden-peer.ts";
import { fingerprint } from "../../../domain/federation/ssh-key.ts";
import { isOid, type Oid } from "../../../domain/git/git-names.ts";
import { slugField } from "../../../domain/identity.ts";
import {
  behaviourNameFile,
  IMPORTED_BEHAVIOURS,
  LIBRARY_REF,
  PUBLISHED_BEHAVIOURS,
  peerRefs,
  SHELF_REF,
} from "../../../domain/layout.ts";
import { type BehaviourReading, behaviourName } from "../../../domain/library/travelling-behaviour.ts";
import { isLogicVersion } from "../../../domain/logic/logic-version.ts";
import type { Repo, RepoReader, TreeFile } from "../../../ports/repo.ts";
import { tryReadJson } from "../../core/json-record.ts";
import { listPeers } from "../peer-book.ts";
import { checkedBehaviour } from "./checked-behaviour.ts";

/** The place that a behaviour of the library came from. */
export type LibrarySource =
  | { readonly kind: "own" }
  | { readonly kind: "garden"; readonly name: string }
  /** A file; `name` is the followed garden whose key signed it, if there is one. */
  | { readonly kind: "file"; readonly key: string; readonly name?: string };

export interface LibraryEntry {
  /** The behaviour id for an own one; for others with their source before it: `alice.3f2a…`. */
  readonly id: string;
  /** The id that its folder says. */
  readonly behaviour: string;
  readonly source: LibrarySource;
  readonly reading: BehaviourReading;
}

/** An own behaviour with a name. It stays at home until it is published. */
export const namedBehaviour = z.strictObject({
  name: behaviourName,
  agent: slugField,
  version: z.string().refine(isLogicVersion),
});
export type NamedBehaviour = z.infer<typeof namedBehaviour>;

/** S-9b: every behaviour that can be read here: published by this garden, by those that it follows, and imported from files. */
export async function readLibrary(repo: Repo): Promise<readonly LibraryEntry[]> {
  const peers = await listPeers(repo);
  const entries: LibraryEntry[] = [];
  const own = await repo.resolve(LIBRARY_REF);
  for (const { behaviour, reading } of own === undefined ? [] : await behavioursIn(repo, own, PUBLISHED_BEHAVIOURS))
    entries.push({ id: behaviour, behaviour, source: { kind: "own" }, reading });
  for (const peer of peers) {
    const at = await repo.resolve(peerRefs(peer.name).library);
    for (const { behaviour, reading } of at === undefined ? [] : await behavioursIn(repo, at, PUBLISHED_BEHAVIOURS))
      entries.push({
        id: `${peer.name}.${behaviour}`,
        behaviour,
        source: { kind: "garden", name: peer.name },
        reading: signedByPeer(reading, peer),
      });
  }
  return [...entries, ...(await importedEntries(repo, peers))];
}

async function importedEntries(repo: Repo, peers: readonly GardenPeer[]): Promise<readonly LibraryEntry[]> {
  const shelf = await repo.resolve(SHELF_REF);
  if (shelf === undefined) return [];
  const entries: LibraryEntry[] = [];
  for (const mark of await repo.names(shelf, IMPORTED_BEHAVIOURS))
    for (const { behaviour, reading } of await behavioursIn(repo, shelf, `${IMPORTED_BEHAVIOURS}/${mark}`)) {
      const key = reading.kind === "behaviour" ? fingerprint(reading.value.signer) : "";
      const sender = peers.find(({ keys }) => keys.some((one) => printOfLine(one.key) === key));
      const source: LibrarySource = { kind: "file", key, ...(sender && { name: sender.name }) };
      entries.push({ id: `${mark}.${behaviour}`, behaviour, source, reading });
    }
  return entries;
}

/** The folder of imported behaviours that one key signed. It begins with `_`, so it is no name of a garden. */
export const signerMark = (key: string): string => `_${createHash("sha256").update(key).digest("hex").slice(0, 12)}`;

/** A behaviour counts as a garden's if one of its known keys signed it and it names that garden. */
export function signedByPeer(reading: BehaviourReading, peer: Pick<GardenPeer, "keys" | "space">): BehaviourReading {
  if (reading.kind === "refused") return reading;
  const { signer, head } = reading.value;
  const key = fingerprint(signer);
  const isKnown = peer.keys.some((one) => printOfLine(one.key) === key) && head.space === peer.space;
  return isKnown ? reading : { kind: "refused", why: "behaviour-of-a-stranger", subject: key };
}

/** The behaviours under a folder of a commit, in order of their ids. */
export async function behavioursIn(
  repo: Pick<RepoReader, "list" | "read">,
  at: Oid,
  folder: string,
): Promise<readonly { readonly behaviour: string; readonly reading: BehaviourReading }[]> {
  const byBehaviour = new Map<string, TreeFile[]>();
  for (const file of await repo.list(at, folder)) {
    const [behaviour = "", ...rest] = file.path.slice(folder.length + 1).split("/");
    if (!isOid(behaviour) || rest.length === 0) continue;
    byBehaviour.set(behaviour, [...(byBehaviour.get(behaviour) ?? []), file]);
  }
  return Promise.all(
    [...byBehaviour].map(async ([behaviour, files]) => ({
      behaviour,
      reading: await readingOf(repo, at, { behaviour, files, folder: `${folder}/${behaviour}/` }),
    })),
  );
}

/** Readings by the ids of all files: objects of git never change. */
const remembered = new Map<string, BehaviourReading>();
const MOST_REMEMBERED = 256;

async function readingOf(
  repo: Pick<RepoReader, "read">,
  at: Oid,
  of: { readonly behaviour: string; readonly files: readonly TreeFile[]; readonly folder: string },
): Promise<BehaviourReading> {
  const { behaviour, files, folder } = of;
  const key = [behaviour, ...files.map(({ path, oid, mode }) => `${path.slice(folder.length)} ${mode} ${oid}`)].join(
    "\n",
  );
  const known = remembered.get(key) ?? (await freshReading(repo, at, of));
  remembered.delete(key);
  remembered.set(key, known);
  if (remembered.size > MOST_REMEMBERED) remembered.delete(remembered.keys().next().value!);
  return known;
}

async function freshReading(
  repo: Pick<RepoReader, "read">,
  at: Oid,
  { behaviour, files, folder }: Parameters<typeof readingOf>[2],
): Promise<BehaviourReading> {
  const odd = files.find(({ mode }) => mode !== "100644");
  if (odd) return { kind: "refused", why: "stray-file", subject: odd.path };
  const contents = await Promise.all(
    files.map(async ({ path }) => [path.slice(folder.length), (await repo.read(at, path))!.bytes] as const),
  );
  const reading = checkedBehaviour(new Map(contents));
  if (reading.kind === "refused" || reading.value.head.behaviour === behaviour) return reading;
  return { kind: "refused", why: "other-behaviour", subject: reading.value.head.behaviour };
}

/** The names that the owner gave to behaviours of this garden, by behaviour id. */
export async function namedBehaviours(repo: Repo): Promise<ReadonlyMap<string, NamedBehaviour>> {
  const shelf = await repo.resolve(SHELF_REF);
  const found = new Map<string, NamedBehaviour>();
  for (const file of shelf === undefined ? [] : await repo.names(shelf, "names")) {
    const behaviour = file.replace(/\.json$/, "");
    const named = tryReadJson((await repo.read(shelf!, behaviourNameFile(behaviour)))?.bytes, namedBehaviour);
    if (named && isOid(behaviour)) found.set(behaviour, named);
  }
  return found;
}
