import { assert } from "../../../base/assert.ts";
import { blobId } from "../../../base/canonical.ts";
import type { Text } from "../../../base/text.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { memoryPath } from "../../../domain/layout.ts";
import { versionedFiles } from "../../../domain/memory/memory-meta.ts";
import { withTags } from "../../../domain/note/front-matter.ts";
import { mergeTexts } from "../../../domain/note/text-merge.ts";
import type { Action } from "../../../domain/proposal/action.ts";
import { type Operation, type OperationOf, targetOf } from "../../../domain/proposal/operation.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import { everyKey } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { headOf } from "../../core/main-head.ts";
import { findLogic, readLogicState } from "../../records/logic/logic-state.ts";
import { readMemory } from "../../records/memory/memory-state.ts";
import { findReadable } from "../../records/proposals/proposal-log.ts";
import { cardIn } from "../../records/proposals/proposal-views.ts";
import { textOf } from "../effect/note-target.ts";
import { summaryBytes } from "../effect/object-effects.ts";
import {
  artifactNotOnRecord,
  firstVersion,
  linesConflict,
  movedOn,
  nothingToRevert,
  notRevertible,
} from "./failures.ts";
import { formerFiles } from "./inverse-merge.ts";

/** A wish that takes a change back; it goes through the gate like any other wish. */
export interface InverseOperation {
  readonly action: Action;
  readonly payload: unknown;
}

/**
 * The inverse of an applied proposal, to be merged with the changes since:
 * - text of notes is restored line by line, against the commit that changed it; a created note is removed if it is unchanged,
 *   a removed note is created again; tags are removed or added back;
 * - a comment or an artifact is removed, and an artifact that replaced another one is replaced by it;
 * - memory files are restored by a `memory-update` (observations are append-only, and stay);
 * - the files of a merge are restored by another one, of a session that has them as they were;
 * - logic is rolled back to the version before, if it is still the current one (a logic change never merges).
 *
 * Throws if the change cannot be reverted, or if the same lines were changed since.
 */
export async function inverseOf(garden: Garden, proposal: Proposal, reason: string): Promise<InverseOperation> {
  const { operation } = proposal;
  switch (operation.action) {
    case "propose-note":
      return removedNote(operation.payload.path, commitOf(proposal));
    case "propose-edit":
      return operation.payload.remove
        ? madeAgain(garden, operation.payload.path, commitOf(proposal))
        : formerText(garden, operation.payload.path, commitOf(proposal));
    case "propose-tag":
      return formerTags(garden, operation, commitOf(proposal));
    case "propose-summary":
      return operation.payload.into.kind === "section"
        ? formerText(garden, operation.payload.note, commitOf(proposal))
        : takenAway(proposal, operation.payload.into.agent, operation.payload.into.name);
    case "propose-comment":
      if (operation.payload.removes !== undefined) throw notRevertible("comment");
      return { action: "propose-comment", payload: { note: operation.payload.note, removes: proposal.id } };
    case "propose-artifact":
      return formerArtifact(garden, proposal, operation);
    case "memory-update":
      return formerMemory(garden, operation.payload.agent, commitOf(proposal));
    case "logic-update":
    case "logic-rollback":
      if (proposal.apply_result?.git_commit === undefined) throw notRevertible("export");
      return formerLogic(garden, operation.payload.agent, commitOf(proposal), reason);
    case "propose-merge":
      return formerFiles(garden, proposal, commitOf(proposal));
  }
}

const removedNote = (path: string, commit: Oid): InverseOperation => ({
  action: "propose-edit",
  payload: { path, remove: true, base: commit },
});

async function madeAgain(garden: Garden, path: string, commit: Oid): Promise<InverseOperation> {
  return { action: "propose-note", payload: { path, text: await textBefore(garden, commit, path) } };
}

async function formerText(garden: Garden, path: string, commit: Oid): Promise<InverseOperation> {
  return { action: "propose-edit", payload: { path, text: await textBefore(garden, commit, path), base: commit } };
}

/** The tags that the change really added and removed, the other way round. */
async function formerTags(
  garden: Garden,
  { payload }: OperationOf<"propose-tag">,
  commit: Oid,
): Promise<InverseOperation> {
  const tagged = withTags(await textBefore(garden, commit, payload.path), payload);
  assert(tagged.kind === "changed", "an applied change of tags changed some");
  return { action: "propose-tag", payload: { path: payload.path, add: tagged.removed, remove: tagged.added } };
}

function takenAway(proposal: Proposal, agent: string, name: string): InverseOperation {
  return { action: "propose-artifact", payload: { agent, name, remove: true, replaces: madeHash(proposal) } };
}

