import type { Json } from "../../base/canonical.ts";
import { isFailure } from "../../base/failure.ts";
import type { Contract } from "../../domain/contract/contract.ts";
import { branchTools } from "../../domain/contract/tool.ts";
import { isOid, type Oid } from "../../domain/git/git-names.ts";
import { requestIdOf } from "../../domain/run/request.ts";
import type { RunRequest } from "../../domain/run/run.ts";
import type { StepRecord } from "../../domain/run/run-step.ts";
import { statedOutcome } from "../../domain/run/stated-outcome.ts";
import { HAND_OVER, type SpawnedBy } from "../../domain/run/sub-run.ts";
import type { Store } from "../../ports/store.ts";
import { type RunPlace, readJournal } from "../core/flow/journal.ts";
import type { DurableFlow } from "../core/flow/step.ts";
import type { Garden } from "../core/garden.ts";
import { headOf } from "../core/main-head.ts";
import { findReadable } from "../records/proposals/proposal-log.ts";
import type { RunBrief } from "./brief.ts";
import type { Executed } from "./execute/execution.ts";
import { answerOf } from "./hold.ts";
import { requestAt } from "./open-runs.ts";
import type { RunContext } from "./run-flow.ts";
import { submitProposal } from "./tools/propose/submit-proposal.ts";
import type { ToolContext } from "./tools/tool.ts";
import { openWorkspace, type RunWorkspace, type Workspace } from "./tools/workspace.ts";

/** S-11: opens the session of a run whose contract says `workspace: session`; undefined for any other. */
export async function workspaceFor(
  { garden, place, request }: RunContext,
  brief: RunBrief,
  contract: Contract,
): Promise<RunWorkspace | undefined> {
  if (contract.workspace !== "session") return undefined;
  const records = (await readJournal(garden.store, place))?.records ?? [];
  const last = await lastCommit(garden.store, place, request, records);
  return openWorkspace(garden, {
    place,
    // A fork goes on from the commit that the branch of its origin had at the step where they part, a revision from what was sent back.
    at: last ?? request.spawned_by?.at ?? (await sentBack(garden, request)) ?? brief.garden_commit,
    goal: goalOf(request) ?? contract.description,
    ...(request.spawned_by && { parent: request.spawned_by.session }),
    contract: brief.contract_hash,
    logic: brief.logic_version,
    behaviour: brief.behaviour_id,
    trigger: request.trigger,
    last,
    shared: request.forked_from?.step ?? request.moved_from?.step ?? 0,
  });
}

/** P-10c: the commit that the proposal which this run revises wanted to merge. */
async function sentBack({ store, repo }: Garden, { revises }: RunRequest): Promise<Oid | undefined> {
  const proposal = revises === undefined ? undefined : await findReadable(store, revises);
  if (proposal?.operation.action !== "propose-merge") return undefined;
  const { head } = proposal.operation.payload;
  return repo.commit(head).then(
    () => head,
    (error: unknown) => {
      if (isFailure(error, "NOT_FOUND")) return undefined; // its branch was deleted, and git has removed its commits
      throw error;
    },
  );
}

/** The task of a sub-agent, in the words of the agent that asked for it. */
function goalOf({ spawned_by, input }: RunRequest): string | undefined {
  const goal = spawned_by && (input as { readonly goal?: unknown } | undefined)?.goal;
  return typeof goal === "string" ? goal : undefined;
}

/** The newest commit of the branch that the journal names: of a tool, or of a person's decision. */
async function lastCommit(
  store: Store,
  place: RunPlace,
  request: RunRequest,
  records: readonly StepRecord[],
): Promise<Oid | undefined> {
  const names: readonly string[] = branchTools;
  let questions = records.filter(({ name }) => name === ASK_HUMAN).length;
  for (const { name, output } of records.toReversed()) {
    const found = name === ASK_HUMAN ? await decisionCommit(store, place, request, questions--) : undefined;
    if (found !== undefined) return found;
    if (!names.includes(name) || typeof output !== "object" || output === null || !("commit" in output)) continue;
    if (typeof output.commit === "string" && isOid(output.commit)) return output.commit;
  }
  return undefined;
}

