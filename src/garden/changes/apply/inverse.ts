import { assert } from "../../../base/assert.ts";
import { blobId } from "../../../base/canonical.ts";
import { Failure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { MAIN_REF, memoryPath } from "../../../domain/layout.ts";
import { versionedFiles } from "../../../domain/memory/memory-meta.ts";
import { withTags } from "../../../domain/note/front-matter.ts";
import { mergeTexts } from "../../../domain/note/text-merge.ts";
import type { Action } from "../../../domain/proposal/action.ts";
import { type Operation, type OperationOf, targetOf } from "../../../domain/proposal/operation.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import { everyKey } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { findLogic, readLogicState } from "../../records/logic/logic-state.ts";
import { readMemory } from "../../records/memory/memory-state.ts";
import { findReadable } from "../../records/proposals/proposal-log.ts";
import { cardIn } from "../../records/proposals/views.ts";
import { textOf } from "../effect/note-target.ts";
import { summaryBytes } from "../effect/object-effects.ts";
import { conflict } from "./why-not.ts";

/** What the owner would write to take a change back: it goes through the gate like any other wish. */
export interface Inverse {
  readonly action: Action;
  readonly payload: unknown;
}

/**
 * The inverse of an applied proposal, to be merged with whatever came since:
 * - text of notes goes back line by line, against the commit that changed it; a note that was made is removed if nobody
 *   touched it since, one that was removed is made again; tags go back as tags;
 * - a comment or an artifact is taken away, and an artifact that took another's place gives it back;
 * - memory gets its former files by an update of its own (observations are a journal, and stay);
 * - logic is rolled back to the version before, as long as it is still the current one (a logic change never merges).
 */
export async function inverseOf(garden: Garden, proposal: Proposal, reason: string): Promise<Inverse> {
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
      if (operation.payload.removes !== undefined) throw onceOnly("comment");
      return { action: "propose-comment", payload: { note: operation.payload.note, removes: proposal.id } };
    case "propose-artifact":
      return formerArtifact(garden, proposal, operation);
    case "memory-update":
      return formerMemory(garden, operation.payload.agent, commitOf(proposal));
    case "logic-update":
    case "logic-rollback":
      if (proposal.apply_result?.git_commit === undefined) throw onceOnly("export");
      return formerLogic(garden, operation.payload.agent, commitOf(proposal), reason);
    case "propose-merge":
      throw onceOnly("merge");
  }
}

const removedNote = (path: string, commit: Oid): Inverse => ({
  action: "propose-edit",
  payload: { path, remove: true, base: commit },
});

async function madeAgain(garden: Garden, path: string, commit: Oid): Promise<Inverse> {
  return { action: "propose-note", payload: { path, text: await textBefore(garden, commit, path) } };
}

async function formerText(garden: Garden, path: string, commit: Oid): Promise<Inverse> {
  return { action: "propose-edit", payload: { path, text: await textBefore(garden, commit, path), base: commit } };
}

/** Those that made a difference then, the other way round. */
async function formerTags(garden: Garden, { payload }: OperationOf<"propose-tag">, commit: Oid): Promise<Inverse> {
  const tagged = withTags(await textBefore(garden, commit, payload.path), payload);
  assert(tagged.kind === "changed", "an applied change of tags changed some");
  return { action: "propose-tag", payload: { path: payload.path, add: tagged.removed, remove: tagged.added } };
}

function takenAway(proposal: Proposal, agent: string, name: string): Inverse {
  return { action: "propose-artifact", payload: { agent, name, remove: true, replaces: madeHash(proposal) } };
}

