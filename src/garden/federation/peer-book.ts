import { canonicalJson } from "../../base/canonical.ts";
import { isSlug } from "../../domain/contract/slug.ts";
import { type GardenPeer, gardenPeer } from "../../domain/federation/garden-peer.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import { PEER_BOOK_REF, peerFile } from "../../domain/layout.ts";
import { encodeSystemCommit } from "../../domain/session/typed-commit.ts";
import type { RefMove, Repo } from "../../ports/repo.ts";
import { tryReadJson } from "../core/json-record.ts";
import { landRefs, untilLanded } from "../sessions/land-refs.ts";
import { gatewaySignature, type SessionGarden } from "../sessions/session-garden.ts";
import { noSuchPeer, peerNameTaken } from "./failures.ts";

const lists = new WeakMap<Repo, { readonly at: Oid; readonly peers: readonly GardenPeer[] }>();

/** The gardens that this one follows, by name. A list that was read is kept until the book changes. */
export async function listPeers(repo: Repo): Promise<readonly GardenPeer[]> {
  const at = await repo.resolve(PEER_BOOK_REF);
  if (at === undefined) return [];
  const kept = lists.get(repo);
  if (kept?.at === at) return kept.peers;
  const files = await repo.list(at, "");
  const found = await Promise.all(files.map(async ({ path }) => peerIn((await repo.read(at, path))?.bytes, path)));
  const peers = found.filter((peer) => peer !== undefined);
  lists.set(repo, { at, peers });
  return peers;
}

/** A file under another name than its own is nobody. */
const peerIn = (bytes: Uint8Array | undefined, path: string): GardenPeer | undefined => {
  const peer = tryReadJson(bytes, gardenPeer);
  return peer && peerFile(peer.name) === path ? peer : undefined;
};

/** Throws NOT_FOUND. */
export async function readPeer(repo: Repo, name: string): Promise<GardenPeer> {
  const at = await repo.resolve(PEER_BOOK_REF);
  const file = peerFile(name);
  const found = at === undefined || !isSlug(name) ? undefined : peerIn((await repo.read(at, file))?.bytes, file);
  if (!found) throw noSuchPeer(name);
  return found;
}

/** Throws DUPLICATE_ENTRY if the name is taken. */
export const addPeer = (garden: SessionGarden, peer: GardenPeer): Promise<void> =>
  write(garden, `peer: ${peer.name}`, async (at) => {
    if (at !== undefined && (await garden.repo.read(at, peerFile(peer.name)))) throw peerNameTaken(peer.name);
    return { path: peerFile(peer.name), bytes: Buffer.from(canonicalJson(gardenPeer.parse(peer))) };
  });

/** Throws NOT_FOUND. */
export const changePeer = (
  garden: SessionGarden,
  name: string,
  changed: (peer: GardenPeer) => GardenPeer | undefined,
): Promise<void> => write(garden, `peer: ${name}`, () => peerEdit(garden.repo, name, changed));

/** The move that changes what is known of a peer, to land together with others. Throws NOT_FOUND. */
export const peerMove = (
  garden: SessionGarden,
  name: string,
  changed: (peer: GardenPeer) => GardenPeer | undefined,
): Promise<RefMove> => bookMove(garden, `peer: ${name}`, () => peerEdit(garden.repo, name, changed));

async function peerEdit(
  repo: Repo,
  name: string,
  changed: (peer: GardenPeer) => GardenPeer | undefined,
): Promise<{ path: string; bytes: Uint8Array | undefined }> {
  const next = changed(await readPeer(repo, name));
  return { path: peerFile(name), bytes: next && Buffer.from(canonicalJson(gardenPeer.parse(next))) };
}

async function write(
  garden: SessionGarden,
  subject: string,
  editOf: (at: Oid | undefined) => Promise<{ path: string; bytes: Uint8Array | undefined }>,
): Promise<void> {
  await untilLanded(garden, [PEER_BOOK_REF], async () => {
    const move = await bookMove(garden, subject, editOf);
    return (await landRefs(garden, [move])).kind === "landed" ? true : undefined;
  });
}

async function bookMove(
  { repo, world }: SessionGarden,
  subject: string,
  editOf: (at: Oid | undefined) => Promise<{ path: string; bytes: Uint8Array | undefined }>,
): Promise<RefMove> {
  const from = await repo.resolve(PEER_BOOK_REF);
  const by = gatewaySignature(world.now());
  const to = await repo.build(
    {
      parents: from === undefined ? [] : [from],
      edits: [await editOf(from)],
      author: by,
      committer: by,
      ...encodeSystemCommit("peers", subject),
    },
    { durable: "with-move" },
  );
  return { ref: PEER_BOOK_REF, from, to, reason: "bloom peer" };
}