/** The decision commit on the n-th question of a run. A fork has the questions that it shares from its origin. */
async function decisionCommit(
  store: Store,
  { slug, run }: RunPlace,
  request: RunRequest,
  question: number,
): Promise<Oid | undefined> {
  const tag = String(question).padStart(2, "0");
  for (let at: string | undefined = run, asked: RunRequest | undefined = request; at !== undefined; ) {
    const answer = await answerOf(store, { slug, run: at }, requestIdOf(at, tag));
    if (answer) return answer.decision;
    at = (asked?.forked_from ?? asked?.moved_from)?.run;
    asked = at === undefined ? undefined : await requestAt(store, { slug, run: at });
  }
  return undefined;
}

const ASK_HUMAN = "ask-human";
const PROPOSE_MERGE = "propose-merge";

/**
 * S-11: the end of a run that worked on a branch: one proposal to merge it, as a step of the run. Nothing is proposed if the branch
 * changes nothing, or if the run did not come to its end: then the branch stays as it is, for the owner to look at.
 */
export async function proposeWork(
  flow: DurableFlow,
  context: ToolContext,
  workspace: Workspace,
  executed: Executed,
  request: RunRequest,
): Promise<Json | undefined> {
  if (!isFinished(executed)) return undefined;
  const { garden, language } = context;
  const { session } = workspace;
  if (request.spawned_by) return handOver(flow, context, workspace, request.spawned_by);
  return flow.step<Json>(
    PROPOSE_MERGE,
    { session },
    async (call) => {
      await workspace.refresh();
      const { head } = workspace;
      const base = await garden.repo.mergeBase(await headOf(garden.repo), head);
      const files = (await garden.repo.changes(base, head)).length;
      if (files === 0) return { proposal: "", status: "nothing", type: PROPOSE_MERGE };
      const asked = await askedWords(context);
      const made: string[] = [];
      const proposed = (id: string): void => {
        made.push(id);
        call.note({ proposals: [...made] });
      };
      return submitProposal(
        context,
        { key: call.key, signal: call.signal, proposed, waits: (seconds) => call.waits(seconds) },
        {
          action: PROPOSE_MERGE,
          payload: { session, head },
          summary: asked.summary ?? summaryOf(executed) ?? FILES[language](files),
          reasoning: asked.reason,
        },
      );
    },
    { kind: "tool" },
  );
}

/** A sub-agent proposes nothing: the run that asked for it merges this head, and proposes all of it. */
const handOver = (
  flow: DurableFlow,
  { garden }: ToolContext,
  workspace: Workspace,
  { run, at }: SpawnedBy,
): Promise<Json> =>
  flow.step<Json>(HAND_OVER, { session: workspace.session, to: run }, async () => {
    await workspace.refresh();
    const { head } = workspace;
    return { head, files: (await garden.repo.changes(at, head)).length };
  });

/** A run that reached its limit of turns has an outcome too (C-7). One that says that it failed, or is blocked, is not proposed. */
function isFinished(executed: Executed): boolean {
  if (executed.kind === "stopped") return executed.why === "turns" || executed.why === "no-answer";
  if (executed.kind !== "answered") return false;
  const said = statedOutcome(executed.text)?.kind;
  return said !== "blocked" && said !== "failed";
}

const MAX_SUMMARY = 200;

/** The last words of the agent, if they are one short line. */
function summaryOf(executed: Executed): string | undefined {
  const text = executed.kind === "answered" ? executed.text.trim() : "";
  return text === "" || text.length > MAX_SUMMARY || /\n|^NOOP\b/.test(text) ? undefined : text;
}

/** The words of the agent's own `create-proposal("propose-merge")`, which waits for the end of the run. */
async function askedWords({
  garden,
  slug,
  run,
}: ToolContext): Promise<{ readonly summary?: string; readonly reason?: string }> {
  const records = (await readJournal(garden.store, { slug, run }))?.records ?? [];
  const asked = records
    .toReversed()
    .map(({ name, input }) => (name === "create-proposal" ? (input as Readonly<Record<string, unknown>> | null) : null))
    .find((input) => input?.["type"] === PROPOSE_MERGE);
  const text = (field: string): string | undefined => (typeof asked?.[field] === "string" ? asked[field] : undefined);
  const [summary, reason] = [text("summary"), text("reason") ?? text("rationale")];
  return { ...(summary !== undefined && { summary }), ...(reason !== undefined && { reason }) };
}

const FILES = {
  en: (count: number): string => `Merge ${count} changed ${count === 1 ? "file" : "files"}`,
  uk: (count: number): string => `Злити змінені файли: ${count}`,
};
