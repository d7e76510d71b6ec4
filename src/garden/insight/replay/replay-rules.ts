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
 * How a run was carried out, as far as it decides what is asked and answered: icon by icon (`flow`), or by the follower. A procedure
 * other than its own is carried out under the same contract, with the same tools, limits and budget.
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
        // The follower is told the time, and draws from what it is told.
        case "now":
          return isFlow ? undefined : Date.parse(brief.began_at);
        case "random":
          return isFlow ? undefined : seededRandom(brief.told.run, request.id);
        default:
          return undefined;
      }
    },
    errorAnswer(program, request, { code, message, text }) {
      // without its reader an agent does not go on, whatever its procedure says.
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

/** Everything that is open at once; people and timers alone and last; what goes to a model under a budget alone. */
function flowWave({ tokens, calls }: RecordedJournal["contract"]["budget"]): ReplayRules["nextBatch"] {
  const isBounded = tokens !== undefined || calls !== undefined;
  return (open) => {
    if (open.length < 2) return open;
    const together: Request[] = [];
    for (const request of open) {
      if (request.kind === "human" || request.kind === "sleep") continue;
      if (isBounded && isPutToModel(request)) return together.length > 0 ? together : [request];
      together.push(request);
    }
    return together.length > 0 ? together : open.slice(0, 1);
  };
}

const isPutToModel = ({ kind }: Request): boolean => kind === "llm" || kind === "judge";

/**
 * What an answer hangs on. Tools that read the garden answer at the commit that the run is pinned to (O-3a), whatever it proposed since.
 * What proposes is judged by what was proposed before about the same thing; about tools of other people's servers nothing is known.
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

/** A note, by the name that every way of writing it has in common; memory; undefined where the target is not plain to see. */
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

/** `max_steps` counts icons that are put to the model, `budget.calls` all calls: both are known beforehand (C-2a). */
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
  en: `the limit of the run is reached: ${limit} ${most}`,
  uk: `досягнуто межі запуску: ${limit} ${most}`,
});

/** A reply that came when fewer tokens had been used comes again when no more are. */
const tokensUnclear =
  ({ contract }: RecordedJournal) =>
  (_: Request, told: readonly RecordedAnswer[], { cost }: CallResult): boolean =>
    contract.budget.tokens !== undefined && cost !== undefined && tokensIn(told) > cost.before;

/**
 * Whether the follower may need more turns, or calls, than its contract lets it have. How many calls it makes in a turn depends on what
 * its procedure needs next; that it needs no more than one turn for each is certain.
 */
export function mayExceedLimits({ contract }: RecordedJournal, told: readonly RecordedAnswer[]): boolean {
  const { execution, max_steps, budget } = contract;
  if (execution === "flow") return false;
  const calls = told.length;
  return calls + 1 > max_steps || (budget.calls !== undefined && 2 * calls + 1 > budget.calls);
}
