import type { Text } from "../../../base/text.ts";
import type { EvidenceRecord, EvidenceWalk, WalkAnswer } from "../../../domain/library/evidence-record.ts";
import type { TravellingBehaviour } from "../../../domain/library/travelling-behaviour.ts";
import { diagramsOfVersion } from "../../../drakon/called-logic.ts";
import type { CallResult } from "../../../drakon/walk/call-result.ts";
import { errorAnswer } from "../../../drakon/walk/error-answer.ts";
import type { Program } from "../../../drakon/walk/frame.ts";
import { MAX_RUN_STEPS } from "../../../drakon/walk/machine.ts";
import type { Request } from "../../../drakon/walk/request.ts";
import { type ReplayedEnd, type ReplayedWalk, type ReplayRules, walkProgram } from "../../../drakon/walk/retrace.ts";
import type { TraceEntry } from "../../../drakon/walk/walk-end.ts";
import { MAIN_DIAGRAM } from "../../records/agents/agent-diagrams.ts";
import { readProcedure } from "../../runs/execute/procedure.ts";

/** The program of a diagram file with its called diagrams; undefined if it cannot be carried out. */
export function travellingProgram(diagram: string): Program | undefined {
  const parts = diagramsOfVersion(diagram, MAIN_DIAGRAM, []);
  const reading = readProcedure({ generated_from: MAIN_DIAGRAM }, "", parts);
  return reading.kind === "procedure" ? reading.procedure.program : undefined;
}

/** Requests are made one at a time, so that the answers of a walk are one list. No effect is executed: every answer comes from the list. */
const ONE_BY_ONE: ReplayRules = {
  options: { maxSteps: MAX_RUN_STEPS },
  dependencyOf: () => ({ how: "drawn" }),
  nextBatch: (open) => open.slice(0, 1),
  derivedAnswer: ({ kind }) => (kind === "notify" ? null : undefined),
  errorAnswer: (program, request, { code }) => errorAnswer(program, request, { code, message: code }),
};

type EvidenceAnswer = CallResult | { readonly kind: "unknown"; readonly why: "cut-off" };

/** Walks a program with answers that are looked up for each request. */
export const walkOneByOne = (
  program: Program,
  input: EvidenceWalk["input"],
  answer: (request: Request) => EvidenceAnswer,
): ReplayedWalk => walkProgram(program, input, ONE_BY_ONE, answer);

export const askOf = ({ kind, name }: Pick<Request, "kind" | "name">): string => `${kind} ${name}`;

/** Trace entries as evidence lists them. */
export const passedIcons = (trace: readonly TraceEntry[]): string[] =>
  trace.map(({ icon, answer }) => (answer === undefined ? icon : `${icon}=${String(answer)}`));

/** Undefined for a walk that did not come to an end of its own. */
export const endOfWalk = (end: ReplayedEnd): EvidenceWalk["end"] | undefined =>
  end.kind === "ended"
    ? end.end.kind
    : end.kind === "unknown"
      ? undefined
      : end.kind === "failed"
        ? "failed"
        : "stopped";

/** How one record of the evidence fares here. */
export type EvidenceOutcome =
  | { readonly kind: "agrees" }
  /** There is only a verdict: the run cannot be replayed. */
  | { readonly kind: "verdict-only" }
  | { readonly kind: "differs"; readonly why: Text };

/** Replays every record. Its decisions must follow from the diagram alone. */
export function replayEvidence({ head, logic, records }: TravellingBehaviour): readonly EvidenceOutcome[] {
  const program = head.kind === "session-flow" ? travellingProgram(logic) : undefined;
  return records.map((record) => outcomeOf(program, record));
}

function outcomeOf(program: Program | undefined, record: EvidenceRecord): EvidenceOutcome {
  const differs = (why: Text): EvidenceOutcome => ({ kind: "differs", why });
  if (record.failed && record.verdict !== "bad") return differs(FAILED_AND_GOOD);
  const { walk } = record;
  if (!walk) return { kind: "verdict-only" };
  if (!program) return differs(NO_PROGRAM);
  let [next, stray]: [number, Text | undefined] = [0, undefined];
  const replayed = walkOneByOne(program, walk.input, (request) => {
    const answer = walk.answers[next++];
    if (!answer) return { kind: "unknown", why: "cut-off" };
    if (answer.ask !== askOf(request) || answer.icon !== request.icon) stray ??= otherRequest(next, answer, request);
    return stray ? { kind: "unknown", why: "cut-off" } : resultOf(answer);
  });
  if (stray) return differs(stray);
  const passed = passedIcons(replayed.machine.trace);
  const at = passed.findIndex((icon, index) => icon !== walk.path[index]);
  if (at >= 0) return differs(otherWay(at, walk.path[at] ?? "–", passed[at]!));
  if (passed.length < walk.path.length) return differs(otherWay(passed.length, walk.path[passed.length]!, "–"));
  const end = endOfWalk(replayed.end);
  if (end !== walk.end) return differs(otherEnd(walk.end, end ?? "?"));
  if (next < walk.answers.length) return differs(surplus(walk.answers.length - next));
  if (end === "failed" && !record.failed) return differs(FAILED_AND_GOOD);
  return { kind: "agrees" };
}

const resultOf = (answer: WalkAnswer): CallResult => {
  if ("value" in answer) return { kind: "value", value: answer.value };
  if ("failed" in answer) return { kind: "failure", failure: { code: answer.failed, message: answer.failed } };
  return { kind: "stopped", why: STOPPED };
};

const STOPPED: Text = { en: "the run stopped here", uk: "запуск тут зупинився" };
const NO_PROGRAM: Text = {
  en: "it has recorded decisions, but there is no diagram that they could follow",
  uk: "він має записані рішення, але немає діаграми, за якою їх прийнято",
};
const FAILED_AND_GOOD: Text = {
  en: "it failed, but does not count as bad",
  uk: "він зазнав невдачі, але не рахується як невдалий",
};
const otherRequest = (number: number, answer: WalkAnswer, request: Request): Text => ({
  en: `answer ${number} is to “${answer.ask}” at icon ${answer.icon}, but the diagram asks “${askOf(request)}” at icon ${request.icon}`,
  uk: `відповідь ${number} — на «${answer.ask}» в іконі ${answer.icon}, а діаграма питає «${askOf(request)}» в іконі ${request.icon}`,
});
const otherWay = (at: number, recorded: string, found: string): Text => ({
  en: `step ${at + 1} is recorded as ${recorded}, but ${found} follows from the diagram`,
  uk: `крок ${at + 1} записано як ${recorded}, а з діаграми випливає ${found}`,
});
const otherEnd = (recorded: string, found: string): Text => ({
  en: `its recorded end is ${recorded}, but ${found} follows from the diagram`,
  uk: `записано кінець ${recorded}, а з діаграми випливає ${found}`,
});
const surplus = (count: number): Text => ({
  en: `${count} recorded answers are to nothing that the diagram asks`,
  uk: `записаних відповідей, про які діаграма не питає: ${count}`,
});
