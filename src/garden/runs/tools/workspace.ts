import { crashPoint } from "../../../base/crash-point.ts";
import { Failure, isFailure } from "../../../base/failure.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { sessionBranch } from "../../../domain/layout.ts";
import type { StepRecord } from "../../../domain/run/run-step.ts";
import type { CommitFields } from "../../../domain/session/typed-commit.ts";
import type { Edit, Repo, TreeFile } from "../../../ports/repo.ts";
import type { ToolCallScope } from "../../../ports/runtime.ts";
import type { RunPlace } from "../../core/flow/journal.ts";
import { commitWithTrace } from "../../sessions/commit-with-trace.ts";
import { landRefs } from "../../sessions/land-refs.ts";
import { openRunSession, type RunSession, type RunSessionWish } from "../../sessions/run-session.ts";
import type { SessionGarden } from "../../sessions/session-garden.ts";
import { sessionHead, sessionLog } from "../../sessions/topology.ts";
import { pendingTrace, recordTrace } from "../../sessions/trace-buffer.ts";
import { sessionTraces } from "../../sessions/traces.ts";
import { positionIn } from "./call-position.ts";
import { type CalledTool, callEntry, stepEntry } from "./step-entry.ts";

/** S-11: the branch on which a run works. */
export interface Workspace {
  /** The name of the session. */
  readonly session: string;
  /** The newest commit, as of the last `refresh` or `change`: what tools read. */
  readonly head: Oid;
  refresh(): Promise<void>;
  /**
   * One typed commit for a call. A call that is repeated after a crash finds its commit by its key. `work` is called again with the new
   * head if somebody else committed meanwhile. Undefined if there is nothing to change.
   */
  change(
    call: ToolCallScope,
    about: CalledTool,
    work: (head: Oid) => Promise<BranchChange>,
  ): Promise<BranchCommit | undefined>;
}

export interface BranchChange {
  readonly kind: string;
  /** One line. */
  readonly message: string;
  /** Against the head that `work` was given. */
  readonly edits: readonly (Edit | TreeFile)[];
  /** The result of the call is made from these. */
  readonly fields: CommitFields;
}

export interface BranchCommit {
  readonly commit: Oid;
  readonly fields: CommitFields;
}

/** The workspace of a run. `told` gets every step of the run, made or found, in its order. */
export interface RunWorkspace extends Workspace {
  readonly told: (record: StepRecord) => void;
  /** Writes what `told` got into the trace buffer. */
  settle(): Promise<void>;
}

export interface WorkspaceWish extends RunSessionWish {
  readonly place: RunPlace;
  /** The last commit that the journal names: the branch must contain it. */
  readonly last: Oid | undefined;
  /** A fork shares its steps up to this one with its origin, whose session has their traces. */
  readonly shared: number;
}

const MAX_TRIES = 50;

