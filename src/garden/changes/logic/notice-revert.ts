import { blobId } from "../../../base/canonical.ts";
import { isFailure } from "../../../base/failure.ts";
import { BOOKKEEPING, GATEWAY } from "../../../domain/git/gateway-commit.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { messageWithTrailers } from "../../../domain/git/trailers.ts";
import { logicPath, MAIN_REF } from "../../../domain/layout.ts";
import { withLostEntries } from "../../../domain/logic/logic-changelog.ts";
import { type LogicVersion, versionAfter } from "../../../domain/logic/logic-version.ts";
import type { Commit, CommitDraft, Edit, Repo } from "../../../ports/repo.ts";
import type { Garden } from "../../core/garden.ts";
import { MAIN_DIAGRAM } from "../../records/agents/agent-diagrams.ts";
import { adoptionFiles } from "../../records/logic/adoption.ts";
import { compareLogic } from "../../records/logic/compare-logic.ts";
import { languageAt } from "../../records/logic/garden-language.ts";
import { findHandChange, type HandChange, NOTICED_LOGIC, textLeftByGateway } from "../../records/logic/hand-change.ts";
import { agentsWithLogic, type LogicState, logicOfVersion } from "../../records/logic/logic-state.ts";
import { type Logic, proposedLogic } from "../../records/logic/proposed-logic.ts";
import { projectLogic } from "./project-logic.ts";

export interface NoticedChange {
  readonly slug: string;
  /** The version that records the person's change; undefined if only lost files were restored. */
  readonly version: LogicVersion | undefined;
  /** The person's commit. */
  readonly by: Oid;
  readonly commit: Oid;
}

const MAX_TRIES = 5;

/**
 * L-7: finds changes that people made to `logic/` with git, above all `git revert`, and records them: restores removed
 * files of the archive, makes the present logic a new version, and updates `current.meta.json` and the changelog. The
 * person's commit is the decision; this one is bookkeeping (decision 008), derived from history alone and therefore
 * idempotent. Invalid logic is left as it is, and `bloom verify` reports it.
 */
export async function noticeRevert(garden: Garden): Promise<readonly NoticedChange[]> {
  const { repo } = garden;
  const head = await repo.resolve(MAIN_REF);
  if (head === undefined) return [];
  const noticed: NoticedChange[] = [];
  for (const slug of await agentsWithLogic(repo, head)) {
    const one = await noticeOne(garden, slug);
    if (!one) continue;
    noticed.push(one);
    await projectLogic(garden, slug, { cause: one.by });
  }
  return noticed;
}

async function noticeOne(garden: Garden, slug: string): Promise<NoticedChange | undefined> {
  const { repo } = garden;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const head = (await repo.resolve(MAIN_REF))!;
    const followUp = await followUpOf(repo, head, slug);
    if (!followUp) return undefined;
    const commit = await repo.build(followUp.draft);
    const moved = await repo.move([{ ref: MAIN_REF, from: head, to: commit }]);
    if (moved.kind === "moved") return { slug, version: followUp.version, by: followUp.change.by.oid, commit };
    if (moved.kind !== "stale") return undefined; // uncommitted edits, or git is busy; tried again later
  }
  return undefined;
}

export interface FollowUp {
  readonly change: HandChange;
  readonly version: LogicVersion | undefined;
  readonly draft: Omit<CommitDraft, "edits"> & { readonly edits: readonly Edit[] };
}

/**
 * The bookkeeping commit for the changes by people, on top of `head`; undefined if there are none. Derived from history
 * alone, its time included: computing it again, also in `bloom verify`, gives the same id.
 */
export async function followUpOf(repo: Repo, head: Oid, slug: string): Promise<FollowUp | undefined> {
  const change = await findHandChange(repo, head, slug);
  if (!change) return undefined;
  const made = change.otherLogic ? await newVersion(repo, change) : undefined;
  if (change.otherLogic && !made) return undefined;
  const files = made?.files ?? (await restored(repo, change));
  if (files.size === 0) return undefined;
  const { by, left } = change;
  const what = made ? `${left.meta.logicVersion}→${made.version}` : left.meta.logicVersion;
  const signature = { ...GATEWAY, at: by.committer.at };
  const draft: FollowUp["draft"] = {
    parents: [head],
    edits: [...files].map(([path, text]) => ({ path, bytes: text === undefined ? undefined : Buffer.from(text) })),
    author: signature,
    committer: signature,
    message: `logic-rollback: ${slug} ${what} / ${by.oid.slice(0, 12)}`,
    trailers: [
      [BOOKKEEPING, NOTICED_LOGIC],
      ["Noticed", by.oid],
    ],
  };
  return { change, version: made?.version, draft };
}

