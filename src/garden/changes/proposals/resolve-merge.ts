import { canonicalId } from "../../../base/canonical.ts";
import { crashPoint } from "../../../base/crash-point.ts";
import { Failure } from "../../../base/failure.ts";
import { peerSessionIn } from "../../../domain/federation/peer-origin.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { type Identity, identityName } from "../../../domain/identity.ts";
import { sessionBranch } from "../../../domain/layout.ts";
import type { OperationOf } from "../../../domain/proposal/operation.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { Conflict, Edit, TreeFile } from "../../../ports/repo.ts";
import type { Garden } from "../../core/garden.ts";
import { headOf } from "../../core/main-head.ts";
import { readProposal } from "../../records/proposals/proposal-log.ts";
import { buildSessionCommit } from "../../sessions/commit-session.ts";
import { spawnTaken } from "../../sessions/failures.ts";
import { landRefs } from "../../sessions/land-refs.ts";
import { spawnFromPeer } from "../../sessions/spawn-session.ts";
import { genesisOf, sessionHead, sessionLog } from "../../sessions/topology.ts";
import { noteLimit } from "../effect/failures.ts";
import { prepareAt } from "../effect/review.ts";
import { receive } from "../inbox/receive.ts";
import { expectPerson } from "./decision-checks.ts";
import { decidedBefore } from "./failures.ts";
import { supersede } from "./supersede.ts";

/** The text that a file is to have; null removes it. */
export type ResolvedTexts = Readonly<Record<string, string | null>>;

export interface MergeResolution {
  readonly proposal: string;
  readonly by: Identity;
  readonly files: ResolvedTexts;
  readonly note?: string | undefined;
}

/**
 * S-5: the owner decides what stays where main and a session changed the same lines. Main is merged into the session, with these texts for the
 * files in conflict, as one commit with two parents; then that commit is proposed, and takes the place of the first proposal. Idempotent:
 * the same call continues after a crash. Throws VALIDATION_FAILED if a file in conflict has no text.
 */
export async function resolveMerge(
  garden: Garden,
  wish: MergeResolution,
): Promise<{ readonly first: Proposal; readonly proposal: Proposal }> {
  expectPerson(wish.by);
  const first = await readProposal(garden.store, wish.proposal);
  if (first.operation.action !== "propose-merge") throw notAMerge(first.id);
  const mark = canonicalId({ resolves: first.id, files: wish.files });
  const session = await resolvingSession(garden, first.id, first.operation.payload);
  const known = await resolvedBefore(garden, session, mark);
  const isOpen = first.status === "pending" || first.status === "failed";
  if (known === undefined && !isOpen) throw decidedBefore(first, "rejected");
  const head = known ?? (await commitResolution(garden, { ...first.operation.payload, session }, first, wish, mark));
  crashPoint("resolve.committed");
  const received = await receive(garden, {
    identity: wish.by,
    action: "propose-merge",
    payload: { session, head },
    summary: first.summary,
    ...(wish.note !== undefined && { reasoning: wish.note }),
    correlation_id: `resolve-${mark}`,
    priority: first.priority,
    edits: first.id,
  });
  if (received.kind === "refused") throw received.failure;
  crashPoint("resolve.proposed");
  const left = (await supersede(garden, received.proposal, wish.by)) ?? first;
  return { first: left, proposal: received.proposal };
}

/**
 * The session that gets the resolution: the merged one. One of another garden is not written to: then a session of this garden that begins
 * there, named after the proposal, so that a second call finds it.
 */
async function resolvingSession(
  garden: Garden,
  id: string,
  { session, head, origins = [] }: OperationOf<"propose-merge">["payload"],
): Promise<string> {
  const origin = peerSessionIn(session) && origins[0];
  if (!origin) return session;
  const name = `merge-${id.slice(id.lastIndexOf("_") + 1).toLowerCase()}`;
  const briefing = { goal: `Merge ${session}`, resolves: id };
  const spawned = await spawnFromPeer(garden, { ...origin, head }, { name, briefing, fields: { resolves: id } });
  crashPoint("resolve.spawned");
  if (spawned.kind === "conflict" && (await genesisOf(garden.repo, name))?.typed?.fields["resolves"] !== id)
    throw spawnTaken(name, spawned.ref);
  return name;
}

/** The commit that this same resolution has made already. */
async function resolvedBefore({ repo }: Garden, session: string, mark: string): Promise<Oid | undefined> {
  const { commits } = await sessionLog(repo, session);
  return commits.find(({ typed }) => typed?.fields["request"] === mark)?.commit.oid;
}