async function formerArtifact(
  garden: Garden,
  proposal: Proposal,
  { payload }: OperationOf<"propose-artifact">,
): Promise<Inverse> {
  const { agent, name, type, replaces } = payload;
  if (replaces === undefined) return takenAway(proposal, agent, name);
  const body = await bodyWithHash(garden, targetOf(proposal.operation), replaces);
  if (!body) {
    throw new Failure(
      "NOT_FOUND",
      {
        en: "what this artifact replaced is not on record any more",
        uk: "того, що замінив цей артефакт, у записах немає",
      },
      { details: { hash: replaces } },
    );
  }
  // A removal left nothing to replace.
  return {
    action: "propose-artifact",
    payload: { agent, name, type, ...body, ...(payload.body.kind !== "none" && { replaces: madeHash(proposal) }) },
  };
}

/**
 * The store keeps no former bytes; the record of the proposal that wrote them does. The newest are looked at first: what is
 * taken back has mostly replaced something recent, however much is archived.
 */
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

/** What an operation wrote as an artifact. */
function bytesOf(operation: Operation): Buffer | undefined {
  if (operation.action === "propose-summary") return summaryBytes(operation.payload);
  if (operation.action !== "propose-artifact") return undefined;
  const { body } = operation.payload;
  if (body.kind === "none") return undefined;
  return body.kind === "text" ? Buffer.from(body.text) : Buffer.from(body.base64, "base64");
}

async function formerMemory(garden: Garden, agent: string, commit: Oid): Promise<Inverse> {
  const head = await mainOf(garden);
  const parent = await parentOf(garden, commit);
  const files: Record<string, string | null> = {};
  for (const file of versionedFiles) {
    const path = memoryPath.file(agent, file);
    const [before, after, now] = await Promise.all([parent, commit, head].map((at) => textAt(garden, at, path)));
    if (before === after || now === undefined) continue;
    const merged = mergeTexts(after ?? "", now, before ?? "");
    if (merged.kind === "conflict") throw conflict([{ path, why: sameLines, hunks: merged.pieces }]);
    if (merged.text !== now) files[file] = before === undefined && merged.text === "" ? null : merged.text;
  }
  if (Object.keys(files).length === 0) throw nothingLeft();
  const { version } = await readMemory(garden.repo, head, agent);
  const operations = [{ op: "restore", files, from: parent }];
  return { action: "memory-update", payload: { agent, operations, expectedVersion: version, priority: "high" } };
}

async function formerLogic(garden: Garden, agent: string, commit: Oid, reason: string): Promise<Inverse> {
  const parent = await parentOf(garden, commit);
  const former = await findLogic(garden.repo, parent, agent);
  const adopted = (await readLogicState(garden.repo, commit, agent)).meta.logicVersion;
  const current = (await readLogicState(garden.repo, await mainOf(garden), agent)).meta.logicVersion;
  if (!former) {
    throw refused({
      en: `${adopted} is the first version of ${agent}: there is none before it`,
      uk: `${adopted} — перша версія ${agent}: попередньої немає`,
    });
  }
  if (current !== adopted) {
    throw refused({
      en: `${agent} has moved on from ${adopted} to ${current}; take that back first, or roll back to a version by name`,
      uk: `${agent} перейшов з ${adopted} на ${current}; спершу відкличте це або поверніться до версії за назвою`,
    });
  }
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

/** The hash that the object had when this was applied. */
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

async function mainOf({ repo }: Garden): Promise<Oid> {
  const head = await repo.resolve(MAIN_REF);
  assert(head !== undefined, "a garden has a main");
  return head;
}

const sameLines: Text = { en: "the same lines were changed since", uk: "ті самі рядки відтоді змінено" };
const refused = (text: Text): Failure => new Failure("CONCURRENT_MODIFICATION", text);
const nothingLeft = (): Failure =>
  new Failure("DUPLICATE_ENTRY", { en: "nothing of it is left to take back", uk: "відкликати вже нічого" });
const onceOnly = (what: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `this ${what} cannot be taken back by a proposal; propose anew what it changed`,
    uk: `цю зміну (${what}) пропозицією не відкликати; запропонуйте знову те, що вона змінила`,
  });
