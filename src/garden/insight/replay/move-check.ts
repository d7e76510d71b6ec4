import { canonicalId } from "../../../base/canonical.ts";
import type { Text } from "../../../base/text.ts";
import { FOLLOWER } from "../../../domain/config/model-registry.ts";
import type { IconPlace } from "../../../domain/logic/counterfactual-report.ts";
import { comparisonOf } from "../../../drakon/walk/compare-runs.ts";
import type { Request } from "../../../drakon/walk/request.ts";
import { type ReplayedWalk, retrace } from "../../../drakon/walk/retrace.ts";
import type { RunPlace } from "../../core/flow/journal.ts";
import type { Garden } from "../../core/garden.ts";
import type { RunBrief } from "../../runs/brief.ts";
import { comparisonInWords, iconPlaceIn, unknownReasons } from "./counterfactual-row.ts";
import { type RecordedJournal, recordingUnder } from "./recorded-journal.ts";
import { type RecordedRun, readHeldRun } from "./recorded-run.ts";
import { replayRules } from "./replay-rules.ts";

/** The path of a held run under the current logic version, up to its question. */
export interface MoveCheck {
  /** `same`: the same requests in the same order. `parts`: another path. `cannot-tell`: the recording does not determine it. */
  readonly kind: "same" | "parts" | "cannot-tell";
  /** The icon of the current version where the path parts, or that the recording cannot answer. */
  readonly at?: IconPlace;
  readonly why?: Text;
}

/** The replay check of a move, with the version that the run has and the one that it would get. */
export interface MovePlan extends MoveCheck {
  readonly from: string | null;
  readonly to: string | null;
}

/**
 * Replays the recording of a held run against the contract and diagrams of a briefing (O-3a). Writes nothing. Only a path that is a fact can
 * be the same: of a model that has the whole procedure there are only claims, and its replies were given to other instructions.
 */
export async function checkMove(garden: Garden, place: RunPlace, brief: RunBrief): Promise<MoveCheck> {
  const read = await readHeldRun(garden, place);
  if (read.kind === "unreadable") return unclear(read.why);
  const { run } = read;
  const { brief: before } = run.recorded;
  if (brief.fault) return unclear(brief.fault.text);
  const { told, began_at } = before;
  const reading = recordingUnder(garden, place, run.recorded, { ...brief, told, began_at });
  if (reading.kind === "unreadable") return unclear(reading.why);
  const current = reading.journal;
  const other = otherExecution(garden, place, run.recorded, current);
  if (other) return unclear(other);
  return run.carried ? replayed(run, run.carried, current) : unclear(CLAIMED);
}

const unclear = (why: Text): MoveCheck => ({ kind: "cannot-tell", why });

/** A change of the contract after which the recorded calls would not be made in the same way. */
function otherExecution(garden: Garden, place: RunPlace, was: RecordedJournal, is: RecordedJournal): Text | undefined {
  const wayOf = ({ contract }: RecordedJournal) => [contract.execution, contract.model === FOLLOWER];
  if (canonicalId(wayOf(was)) !== canonicalId(wayOf(is))) return OTHER_WAY;
  if (canonicalId([...was.contract.mcp]) !== canonicalId([...is.contract.mcp])) return OTHER_SERVERS;
  const granted = (under: RecordedJournal) => {
    const bare = recordingUnder(garden, place, { ...under, calls: [] }, under.brief);
    return (tool: string): boolean => bare.kind === "journal" && bare.journal.granted(tool);
  };
  const [before, now] = [granted(was), granted(is)];
  const lost = was.calls.find(({ kind, name }) => kind === "tool" && before(name) && !now(name));
  return lost && toolTaken(lost.name);
}

function replayed(run: RecordedRun, carried: ReplayedWalk, current: RecordedJournal): MoveCheck {
  const { procedure } = current;
  const { program, input } = run;
  const would = retrace(procedure.program, current.input, carried.answers, replayRules(current, procedure));
  const was = { program, input, answers: carried.answers, walk: carried };
  const comparison = comparisonOf(was, procedure.program, would);
  if (comparison.kind !== "same") {
    const { at, asked, why } = comparisonInWords(comparison, run.recorded.procedure, procedure);
    const place = at ?? asked;
    const kind = comparison.kind === "cannot-tell" ? "cannot-tell" : "parts";
    return { kind, ...(place && { at: place }), ...(why && { why }) };
  }
  const { end } = would;
  if (end.kind !== "unknown" || end.why === "limit")
    return { kind: "cannot-tell", ...(end.kind === "unknown" && placed(end.request)), why: unknownReasons.limit };
  const isFlow = current.contract.execution === "flow";
  const renumbered = would.asked.find(
    (request, index) => (!isFlow || IDENTIFIED.has(request.kind)) && request.id !== carried.asked[index]?.id,
  );
  return renumbered ? { kind: "cannot-tell", ...placed(renumbered), why: RENUMBERED } : { kind: "same" };

  function placed(request: Request): { readonly at: IconPlace } {
    return { at: iconPlaceIn(procedure, request) };
  }
}

/** Their records are found by the id of the request. The follower finds all its calls so. */
const IDENTIFIED: ReadonlySet<Request["kind"]> = new Set(["now", "random", "sleep"]);

const CLAIMED: Text = {
  en: "the path is only claimed by the model, and its replies belong to the earlier instructions",
  uk: "шлях відомий лише зі слів моделі, а її відповіді дано на попередні інструкції",
};
const OTHER_WAY: Text = {
  en: "the contract now has another `execution`, or another kind of model",
  uk: "у контракті тепер інший `execution` або інший рід моделі",
};
const OTHER_SERVERS: Text = {
  en: "the contract now has other `mcp` servers",
  uk: "у контракті тепер інші сервери `mcp`",
};
const RENUMBERED: Text = {
  en: "icons before it were added or removed, so its recorded answer cannot be found",
  uk: "перед нею додано чи прибрано ікони, тому її записаної відповіді не знайти",
};
const toolTaken = (tool: string): Text => ({
  en: `the run has called the tool ${tool}, which the contract no longer grants`,
  uk: `запуск викликав інструмент ${tool}, якого контракт більше не дає`,
});