async function commitResolution(
  garden: Garden,
  { session, head: theirs }: OperationOf<"propose-merge">["payload"],
  first: Proposal,
  { files, by }: MergeResolution,
  mark: string,
): Promise<Oid> {
  const { repo } = garden;
  const tip = await sessionHead(repo, session);
  const { genesis } = await sessionLog(repo, session);
  const isNew = genesis?.commit.oid === tip && genesis.commit.parents[0] === theirs;
  if (tip !== theirs && !isNew) throw sessionWentOn(session, first.id);
  const main = await headOf(repo);
  const prepared = await prepareAt(garden, first, main);
  if (prepared.kind === "refused") throw prepared.failure;
  const ready = prepared.kind === "conflict" ? prepared.wanted : prepared;
  if (ready?.kind !== "ready") throw nothingToResolve(first.id);
  expectTexts(garden, first.id, prepared.kind === "conflict" ? prepared.conflicts : [], files);
  const commit = await buildSessionCommit(
    garden,
    session,
    {
      expect: tip,
      kind: "session-merge",
      message: `main into ${session}`,
      fields: { merged: "main", request: mark, resolves: first.id, by: identityName(by) },
      tree: { edits: [...ready.edits.filter(({ path }) => !(path in files)), ...textEdits(files)] },
    },
    // All of main, and on it what the session changed: the result of merging both.
    { parent: main, tree: (await repo.commit(main)).tree },
  );
  crashPoint("resolve.built");
  const landed = await landRefs(garden, [
    { ref: sessionBranch(session), from: tip, to: commit, reason: "bloom merge" },
  ]);
  if (landed.kind === "stale") throw sessionWentOn(session, first.id);
  return commit;
}

const textEdits = (files: ResolvedTexts): (Edit | TreeFile)[] =>
  Object.entries(files).map(([path, text]) => ({ path, bytes: text === null ? undefined : Buffer.from(text) }));

/** Every file in conflict has a text, and no other file. */
function expectTexts({ config }: Garden, id: string, conflicts: readonly Conflict[], files: ResolvedTexts): void {
  const open = conflicts.filter(({ path }) => !(path in files)).map(({ path }) => path);
  if (open.length > 0) throw stillOpen(id, open);
  const other = Object.keys(files).find((path) => !conflicts.some((conflict) => conflict.path === path));
  if (other !== undefined) throw notInConflict(id, other);
  const limit = noteLimit(config);
  for (const [path, text] of Object.entries(files))
    if (text !== null && (Buffer.byteLength(text) > limit || !text.isWellFormed() || text.includes("\0")))
      throw badText(path, limit);
}

const refused = (text: { en: string; uk: string }, details: Record<string, unknown>): Failure =>
  new Failure("VALIDATION_FAILED", { ...text, details });

const notAMerge = (id: string): Failure =>
  refused(
    { en: `${id} merges no session: there is nothing to resolve`, uk: `${id} не зливає сесію: розв'язувати нічого` },
    { proposal: id },
  );

const nothingToResolve = (id: string): Failure =>
  refused(
    { en: `${id} would change nothing any more: reject it`, uk: `${id} уже нічого не змінить: відхиліть її` },
    { proposal: id },
  );

const stillOpen = (id: string, paths: readonly string[]): Failure =>
  refused(
    {
      en: `${id}: give a text for every file in conflict; missing: ${paths.join(", ")}`,
      uk: `${id}: дайте текст кожному файлові з конфліктом; бракує: ${paths.join(", ")}`,
    },
    { proposal: id, paths },
  );

const notInConflict = (id: string, path: string): Failure =>
  refused({ en: `${id}: ${path} is not in conflict`, uk: `${id}: у ${path} немає конфлікту` }, { proposal: id, path });

const badText = (path: string, limit: number): Failure =>
  refused(
    { en: `${path}: text in UTF-8 of at most ${limit} bytes`, uk: `${path}: текст у UTF-8, не більше ${limit} байтів` },
    { path, limit },
  );

const sessionWentOn = (session: string, id: string): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `the session ${session} has newer commits than ${id} proposes`,
    uk: `сесія ${session} має новіші коміти, ніж пропонує ${id}`,
    hint: {
      en: `Propose its newest commit (\`bloom propose merge ${session}\`), and resolve that one.`,
      uk: `Запропонуйте її найновіший коміт (\`bloom propose merge ${session}\`) і розв'яжіть його.`,
    },
    details: { session, proposal: id },
  });
