import { z } from "zod";
import { type GardenPeer, gardenPeer, printOfLine } from "../../../domain/federation/garden-peer.ts";
import { fingerprint } from "../../../domain/federation/ssh-key.ts";
import { signerOf } from "../../../domain/federation/ssh-signature.ts";
import type { Oid, RefName } from "../../../domain/git/git-names.ts";
import {
  ANNOUNCE_REF,
  AUDIT_RECORDS_REF,
  AUDIT_SIGNERS_FILE,
  PEER_BOOK_REF,
  PEER_REFS,
  peerFile,
  peerRefs,
} from "../../../domain/layout.ts";
import type { RefStore, RepoReader } from "../../../ports/repo.ts";
import type { RepoReading } from "../../../ports/repos.ts";
import { tryReadJson } from "../../core/json-record.ts";
import { announcedTracking, type CheckedChain, checkedChain, isChainOf } from "../chain-check.ts";
import { trackedPlaces } from "../ref-classes.ts";
import { type AuditFinding, findingAt } from "./audit-report.ts";

type ChainRepo = Pick<RepoReader, "commit" | "read" | "list"> & Pick<RefStore, "resolve" | "refs">;

export interface BundledChains {
  readonly own: CheckedChain | undefined;
  readonly peers: readonly { readonly peer: GardenPeer; readonly checked: CheckedChain | undefined }[];
  /** Files of the peer book that name no garden. */
  readonly strange: readonly string[];
}

/** The chain of this garden and those of the gardens that it follows, in order of name. */
export async function bundledChains(repo: ChainRepo): Promise<BundledChains> {
  const chainAt = async (ref: RefName): Promise<CheckedChain | undefined> => {
    const tip = await repo.resolve(ref);
    return tip === undefined ? undefined : checkedChain(repo, tip);
  };
  const book = await repo.resolve(PEER_BOOK_REF);
  const peers: BundledChains["peers"][number][] = [];
  const strange: string[] = [];
  for (const { path } of book === undefined ? [] : await repo.list(book, "")) {
    const peer = tryReadJson((await repo.read(book!, path))?.bytes, anyPeer);
    if (!peer || peerFile(peer.name) !== path) strange.push(path);
    else peers.push({ peer, checked: await chainAt(peerRefs(peer.name).announce) });
  }
  return { own: await chainAt(ANNOUNCE_REF), peers, strange };
}

/** With more fields than this version knows, too. */
const anyPeer = z.looseObject(gardenPeer.shape);

/** The content of `allowed_signers`: every key of every chain, with the garden as the principal. */
export function signersIn({ own, peers }: BundledChains): string {
  const chains = [own, ...peers.map(({ checked }) => checked)].filter((chain) => chain !== undefined);
  const lines = chains.flatMap((chain) =>
    "broken" in chain ? [] : chain.chain.keys.map(({ key }) => `${chain.chain.space} namespaces="git" ${key}\n`),
  );
  return [...new Set(lines)].toSorted().join("");
}

export interface GardenChecks {
  readonly signedBy: string | null;
  readonly announcements: number;
  readonly peers: number;
  readonly findings: readonly AuditFinding[];
}

/** Signatures: of the bundle itself, of this garden's announcements and of those that it accepted. `key` is one that must be behind it. */
export async function gardenFindings(repo: RepoReading, records: Oid, key: string | undefined): Promise<GardenChecks> {
  const chains = await bundledChains(repo);
  const { own, peers, strange } = chains;
  const { signed } = await repo.commit(records);
  const signer = signed && signerOf(signed.content, signed.signature);
  const signedBy = signer ? fingerprint(signer) : null;
  const findings = [...ownFindings(own, { signedBy, key })];
  for (const path of strange) findings.push(findingAt(`${PEER_BOOK_REF}:${path}`, "malformed-peer"));
  for (const { peer, checked } of peers) findings.push(...(await peerFindings(repo, peer, checked)));
  const known = new Set(peers.map(({ peer }) => peer.name));
  for (const { name } of await repo.refs(PEER_REFS))
    if (!known.has(name.slice(PEER_REFS.length).split("/")[0]!)) findings.push(findingAt(name, "not-announced"));
  const signers = Buffer.from((await repo.read(records, AUDIT_SIGNERS_FILE))?.bytes ?? []).toString();
  if (signers !== signersIn(chains)) findings.push(findingAt(AUDIT_SIGNERS_FILE, "other-signers"));
  const announcements = own && "length" in own ? own.length : 0;
  return { signedBy, announcements, peers: peers.length, findings };
}

function* ownFindings(
  own: CheckedChain | undefined,
  { signedBy, key }: { readonly signedBy: string | null; readonly key: string | undefined },
): Generator<AuditFinding> {
  if (own && "broken" in own) yield findingAt(ANNOUNCE_REF, own.broken.why, own.broken.at);
  const keys = own && "chain" in own ? own.chain.keys.map((each) => printOfLine(each.key)) : undefined;
  if (keys && signedBy === null) yield findingAt(AUDIT_RECORDS_REF, "not-signed");
  else if (keys && signedBy !== keys.at(-1)) yield findingAt(AUDIT_RECORDS_REF, "signed-by-a-stranger");
  if (key !== undefined && (signedBy === null || !(keys ?? [signedBy]).includes(key)))
    yield findingAt(AUDIT_RECORDS_REF, "other-key");
}

async function peerFindings(
  repo: RepoReading,
  peer: GardenPeer,
  checked: CheckedChain | undefined,
): Promise<readonly AuditFinding[]> {
  const { announce } = peerRefs(peer.name);
  if (checked && "broken" in checked) return [findingAt(announce, checked.broken.why, checked.broken.at)];
  if (checked && !isChainOf(peer, checked.chain)) return [findingAt(announce, "other-keys")];
  const expected = announcedTracking(peer, checked?.announcement);
  const there = new Map<RefName, Oid>();
  for (const place of trackedPlaces(peer.name))
    for (const { name, oid } of await repo.refs(place)) there.set(name, oid);
  return [...new Set([...expected.keys(), ...there.keys()])]
    .toSorted()
    .flatMap((ref) => (expected.get(ref) === there.get(ref) ? [] : [findingAt(ref, "not-announced")]));
}
