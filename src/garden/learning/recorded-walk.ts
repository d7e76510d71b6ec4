import type { Json } from "../../base/canonical.ts";
import { failureFromRecord } from "../../base/failure.ts";
import type { Text } from "../../base/text.ts";
import { formedAnswer } from "../../domain/answer-form.ts";
import { lastWordsIn } from "../../domain/last-words.ts";
import { inputHash, type StepRecord } from "../../domain/run-step.ts";
import { toldFailure, toldValue } from "../../domain/told-result.ts";
import { errorAnswer } from "../../drakon/walk/error-branch.ts";
import { callId, drawnFrom, followingValue, proposedFor } from "../../drakon/walk/known-answer.ts";
import { MAX_RUN_STEPS, Machine } from "../../drakon/walk/machine.ts";
import { answerFault, answerTo, type JournalEntry, type Request } from "../../drakon/walk/request.ts";
import { isEffect, isToolRequest, toolAnswer, toolInput } from "../../drakon/walk/tool-request.ts";
import { callEnd } from "../../ports/runtime.ts";
import { formOf } from "../execute/one-icon.ts";
import { PathTally } from "./path-tally.ts";
import type { RecordedJournal } from "./recorded-journal.ts";
import { type Turn, textOf, turnsOf } from "./recorded-turns.ts";

/** A run walked again with what was recorded: every answer with where it was given, and what was asked last without one. */
export interface RecordedWalk {
  readonly machine: Machine;
  readonly journal: readonly JournalEntry[];
  readonly tally: PathTally;
  /** What nobody answered: there the run was stopped, or a call failed. */
  readonly stoppedAt: Request | undefined;
  /** The records do not fit the walk: nothing is claimed then. */
  readonly misfit: Text | undefined;
}

type Known =
  | { readonly kind: "value"; readonly value: Json }
  | { readonly kind: "stopped" }
  | { readonly kind: "misfit"; readonly position: number };

const STOPPED: Known = { kind: "stopped" };
const value = (of: Json): Known => ({ kind: "value", value: of });

/** `execution: flow`: the interpreter asked for every record, in order, so that it asks for them in the same order now. */
export const walkFlow = (recorded: RecordedJournal): RecordedWalk => {
  const { calls, fieldsOf } = recorded;
  let next = 0;

  const tool = (request: Request): Known => {
    const record = calls[next];
    if (!record) return STOPPED;
    const { name, input_hash, icon } = record;
    const fits = record.kind === "tool" && icon === request.icon && name !== "";
    if (!fits || input_hash !== inputHash(toolInput(request, fieldsOf(request.name)))) return misfitAt(record);
    next++;
    walk.tally.call(request, record);
    if (record.failure) return failedCall(recorded, request, record.failure);
    return value(toolAnswer(request, record.output as Json));
  };

  /** Every act with the model begins with turn 1; a reply in the wrong form is asked for once more. */
  const model = (request: Request): Known => {
    const turns: StepRecord[] = [];
    for (let record = calls[next]; record?.kind === "model"; record = calls[next]) {
      if (turns.length > 0 && turnIn(record) === 1) break;
      if (record.icon !== request.icon) return misfitAt(record);
      turns.push(record);
      next++;
    }
    for (const record of turns) walk.tally.call(request, record);
    const last = turns.at(-1);
    if (!last || last.failure) return calls[next] && !last ? misfitAt(calls[next]!) : STOPPED;
    const text = textOf(last);
    if (lastWordsIn(text)?.kind === "blocked") return STOPPED;
    const formed = formedAnswer(formOf(request), text);
    return formed.kind === "value" ? value(formed.value) : STOPPED;
  };

  const aside = (name: string, request: Request): Known => {
    const record = calls[next];
    if (!record) return STOPPED;
    if (record.name !== name || record.icon !== request.icon) return misfitAt(record);
    next++;
    walk.tally.call(request, record, "aside");
    if (record.failure) return STOPPED;
    return value(name === "sleep" ? { wokeAt: record.output as Json } : (record.output as Json));
  };

  const walk = new Walk(recorded);
  return walk.toEnd({
    // People and timers last, as the flow asks them.
    choose: (pending) => pending.find(({ kind }) => kind !== "human" && kind !== "sleep") ?? pending[0],
    known: (request) => {
      if (isToolRequest(request)) return tool(request);
      switch (request.kind) {
        case "llm":
        case "judge": {
          const following = followingValue(request, walk.proposed);
          return following === undefined ? model(request) : value(following);
        }
        case "now":
          return aside("clock", request);
        case "random":
          return aside("chance", request);
        case "sleep":
          return aside("sleep", request);
        case "notify":
          return value(null);
        default:
          return STOPPED;
      }
    },
    rest: () => calls[next],
  });
};

