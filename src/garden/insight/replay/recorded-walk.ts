import type { Json } from "../../../base/canonical.ts";
import type { Text } from "../../../base/text.ts";
import { formedAnswer } from "../../../domain/run/answer-form.ts";
import {
  type ModelToolResult,
  modelToolResult,
  parseToolFailure,
  toolFailureText,
} from "../../../domain/run/model-tool-result.ts";
import { inputHash, type StepRecord } from "../../../domain/run/run-step.ts";
import { statedOutcome } from "../../../domain/run/stated-outcome.ts";
import type { CallCost, CallResult } from "../../../drakon/walk/call-result.ts";
import { callId } from "../../../drakon/walk/derived-answer.ts";
import type { Request } from "../../../drakon/walk/request.ts";
import { type ReplayedWalk, walkProgram } from "../../../drakon/walk/retrace.ts";
import { isToolRequest, toolAnswer, toolInput } from "../../../drakon/walk/tool-request.ts";
import { answerFormOf } from "../../runs/execute/icon-briefing.ts";
import { PathTally } from "./path-tally.ts";
import type { RecordedJournal } from "./recorded-journal.ts";
import { type RecordedTurn, recordedReplyText, type TurnCall, turnsOf } from "./recorded-turns.ts";
import { replayRules } from "./replay-rules.ts";

/** A run replayed with its recorded answers. */
export interface RecordedWalk {
  readonly carried: ReplayedWalk;
  readonly tally: PathTally;
  /** Set if the records do not fit the procedure: then the walk is not used. */
  readonly misfit: Text | undefined;
}

type Found = CallResult | { readonly kind: "unknown"; readonly why: "cut-off" };

/** The recording ends here: the run was stopped. */
const CUT_OFF: Found = { kind: "unknown", why: "cut-off" };

/** `execution: flow`: the interpreter requested every record in order, so the replay requests them in the same order. */
export function walkFlow(recorded: RecordedJournal): RecordedWalk {
  const acts = actsOf(recorded.calls);
  const noted: [Request, Act][] = [];
  let [next, used] = [0, 0];
  let misfit: Text | undefined;

  const answer = (request: Request): Found => {
    const act = misfit ? undefined : acts[next];
    if (!act) return CUT_OFF;
    if (!fits(recorded, request, act.first)) {
      misfit = misfitWords(act.first.position);
      return CUT_OFF;
    }
    next++;
    noted.push([request, act]);
    const cost = costOf(act, used);
    used += cost.tokens;
    return { ...toldIn(request, act), cost };
  };
  const carried = walkProgram(
    recorded.procedure.program,
    recorded.input,
    replayRules(recorded, recorded.procedure),
    answer,
  );
  const left = acts[next];
  const tally = new PathTally(carried.machine.trace);
  for (const [request, { first, more }] of noted)
    for (const record of [first, ...more]) tally.call(request, record, first.kind === "step" ? "aside" : undefined);
  return { carried, tally, misfit: misfit ?? (left && misfitWords(left.first.position)) };
}

/** One request of the walk with its records: a model is asked again if its reply has the wrong form. */
interface Act {
  readonly first: StepRecord;
  readonly more: StepRecord[];
}

function actsOf(calls: readonly StepRecord[]): Act[] {
  const acts: Act[] = [];
  for (const record of calls) {
    const turn = record.kind === "model" ? ((record.input as { readonly turn?: unknown } | null)?.turn ?? 1) : 1;
    const open =
      turn === 1 ? undefined : acts.findLast(({ first }) => first.kind === "model" && first.icon === record.icon);
    if (open) open.more.push(record);
    else acts.push({ first: record, more: [] });
  }
  return acts;
}

const ASIDE: Readonly<Record<string, string>> = { now: "clock", random: "chance", sleep: "sleep" };

function fits({ fieldsOf }: RecordedJournal, request: Request, { kind, name, icon, input_hash }: StepRecord): boolean {
  if (icon !== request.icon) return false;
  if (isToolRequest(request))
    return kind === "tool" && input_hash === inputHash(toolInput(request, fieldsOf(request.name)));
  return request.kind in ASIDE ? name === ASIDE[request.kind] : kind === "model";
}

