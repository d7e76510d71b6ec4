import type { Text } from "../../../base/text.ts";
import { FOLLOWER } from "../../../domain/config/model-registry.ts";
import { isTool, servedBy } from "../../../domain/contract/tool.ts";
import type { CallResult, Dependency, RecordedAnswer } from "../../../drakon/walk/call-result.ts";
import { derivedValue, proposalSubjects, seededRandom } from "../../../drakon/walk/derived-answer.ts";
import { errorAnswer } from "../../../drakon/walk/error-answer.ts";
import { MAX_RUN_STEPS } from "../../../drakon/walk/machine.ts";
import type { Request } from "../../../drakon/walk/request.ts";
import type { Limit, ReplayRules } from "../../../drakon/walk/retrace.ts";
import { hasProposalId, isToolRequest } from "../../../drakon/walk/tool-request.ts";
import type { AgentProcedure } from "../../runs/execute/procedure.ts";
import type { RecordedJournal } from "./recorded-journal.ts";

/**
 * The rules of a run that determine its requests and answers: icon by icon (`flow`), or by the follower. Another procedure is replayed
 * under the same contract, tools, limits and budget.
 */
export function replayRules(recorded: RecordedJournal, procedure: AgentProcedure): ReplayRules {
  const { contract, argumentNames, brief } = recorded;
  const isFlow = contract.execution === "flow";
  return {
    options: { argumentNames, maxSteps: MAX_RUN_STEPS },
    dependencyOf: (request) => touchOf(recorded, request),
    nextBatch: isFlow ? flowWave(contract.budget) : (open) => open.slice(0, 1),
    derivedAnswer(request, told, count) {
      switch (request.kind) {
        case "notify":
          return null;
        case "llm":
          return derivedValue(request, proposedIn(told, count));
        // The follower gets the time in its briefing, and derives random numbers from the run id.
        case "now":
          return isFlow ? undefined : Date.parse(brief.began_at);
        case "random":
          return isFlow ? undefined : seededRandom(brief.told.run, request.id);
        default:
          return undefined;
      }
    },
    errorAnswer(program, request, { code, message, text }) {
      // without its reader an agent stops; its procedure cannot handle that error.
      if (!isToolRequest(request) || code === "NLM_UNAVAILABLE") return undefined;
      return errorAnswer(program, request, {
        code,
        message: isFlow ? (text?.[procedure.language] ?? message) : message,
      });
    },
    ...(isFlow && { limit: flowLimit(recorded) }),
    ...(isFlow && { isUnclear: tokensUnclear(recorded) }),
  };
}

/** All open requests together; people, timers and sub-agents alone and last; with a budget, model requests alone. */
function flowWave({ tokens, calls }: RecordedJournal["contract"]["budget"]): ReplayRules["nextBatch"] {
  const isBounded = tokens !== undefined || calls !== undefined;
  return (open) => {
    if (open.length < 2) return open;
    const together: Request[] = [];
    for (const request of open) {
      if (request.kind === "human" || request.kind === "sleep" || request.kind === "spawn") continue;
      if (isBounded && isPutToModel(request)) return together.length > 0 ? together : [request];
      together.push(request);
    }
    return together.length > 0 ? together : open.slice(0, 1);
  };
}

const isPutToModel = ({ kind }: Request): boolean => kind === "llm" || kind === "judge";

/**
 * The dependency of an answer. Reading tools answer at the commit that the run is pinned to (O-3a), independent of its own proposals. A
 * proposing tool depends on earlier proposals about the same target; about outside tools nothing is known.
 */
function touchOf({ granted, contract }: RecordedJournal, request: Request): Dependency {
  const { kind, name } = request;
  const isFlow = contract.execution === "flow";
  if (isToolRequest(request)) {
    if (!granted(name)) return { how: "absent" };
    if (kind === "human" || name === "notebooklm-query") return { how: "drawn" };
    if (isTool(name) && servedBy(name).length === 0) return { how: "constant" };
    return { how: "changes", scope: scopeOf(request) };
  }
  switch (kind) {
    case "llm":
    case "judge":
      return contract.model === FOLLOWER ? { how: "absent" } : { how: "drawn" };
    case "now":
    case "random":
      return { how: "moment" };
    case "sleep":
      return { how: isFlow ? "moment" : "absent" };
    default:
      return { how: "absent" };
  }
}

/** The target of a proposal: a note by its normalised file name, or memory; undefined if it is unknown. */
function scopeOf({ kind, name, payload }: Request): string | undefined {
  if (name === "write-memory" || name === "propose-memory-update") return "memory";
  if (kind !== "propose" || name !== "create-proposal") return undefined;
  const target = payload["path"] ?? payload["note"];
  if (typeof target !== "string") return undefined;
  const slug = target.slice(target.lastIndexOf("/") + 1).replace(/\.md$/i, "");
  return slug === "" ? undefined : `note ${slug.toLowerCase().normalize("NFC")}`;
}

const proposedIn = (told: readonly RecordedAnswer[], count: number): string[] =>
  told
    .slice(0, count)
    .flatMap(({ request, result: came }) =>
      came.kind === "value" && isToolRequest(request) && hasProposalId(came.value) ? proposalSubjects(request) : [],
    );

const callsIn = (told: readonly RecordedAnswer[]): number =>
  told.reduce((sum, { result: { cost } }) => sum + (cost?.calls ?? 0), 0);

const tokensIn = (told: readonly RecordedAnswer[]): number =>
  told.reduce((sum, { result: { cost } }) => sum + (cost?.tokens ?? 0), 0);

/** `max_steps` limits icons that go to the model, `budget.calls` all calls: both are known in advance (C-2a). */
function flowLimit({ contract }: RecordedJournal): NonNullable<ReplayRules["limit"]> {
  const { max_steps, budget } = contract;
  return (request, told) => {
    if (request.kind === "now" || request.kind === "random" || request.kind === "sleep") return undefined;
    const icons = isPutToModel(request)
      ? told.filter(({ request: { kind } }) => kind === "llm" || kind === "judge")
      : [];
    if (icons.length >= max_steps && isPutToModel(request)) return stops("max_steps", max_steps);
    if (budget.calls !== undefined && callsIn(told) >= budget.calls) return stops("budget.calls", budget.calls);
    return undefined;
  };
}

const stops = (limit: string, most: number): Limit => ({ kind: "stops", why: reached(limit, most) });

const reached = (limit: string, most: number): Text => ({
  en: `the run reached its limit: ${limit} ${most}`,
  uk: `досягнуто межі запуску: ${limit} ${most}`,
});

/** A recorded reply is certain only if no more tokens are used before it than in the recording. */
const tokensUnclear =
  ({ contract }: RecordedJournal) =>
  (_: Request, told: readonly RecordedAnswer[], { cost }: CallResult): boolean =>
    contract.budget.tokens !== undefined && cost !== undefined && tokensIn(told) > cost.before;

/**
 * The follower may need more turns or calls than its contract allows. The number of calls per turn is unknown; one turn per call is the
 * upper bound.
 */
export function mayExceedLimits({ contract }: RecordedJournal, told: readonly RecordedAnswer[]): boolean {
  const { execution, max_steps, budget } = contract;
  if (execution === "flow") return false;
  const calls = told.length;
  return calls + 1 > max_steps || (budget.calls !== undefined && 2 * calls + 1 > budget.calls);
}