/** The follower: its calls are named after what the walk asked for, so that results are found by name. */
export function walkFollower(recorded: RecordedJournal): RecordedWalk {
  const turns = turnsOf(recorded.calls);
  const made = new Map(turns.flatMap((turn) => turn.calls.map((call) => [call.id, { turn, call }] as const)));
  const told = toldIn(turns);
  const { brief } = recorded;
  const walk = new Walk(recorded);
  const counted = new Set<Turn>();
  const walked = walk.toEnd({
    choose: ([oldest]) => oldest,
    known: (request) => {
      switch (request.kind) {
        case "now":
          return value(Date.parse(brief.began_at));
        case "random":
          return value(drawnFrom(brief.told.run, request.id));
        case "notify":
          return value(null);
        case "llm": {
          const following = followingValue(request, walk.proposed);
          return following === undefined ? STOPPED : value(following);
        }
        default: {
          const found = made.get(callId(request));
          if (!found) return STOPPED;
          const { turn, call } = found;
          if (!counted.has(turn)) walk.tally.call(request, turn.model);
          counted.add(turn);
          if (call.record) walk.tally.call(request, call.record);
          const result = told.get(call.id);
          if (!result) return STOPPED;
          if ("value" in result) return value(toolAnswer(request, result.value));
          walk.tally.failed(request);
          const answer = errorAnswer(recorded.procedure.program, request, result.error);
          return answer === undefined ? STOPPED : value(answer);
        }
      }
    },
    rest: () => undefined,
  });
  for (const turn of turns) if (!counted.has(turn)) walk.tally.last(turn.model);
  const unasked = turns.flatMap(({ calls }) => calls).find(({ record }) => record && !walk.tally.has(record));
  return unasked ? { ...walked, misfit: misfitWords(unasked.record!.position) } : walked;
}

/** What each call came to, as it was told with the next turn; what nobody was told any more, from the record of the call. */
function toldIn(turns: readonly Turn[]): ReadonlyMap<string, ReturnType<typeof toldValue>> {
  const told = new Map<string, ReturnType<typeof toldValue>>();
  for (const { calls } of turns)
    for (const { id, record } of calls) {
      if (record?.output !== undefined) told.set(id, toldValue(record.output));
    }
  for (const { results } of turns)
    for (const { call, result, failure } of results)
      told.set(call, failure === undefined ? toldValue(result ?? null) : toldFailure(failure));
  return told;
}

const turnIn = ({ input }: StepRecord): unknown => (input as { readonly turn?: unknown } | null)?.turn;

const misfitAt = ({ position }: StepRecord): Known => ({ kind: "misfit", position });

const misfitWords = (position: number): Text => ({
  en: `step ${position} is not what the procedure that it followed asks for there`,
  uk: `крок ${position} — не те, про що там питає процедура, за якою він ішов`,
});

function failedCall(
  { procedure, brief }: RecordedJournal,
  request: Request,
  failure: NonNullable<StepRecord["failure"]>,
): Known {
  if (callEnd(failureFromRecord(failure)) !== undefined) return STOPPED;
  const { code, text } = failure;
  const answer = errorAnswer(procedure.program, request, { code, message: text[procedure.language ?? brief.language] });
  return answer === undefined ? STOPPED : value(answer);
}

interface Steps {
  readonly choose: (pending: readonly Request[]) => Request | undefined;
  readonly known: (request: Request) => Known;
  /** What is left on record when the walk has come to its end. */
  readonly rest: () => StepRecord | undefined;
}

class Walk {
  readonly machine: Machine;
  readonly tally: PathTally;
  /** What was proposed for, as lists that are kept are made from it. */
  readonly proposed: string[] = [];

  constructor({ procedure, input, argumentNames }: RecordedJournal) {
    this.machine = new Machine(procedure.program, input, { argumentNames, maxSteps: MAX_RUN_STEPS });
    this.tally = new PathTally(this.machine.trace);
  }

  toEnd({ choose, known, rest }: Steps): RecordedWalk {
    const { machine, tally } = this;
    const journal: JournalEntry[] = [];
    const over = (stoppedAt?: Request, misfit?: Text): RecordedWalk => ({ machine, journal, tally, stoppedAt, misfit });
    for (;;) {
      const request = choose(machine.requests);
      if (!request) break;
      const found = known(request);
      if (found.kind === "misfit") return over(request, misfitWords(found.position));
      if (found.kind === "stopped" || answerFault(request, found.value)) {
        const left = rest();
        return over(request, left && misfitWords(left.position));
      }
      if (isEffect(found.value) && isToolRequest(request)) this.proposed.push(...proposedFor(request));
      const entry = answerTo(request, found.value);
      journal.push(entry);
      machine.answer(entry, journal.length - 1);
    }
    const left = rest();
    return over(undefined, left && misfitWords(left.position));
  }
}
