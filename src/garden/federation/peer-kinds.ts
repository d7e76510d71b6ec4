import { Failure } from "../../base/failure.ts";
import { isSlug } from "../../domain/contract/slug.ts";
import type { Oid, RefName } from "../../domain/git/git-names.ts";
import { LIBRARY_REF, sessionBranch } from "../../domain/layout.ts";
import { kindIds } from "../../domain/session/kind-id.ts";
import { builtInKinds, isKindName, type KindRegistry, type NewKind } from "../../domain/session/kinds.ts";
import type { Repo } from "../../ports/repo.ts";
import { kindsAt, readKinds, readPeerKinds, registerKinds } from "../sessions/kind-library.ts";
import type { SessionGarden } from "../sessions/session-garden.ts";
import { logFrom } from "../sessions/topology.ts";
import { listPeers, readPeer } from "./peer-book.ts";

/** S-10: a kind of this garden or of one that it follows. */
export interface ListedKind {
  readonly name: string;
  readonly parent: string | null;
  /** The federated id. Null for a kind whose line is broken: it is a kind of nothing. */
  readonly id: string | null;
  /** The followed garden that registered it; null for the built-in kinds and those of this garden. */
  readonly garden: string | null;
}

/** The kinds of this garden, then those of followed gardens, each with the garden; `from`: of this garden alone. Throws NOT_FOUND. */
export async function listKinds(repo: Repo, from?: string): Promise<readonly ListedKind[]> {
  if (from !== undefined) return peerRows(repo, (await readPeer(repo, from)).name);
  const rows = rowsOf(await readKinds(repo), null);
  for (const { name } of await listPeers(repo)) rows.push(...(await peerRows(repo, name)));
  return rows;
}

const peerRows = async (repo: Repo, peer: string): Promise<ListedKind[]> =>
  rowsOf(await readPeerKinds(repo, peer), peer).filter(({ name }) => !builtInKinds.has(name));

function rowsOf(kinds: KindRegistry, garden: string | null): ListedKind[] {
  const ids = kindIds(kinds);
  return [...kinds].map(([name, parent]) => ({ name, parent: parent ?? null, id: ids.get(name) ?? null, garden }));
}

/** A kind of another garden is written `alice/leak`; undefined for any other text. */
export function peerKindIn(written: string): { readonly peer: string; readonly kind: string } | undefined {
  const [peer, kind, ...more] = written.split("/");
  return kind !== undefined && more.length === 0 && isSlug(peer!) && isKindName(kind)
    ? { peer: peer!, kind }
    : undefined;
}

/** The federated id of a kind written `alice/leak`; any other text is returned as it is. Throws NOT_FOUND. */
export async function grantedKind(repo: Repo, written: string): Promise<string> {
  const named = peerKindIn(written);
  return named ? kindIds(await peerKinds(repo, named.peer, named.kind)).get(named.kind)! : written;
}

/**
 * S-10: registers a kind of a followed garden here, with the kinds above it that are not here yet, in one commit. The definitions are the
 * same, so the federated ids are too. Throws VALIDATION_FAILED if one of the names is taken here by another definition.
 */
export async function takeKind(garden: SessionGarden, peer: string, kind: string): Promise<NewKind> {
  const theirs = await peerKinds(garden.repo, peer, kind);
  const line: NewKind[] = [];
  for (let name: string | undefined = kind; name !== undefined && !builtInKinds.has(name); name = theirs.get(name))
    line.unshift({ name, parent: theirs.get(name)! });
  await registerKinds(garden, line);
  return line.at(-1)!;
}

async function peerKinds(repo: Repo, peer: string, kind: string): Promise<KindRegistry> {
  const theirs = await readPeerKinds(repo, (await readPeer(repo, peer)).name);
  if (builtInKinds.has(kind) || !kindIds(theirs).has(kind)) throw noPeerKind(peer, kind);
  return theirs;
}

/**
 * The library, if these sessions use kinds that others cannot read yet: kinds travel with it. Nothing if another machine of this garden
 * announced a later one.
 */
export async function announcedKinds(
  repo: Repo,
  sessions: readonly string[],
  heads: ReadonlyMap<RefName, Oid>,
  announced: ReadonlyMap<RefName, Oid>,
): Promise<ReadonlyMap<RefName, Oid>> {
  const [library, before] = [await repo.resolve(LIBRARY_REF), announced.get(LIBRARY_REF)];
  if (library === undefined || library === before) return new Map();
  if (before !== undefined && !(await repo.isAncestor(before, library))) return new Map();
  const [ours, told] = [await kindsAt(repo, library), await kindsAt(repo, before)];
  for (const session of sessions) {
    const { commits } = await logFrom(repo, session, heads.get(sessionBranch(session))!);
    if (commits.some(({ typed }) => typed && ours.has(typed.kind) && !told.has(typed.kind)))
      return new Map([[LIBRARY_REF, library]]);
  }
  return new Map();
}

const noPeerKind = (peer: string, kind: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `no kind ${kind} registered by the garden ${peer} was accepted here`,
    uk: `виду ${kind}, зареєстрованого садом ${peer}, тут не приймали`,
    hint: {
      en: `\`bloom session kinds --from ${peer}\` lists those that were; a kind that is not here yet is granted by its id, NAME@ID, which the refusal of the announcement names.`,
      uk: `Прийняті показує \`bloom session kinds --from ${peer}\`; вид, якого тут ще немає, дозволяють за ідентифікатором NAME@ID — його називає відмова оголошенню.`,
    },
    details: { peer, kind },
  });