async function formerArtifact(
  garden: Garden,
  proposal: Proposal,
  { payload }: OperationOf<"propose-artifact">,
): Promise<InverseOperation> {
  const { agent, name, type, replaces } = payload;
  if (replaces === undefined) return takenAway(proposal, agent, name);
  const body = await bodyWithHash(garden, targetOf(proposal.operation), replaces);
  if (!body) throw artifactNotOnRecord(replaces);
  // After a removal there is nothing to replace.
  return {
    action: "propose-artifact",
    payload: { agent, name, type, ...body, ...(payload.body.kind !== "none" && { replaces: madeHash(proposal) }) },
  };
}

/** Former bytes are only in the record of the proposal that wrote them. Searches the newest proposals first. */
async function bodyWithHash({ store }: Garden, target: string, hash: string): Promise<object | undefined> {
  const views: string[] = [];
  for await (const { key } of everyKey(store, "proposals/applied/")) views.push(key);
  for (const key of views.toReversed()) {
    const card = await cardIn(store, key);
    if (card?.target !== target) continue;
    const writer = await findReadable(store, card.id);
    const bytes = writer && bytesOf(writer.operation);
    if (!bytes || blobId(bytes) !== hash) continue;
    const text = textOf(bytes);
    return text === undefined ? { base64: bytes.toString("base64") } : { text };
  }
  return undefined;
}

/** The bytes of the artifact that an operation wrote. */
function bytesOf(operation: Operation): Buffer | undefined {
  if (operation.action === "propose-summary") return summaryBytes(operation.payload);
  if (operation.action !== "propose-artifact") return undefined;
  const { body } = operation.payload;
  if (body.kind === "none") return undefined;
  return body.kind === "text" ? Buffer.from(body.text) : Buffer.from(body.base64, "base64");
}

async function formerMemory(garden: Garden, agent: string, commit: Oid): Promise<InverseOperation> {
  const head = await headOf(garden.repo);
  const parent = await parentOf(garden, commit);
  const files: Record<string, string | null> = {};
  for (const file of versionedFiles) {
    const path = memoryPath.file(agent, file);
    const [before, after, now] = await Promise.all([parent, commit, head].map((at) => textAt(garden, at, path)));
    if (before === after || now === undefined) continue;
    const merged = mergeTexts(after ?? "", now, before ?? "");
    if (merged.kind === "conflict") throw linesConflict([{ path, why: sameLines, hunks: merged.pieces }]);
    if (merged.text !== now) files[file] = before === undefined && merged.text === "" ? null : merged.text;
  }
  if (Object.keys(files).length === 0) throw nothingToRevert();
  const { version } = await readMemory(garden.repo, head, agent);
  const operations = [{ op: "restore", files, from: parent }];
  return { action: "memory-update", payload: { agent, operations, expectedVersion: version, priority: "high" } };
}

async function formerLogic(garden: Garden, agent: string, commit: Oid, reason: string): Promise<InverseOperation> {
  const parent = await parentOf(garden, commit);
  const former = await findLogic(garden.repo, parent, agent);
  const adopted = (await readLogicState(garden.repo, commit, agent)).meta.logicVersion;
  const current = (await readLogicState(garden.repo, await headOf(garden.repo), agent)).meta.logicVersion;
  if (!former) throw firstVersion(agent, adopted);
  if (current !== adopted) throw movedOn(agent, adopted, current);
  const rationale = { problem: reason };
  const { logicVersion: toVersion } = former.meta;
  return {
    action: "logic-rollback",
    payload: { agent, currentVersion: current, toVersion, rationale, requiresHumanReview: true },
  };
}

function commitOf({ apply_result: result }: Proposal): Oid {
  assert(result?.git_commit !== undefined, "an applied change of git has its commit");
  return result.git_commit;
}

/** The hash of the object that this proposal wrote. */
function madeHash({ plans, apply_result: result }: Proposal): string | undefined {
  return plans.flatMap(({ objects }) => objects).findLast(({ key }) => key === result?.object_path)?.hash;
}

async function textBefore(garden: Garden, commit: Oid, path: string): Promise<string> {
  const text = await textAt(garden, await parentOf(garden, commit), path);
  assert(text !== undefined, "an applied edit had a text before");
  return text;
}

async function textAt({ repo }: Garden, at: Oid, path: string): Promise<string | undefined> {
  const file = await repo.read(at, path);
  return file && textOf(file.bytes);
}

async function parentOf({ repo }: Garden, commit: Oid): Promise<Oid> {
  const [parent] = (await repo.commit(commit)).parents;
  assert(parent !== undefined, "an applied commit has a parent");
  return parent;
}

const sameLines: Text = { en: "the same lines were changed since", uk: "ті самі рядки відтоді змінено" };