const costOf = ({ first, more }: Act, before: number): CallCost => ({
  calls: first.kind === "step" ? 0 : 1 + more.length,
  tokens: [first, ...more].reduce((sum, { tokens }) => sum + (tokens?.input ?? 0) + (tokens?.output ?? 0), 0),
  before,
});

function toldIn(request: Request, { first, more }: Act): CallResult {
  const last = more.at(-1) ?? first;
  if (last.failure) {
    const { code, text } = last.failure;
    return { kind: "failure", failure: { code, message: text.en, text } };
  }
  const output = last.output as Json;
  if (last.kind === "tool") return { kind: "value", value: toolAnswer(request, output) };
  if (last.kind === "step") return { kind: "value", value: request.kind === "sleep" ? { wokeAt: output } : output };
  const text = recordedReplyText(last);
  const blocked = statedOutcome(text);
  if (blocked?.kind === "blocked") return { kind: "stopped", why: { en: blocked.reason, uk: blocked.reason } };
  const formed = formedAnswer(answerFormOf(request), text);
  return formed.kind === "value" ? { kind: "value", value: formed.value } : { kind: "stopped", why: MALFORMED };
}

const MALFORMED: Text = {
  en: "the model did not answer in the form that was asked for",
  uk: "модель не відповіла в потрібній формі",
};

/** The follower: call ids are derived from the requests, so results are found by id. */
export function walkFollower(recorded: RecordedJournal): RecordedWalk {
  const turns = turnsOf(recorded.calls);
  const made = new Map(turns.flatMap((turn) => turn.calls.map((call) => [call.id, { turn, call }] as const)));
  const results = resultsIn(turns);
  const noted: [Request, StepRecord][] = [];
  const [counted, used] = [new Set<RecordedTurn>(), new Set<TurnCall>()];
  const answer = (request: Request): Found => {
    const found = made.get(callId(request));
    const result = found && results.get(found.call.id);
    if (!found) return CUT_OFF;
    const { turn, call } = found;
    if (!counted.has(turn)) noted.push([request, turn.model]);
    counted.add(turn);
    used.add(call);
    if (call.record) noted.push([request, call.record]);
    if (!result) return CUT_OFF;
    const cost: CallCost = { calls: 1, tokens: 0, before: 0 };
    if ("value" in result) return { kind: "value", value: toolAnswer(request, result.value), cost };
    return { kind: "failure", failure: result.error, cost };
  };
  const carried = walkProgram(
    recorded.procedure.program,
    recorded.input,
    replayRules(recorded, recorded.procedure),
    answer,
  );
  const tally = new PathTally(carried.machine.trace);
  for (const [request, record] of noted) tally.call(request, record);
  if (carried.end.kind === "failed") tally.failed(carried.end.request);
  for (const turn of turns) if (!counted.has(turn)) tally.last(turn.model);
  return { carried, tally, misfit: strayCall(turns, used, carried) };
}

/** A recorded call that the replay did not request. Calls of the last turn of a failed run are ignored: they were made in parallel. */
function strayCall(
  turns: readonly RecordedTurn[],
  used: ReadonlySet<TurnCall>,
  { end }: ReplayedWalk,
): Text | undefined {
  const lastTurn = turns.findLast(({ calls }) => calls.length > 0);
  for (const turn of turns) {
    const stray = turn.calls.find((call) => call.record && !used.has(call));
    if (stray && !(turn === lastTurn && end.kind !== "ended")) return misfitWords(stray.record!.position);
  }
  return undefined;
}

/** The result of each call as the next turn shows it; without a next turn, from the record of the call. */
function resultsIn(turns: readonly RecordedTurn[]): ReadonlyMap<string, ModelToolResult> {
  const told = new Map<string, ModelToolResult>();
  for (const { calls } of turns)
    for (const { id, record } of calls) {
      if (record?.failure) told.set(id, parseToolFailure(toolFailureText(record.failure)));
      else if (record?.output !== undefined) told.set(id, modelToolResult(record.output));
    }
  for (const { results } of turns)
    for (const { call, result, failure } of results)
      told.set(call, failure === undefined ? modelToolResult(result ?? null) : parseToolFailure(failure));
  return told;
}

const misfitWords = (position: number): Text => ({
  en: `step ${position} does not match the procedure that the run followed`,
  uk: `крок ${position} — не те, про що там питає процедура, за якою він ішов`,
});