/** True if a commit is exactly the bookkeeping commit for the history before it (P-8a). Reads only. */
export async function isFollowUp(repo: Repo, commit: Commit): Promise<boolean> {
  const slug = /^logic-rollback: (\S+) /.exec(commit.message)?.[1];
  const parent = commit.parents[0];
  if (slug === undefined || parent === undefined || commit.parents.length > 1) return false;
  const followUp = await followUpOf(repo, parent, slug);
  if (!followUp) return false;
  const { message, trailers, edits } = followUp.draft;
  if (commit.message !== messageWithTrailers(message, trailers ?? [])) return false;
  const wanted = new Map(edits.map(({ path, bytes }) => [path, bytes && blobId(bytes)]));
  const made = await repo.changes(parent, commit.oid);
  for (const { path, after } of made) if (wanted.get(path) !== after?.oid || !wanted.delete(path)) return false;
  // The remaining edits must have no effect.
  for (const [path, oid] of wanted) if ((await repo.read(parent, path))?.oid !== oid) return false;
  return true;
}

/** The archived files that are missing, and the current files if only the version number was set back. */
async function restored(repo: Repo, change: HandChange): Promise<Map<string, string | undefined>> {
  const files = new Map<string, string | undefined>();
  for (const path of change.lost) files.set(path, await textLeftByGateway(repo, change, path));
  const { slug, left, now } = change;
  if (now && now.meta.logicVersion !== left.meta.logicVersion) {
    files.set(logicPath.current(slug, "meta"), left.metaText);
    files.set(logicPath.current(slug, "pseudo"), left.pseudo);
    if (left.changelog !== undefined)
      files.set(logicPath.changelog(slug), withLostEntries(now.changelog, slug, left.changelog));
  }
  return files;
}

async function newVersion(
  repo: Repo,
  change: HandChange,
): Promise<{ readonly version: LogicVersion; readonly files: Map<string, string | undefined> } | undefined> {
  const { slug, left, leftAt, by, now } = change;
  const logic = now && (await followableLogic(now));
  if (!logic) return undefined;
  const version = versionAfter([...left.versions, ...now.versions]);
  const rollbackTo = await versionWith(repo, leftAt, left, logic);
  const files = new Map<string, string | undefined>();
  for (const path of change.lost) files.set(path, await textLeftByGateway(repo, change, path));
  // The version that was current at the gateway's last write is frozen now.
  const before: LogicState = {
    ...left,
    changelog: left.changelog === undefined ? now.changelog : withLostEntries(now.changelog, slug, left.changelog),
    archive: new Map([...left.archive, ...now.archive]),
  };
  const adoption = adoptionFiles(before, {
    slug,
    version,
    diagram: logic.diagram,
    procedure: logic.procedure,
    at: isoSeconds(by.committer.at),
    source: by.oid,
    initiator: by.author.name,
    rationale: { problem: by.message.trim(), evidenceRuns: [] },
    comparison: compareLogic(left, logic).summary,
    rollbackTo,
    language: await languageAt(repo, leftAt),
  });
  for (const [path, text] of adoption) files.set(path, text);
  for (const path of files.keys()) if (now.archive.has(path)) files.delete(path);
  return { version, files };
}

/** The present logic if an agent can follow it; undefined for a diagram with errors or one that differs from the text. */
async function followableLogic({ diagram, procedure }: LogicState): Promise<Logic | undefined> {
  try {
    const logic = await proposedLogic({
      diagram,
      pseudocode: procedure,
      current: undefined,
      mainFile: MAIN_DIAGRAM,
      others: undefined,
      language: "uk",
    });
    return { ...logic, procedure };
  } catch (error) {
    if (isFailure(error, "VALIDATION_FAILED")) return undefined;
    throw error;
  }
}

/** The newest earlier version with the same logic. */
async function versionWith(
  repo: Repo,
  at: Oid,
  left: LogicState,
  { diagram, procedure }: Logic,
): Promise<LogicVersion | undefined> {
  for (const version of [...left.versions].toSorted().toReversed()) {
    const old = await logicOfVersion(repo, at, left, version);
    if (old && old.diagram === diagram && old.procedure === procedure) return version;
  }
  return undefined;
}

const isoSeconds = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
