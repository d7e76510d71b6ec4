import { canonicalId } from "../../base/canonical.ts";
import type { Text } from "../../base/text.ts";
import type { RecordedAnswer, UnknownReason } from "./call-result.ts";
import type { Program } from "./frame.ts";
import { align, type Divergence, type Landmark, landmarksOf } from "./landmarks.ts";
import type { WalkInput } from "./machine.ts";
import { reachableIcons } from "./reachable-icons.ts";
import { type ReplayedEnd, type ReplayedWalk, type ReplayRules, retrace } from "./retrace.ts";

/** A run as it was: everything that was asked and told, and how it ended. `end` is never `unknown` but for one that was cut off. */
export interface BaselineWalk {
  readonly program: Program;
  readonly input: WalkInput;
  readonly answers: readonly RecordedAnswer[];
  readonly walk: ReplayedWalk;
}

/** How a run would have gone by another program, as far as its recording tells. */
export type RunComparison =
  /** The same was asked in the same order, and it ended alike. `detours`: icons passed in between that ask nobody anything. */
  | { readonly kind: "same"; readonly detours: readonly Landmark[] }
  | { readonly kind: "parts"; readonly at: Landmark | undefined; readonly end: KnownEnd; readonly failure?: RunFailure }
  /** It would not have come to the failure that ended it. Without an end, what comes then is not on record. */
  | {
      readonly kind: "avoids";
      readonly at: Landmark | undefined;
      readonly failure: RunFailure;
      readonly end?: KnownEnd;
      readonly asked?: Landmark | undefined;
      readonly why?: UnknownReason;
    }
  | {
      readonly kind: "cannot-tell";
      readonly at: Landmark | undefined;
      /** Where something is asked that the recording does not know. */
      readonly asked: Landmark | undefined;
      readonly why: UnknownReason;
      readonly failure?: RunFailure;
    };

export type KnownEnd =
  | { readonly kind: "done" }
  | { readonly kind: "returned" }
  /** `endless`: more steps than a run may take. */
  | { readonly kind: "failed" | "endless" | "stopped"; readonly icon: Landmark | undefined; readonly why: Text };

/** What ended a run as failed: a call, or the procedure itself. */
export interface RunFailure {
  readonly icon: Landmark | undefined;
  readonly call?: string;
  readonly code: string;
  readonly why: Text;
}

interface Compared {
  readonly comparison: RunComparison;
  readonly walk: ReplayedWalk;
}

export function compareRun(was: BaselineWalk, program: Program, carrying: ReplayRules): Compared {
  const carried = retrace(program, was.input, was.answers, carrying);
  return { walk: carried, comparison: comparisonOf(was, program, carried) };
}

/** How a walk compares to a run as it was. */
export function comparisonOf(was: BaselineWalk, program: Program, carried: ReplayedWalk): RunComparison {
  const before = landmarksOf(was.program, was.walk.machine.trace, was.walk.asked);
  const way = landmarksOf(program, carried.machine.trace, carried.asked);
  const aligned = align({ program: was.program, way: before }, { program, way });
  const parting = aligned.divergence ?? otherOrder(was.walk, carried, way);
  const { detours } = aligned;
  const failure = failureIn(was.walk.end, before);
  const { end } = carried;
  if (end.kind === "unknown") {
    // Cut off at the same request as the recording itself.
    if (!parting) return { kind: "same", detours };
    const asked = landmarkOf(way, end.request);
    const told = { at: parting.at ?? asked, asked, why: end.why };
    if (failure && isPast(failure, was, program, carried)) return { kind: "avoids", failure, ...told };
    return { kind: "cannot-tell", ...told, ...(failure && { failure }) };
  }
  if (!parting && sameEnd(was.walk.end, end, before, way)) return { kind: "same", detours };
  const at = parting?.at ?? detours.findLast(({ decides }) => decides) ?? way.at(-1);
  const known = knownEnd(end, way);
  const failedSo = known.kind === "failed" || known.kind === "endless";
  if (failure && !failedSo && !madeAgain(failure, was, carried)) return { kind: "avoids", at, failure, end: known };
  return { kind: "parts", at, end: known, ...(failure && { failure }) };
}

/** Where processes run side by side, the same icons may be passed while people and tools are asked in another order. */
function otherOrder(was: ReplayedWalk, is: ReplayedWalk, way: readonly Landmark[]): Divergence | undefined {
  const length = Math.max(was.asked.length, is.asked.length);
  for (let index = 0; index < length; index++) {
    const request = is.asked[index];
    if (request?.sem === was.asked[index]?.sem) continue;
    const at = request ? landmarkOf(way, request) : way.at(-1);
    return { at, is: at, was: undefined };
  }
  return undefined;
}

const landmarkOf = (way: readonly Landmark[], { diagram, icon }: { diagram: string; icon: string }) =>
  way.findLast((one) => one.icon === icon && one.diagram === diagram);

/** What ended it as failed; a run that was stopped from outside has no failure of its logic. */
function failureIn(end: ReplayedEnd, way: readonly Landmark[]): RunFailure | undefined {
  if (end.kind === "failed") {
    const { code, message } = end.failure;
    const { name } = end.request;
    return { icon: landmarkOf(way, end.request), call: name, code, why: { en: message, uk: message } };
  }
  if (end.kind !== "ended" || end.end.kind !== "failed") return undefined;
  const { code, message, icon, diagram } = end.end.problem;
  const place = icon === undefined || diagram === undefined ? way.at(-1) : landmarkOf(way, { icon, diagram });
  return { icon: place, code, why: message };
}

function knownEnd(end: Exclude<ReplayedEnd, { kind: "unknown" }>, way: readonly Landmark[]): KnownEnd {
  if (end.kind === "stopped") return { kind: "stopped", icon: landmarkOf(way, end.request), why: end.why };
  if (end.kind === "ended" && end.end.kind !== "failed") return { kind: end.end.kind };
  const failure = failureIn(end, way)!;
  return { kind: failure.code === "step-limit" ? "endless" : "failed", icon: failure.icon, why: failure.why };
}

/** The same call was made, and failed again: whatever the way, that failure was reached. */
const madeAgain = ({ call }: RunFailure, { walk: was }: BaselineWalk, carried: ReplayedWalk): boolean =>
  call !== undefined &&
  was.end.kind === "failed" &&
  carried.asked.some(({ sem }) => sem === (was.end as { request: { sem: string } }).request.sem);

/** Nothing that the walk may still come to is the icon that failed, says the same, or calls the tool that failed. */
function isPast(failure: RunFailure, was: BaselineWalk, program: Program, carried: ReplayedWalk): boolean {
  const { icon, call } = failure;
  if (!icon || madeAgain(failure, was, carried)) return false;
  const said = icon.label.split("\0");
  return reachableIcons(carried.machine, program).every(
    ({ icon: id, text }) =>
      id !== icon.icon &&
      !(said.includes(text.trim()) && text.trim() !== "") &&
      (call === undefined || !text.includes(call)),
  );
}

function sameEnd(was: ReplayedEnd, is: ReplayedEnd, before: readonly Landmark[], way: readonly Landmark[]): boolean {
  if (was.kind !== is.kind) return false;
  if (was.kind !== "ended" || is.kind !== "ended") return true;
  if (was.end.kind !== is.end.kind) return false;
  if (was.end.kind === "returned" && is.end.kind === "returned")
    return canonicalId(was.end.value) === canonicalId(is.end.value);
  const [one, other] = [failureIn(was, before), failureIn(is, way)];
  return one?.code === other?.code && one?.icon?.label === other?.icon?.label;
}