/** Opens the session of a run, or continues it. Throws INVALID_TRANSITION if the branch has lost commits of the run. */
export async function openWorkspace(garden: SessionGarden, wish: WorkspaceWish): Promise<RunWorkspace> {
  const { repo } = garden;
  const { place, last, shared, ...about } = wish;
  const session = await withWork(garden, await openRunSession(garden, place, about), last);
  const { name } = session;
  const made = await commitsByRequest(repo, name);
  const traced = await tracedSteps(garden, name);
  const waiting: StepRecord[] = [];
  let { head } = session;
  let last_change: Promise<unknown> = Promise.resolve();

  const settle = async (): Promise<void> => {
    for (let record = waiting.shift(); record; record = waiting.shift()) {
      if (traced.has(record.position)) continue;
      await recordTrace(garden, name, stepEntry(record));
      traced.add(record.position);
    }
  };
  const changeNow = async (
    call: ToolCallScope,
    tool: CalledTool,
    work: (head: Oid) => Promise<BranchChange>,
  ): Promise<BranchCommit | undefined> => {
    const step = positionIn(call.key);
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      head = await sessionHead(repo, name);
      const known = made.get(call.key) ?? (tries > 0 ? (await commitsByRequest(repo, name)).get(call.key) : undefined);
      if (known) return known;
      const { kind, message, edits, fields } = await work(head);
      if (edits.length === 0) return undefined;
      await settle();
      if (!traced.has(step)) await recordTrace(garden, name, callEntry(step, tool, call.place));
      traced.add(step);
      crashPoint("workspace.traced");
      const all = {
        ...fields,
        ...call.place,
        claimed: undefined,
        request: call.key,
        run: place.run,
        slug: place.slug,
        step,
      };
      const wanted = { expect: head, kind, message, fields: all, tree: { edits } };
      const landed = await commitWithTrace(garden, name, wanted);
      if (landed.kind === "conflict") continue;
      crashPoint("workspace.committed");
      head = landed.commit;
      const commit = { commit: head, fields: all };
      made.set(call.key, commit);
      return commit;
    }
    throw branchContended(name);
  };
  return {
    session: name,
    get head() {
      return head;
    },
    refresh: async () => {
      head = await sessionHead(repo, name);
    },
    told: (record) => {
      if (record.position > shared && record.kind !== "step") waiting.push(record);
    },
    settle,
    // Calls of parallel icons take turns: each builds on the commit of the one before.
    change: (call, tool, work) => {
      const turn = last_change.then(() => changeNow(call, tool, work));
      last_change = turn.catch(() => undefined);
      return turn;
    },
  };
}

/** The branch with the commits that the journal names. One that was deleted, and recreated at its beginning, gets them back. */
async function withWork(garden: SessionGarden, session: RunSession, last: Oid | undefined): Promise<RunSession> {
  const { repo } = garden;
  const { name, head, genesis } = session;
  if (last === undefined || last === head) return session;
  const isMissing = (error: unknown): boolean => {
    if (isFailure(error, "NOT_FOUND")) return true;
    throw error;
  };
  if (await repo.isAncestor(last, head).catch((error: unknown) => !isMissing(error))) return session;
  const isLost = await repo.commit(last).then(() => false, isMissing);
  if (head !== genesis || isLost) throw branchMoved(name, last);
  const back = { ref: sessionBranch(name), from: genesis, to: last, reason: "bloom commit" };
  const landed = await landRefs(garden, [back]);
  if (landed.kind === "stale") throw branchMoved(name, last);
  return { ...session, head: last };
}

/** The commits of a session that calls made, by the key of the call (E2). */
export async function commitsByRequest(repo: Repo, name: string): Promise<Map<string, BranchCommit>> {
  const made = new Map<string, BranchCommit>();
  for (const { commit, typed } of (await sessionLog(repo, name)).commits) {
    const request = typed?.fields["request"];
    if (typeof request === "string" && typed && !made.has(request))
      made.set(request, { commit: commit.oid, fields: typed.fields });
  }
  return made;
}

/** Steps that a trace of the session has, bound or not. */
async function tracedSteps(garden: SessionGarden, name: string): Promise<Set<number>> {
  const bound = (await sessionTraces(garden.repo, name)).flatMap(({ traces }) => traces);
  const entries = [...bound.flatMap((trace) => trace.entries), ...(await pendingTrace(garden, name)).entries];
  return new Set(entries.flatMap(({ step }) => (typeof step === "number" ? [step] : [])));
}

const branchMoved = (name: string, last: Oid): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: `the branch agents/${name} no longer contains ${last.slice(0, 10)}, which this run has committed`,
    uk: `гілка agents/${name} більше не містить ${last.slice(0, 10)}, який закомітив цей запуск`,
    hint: {
      en: `Put it back with \`git branch -f agents/${name} ${last.slice(0, 10)}\`, then start the run again or fork it.`,
      uk: `Поверніть її командою \`git branch -f agents/${name} ${last.slice(0, 10)}\`, тоді почніть запуск знову або розгалузьте його.`,
    },
    details: { session: name, commit: last },
  });

const branchContended = (name: string): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `the branch agents/${name} kept changing; nothing was written`,
    uk: `гілку agents/${name} весь час змінювали інші; нічого не записано`,
    details: { session: name },
  });
