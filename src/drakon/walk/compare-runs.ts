import { canonicalId } from "../../base/canonical.ts";
import type { Text } from "../../base/text.ts";
import type { RecordedAnswer, UnknownReason } from "./call-result.ts";
import type { Program } from "./frame.ts";
import { align, type Divergence, type Landmark, landmarksOf } from "./landmarks.ts";
import type { WalkInput } from "./machine.ts";
import { reachableIcons } from "./reachable-icons.ts";
import { type ReplayedEnd, type ReplayedWalk, type ReplayRules, retrace } from "./retrace.ts";

/** A recorded run, walked again with its recorded answers. Its end is `unknown` only if the run was cut off. */
export interface BaselineWalk {
  readonly program: Program;
  readonly input: WalkInput;
  readonly answers: readonly RecordedAnswer[];
  readonly walk: ReplayedWalk;
}

/** The path of a run under another program, as far as the recording determines it. */
export type RunComparison =
  /** The same requests in the same order, and the same end. `detours`: additional icons that made no request. */
  | { readonly kind: "same"; readonly detours: readonly Landmark[] }
  | { readonly kind: "parts"; readonly at: Landmark | undefined; readonly end: KnownEnd; readonly failure?: RunFailure }
  /** The failure that ended the run would not have happened. Without `end`, the recording does not determine the rest. */
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
      /** The icon with the first request that the recording cannot answer. */
      readonly asked: Landmark | undefined;
      readonly why: UnknownReason;
      readonly failure?: RunFailure;
    };

export type KnownEnd =
  | { readonly kind: "done" }
  | { readonly kind: "returned" }
  /** `endless`: the step limit was exceeded. */
  | { readonly kind: "failed" | "endless" | "stopped"; readonly icon: Landmark | undefined; readonly why: Text };

/** The failure that ended a run: of a call, or of the procedure itself. */
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

export function compareRun(was: BaselineWalk, program: Program, rules: ReplayRules): Compared {
  const walk = retrace(program, was.input, was.answers, rules);
  return { walk, comparison: comparisonOf(was, program, walk) };
}

/** Compares the walk of another program with the recorded one. */
export function comparisonOf(was: BaselineWalk, program: Program, walk: ReplayedWalk): RunComparison {
  const before = landmarksOf(was.program, was.walk.machine.trace, was.walk.asked);
  const path = landmarksOf(program, walk.machine.trace, walk.asked);
  const aligned = align({ program: was.program, path: before }, { program, path });
  const divergence = aligned.divergence ?? otherOrder(was.walk, walk, path);
  const { detours } = aligned;
  const failure = failureIn(was.walk.end, before);
  const { end } = walk;
  if (end.kind === "unknown") {
    // The recording itself is cut off at this request.
    if (!divergence) return { kind: "same", detours };
    const asked = landmarkOf(path, end.request);
    const unknown = { at: divergence.at ?? asked, asked, why: end.why };
    if (failure && isPast(failure, was, program, walk)) return { kind: "avoids", failure, ...unknown };
    return { kind: "cannot-tell", ...unknown, ...(failure && { failure }) };
  }
  if (!divergence && sameEnd(was.walk.end, end, before, path)) return { kind: "same", detours };
  const at = divergence?.at ?? detours.findLast(({ decides }) => decides) ?? path.at(-1);
  const known = knownEnd(end, path);
  const failsAgain = known.kind === "failed" || known.kind === "endless";
  if (failure && !failsAgain && !callsAgain(failure, was, walk)) return { kind: "avoids", at, failure, end: known };
  return { kind: "parts", at, end: known, ...(failure && { failure }) };
}

/** Parallel processes may pass the same icons but make their requests in another order. */
function otherOrder(was: ReplayedWalk, is: ReplayedWalk, path: readonly Landmark[]): Divergence | undefined {
  const length = Math.max(was.asked.length, is.asked.length);
  for (let index = 0; index < length; index++) {
    const request = is.asked[index];
    if (request?.sem === was.asked[index]?.sem) continue;
    const at = request ? landmarkOf(path, request) : path.at(-1);
    return { at, is: at, was: undefined };
  }
  return undefined;
}

const landmarkOf = (path: readonly Landmark[], { diagram, icon }: { diagram: string; icon: string }) =>
  path.findLast((one) => one.icon === icon && one.diagram === diagram);

/** The failure that ended the walk; undefined if it was stopped from outside. */
function failureIn(end: ReplayedEnd, path: readonly Landmark[]): RunFailure | undefined {
  if (end.kind === "failed") {
    const { code, message } = end.failure;
    const { name } = end.request;
    return { icon: landmarkOf(path, end.request), call: name, code, why: { en: message, uk: message } };
  }
  if (end.kind !== "ended" || end.end.kind !== "failed") return undefined;
  const { code, message, icon, diagram } = end.end.problem;
  const at = icon === undefined || diagram === undefined ? path.at(-1) : landmarkOf(path, { icon, diagram });
  return { icon: at, code, why: message };
}

function knownEnd(end: Exclude<ReplayedEnd, { kind: "unknown" }>, path: readonly Landmark[]): KnownEnd {
  if (end.kind === "stopped") return { kind: "stopped", icon: landmarkOf(path, end.request), why: end.why };
  if (end.kind === "ended" && end.end.kind !== "failed") return { kind: end.end.kind };
  const failure = failureIn(end, path)!;
  return { kind: failure.code === "step-limit" ? "endless" : "failed", icon: failure.icon, why: failure.why };
}

/** The call that failed in the recording was made again. */
const callsAgain = ({ call }: RunFailure, { walk: was }: BaselineWalk, walk: ReplayedWalk): boolean =>
  call !== undefined &&
  was.end.kind === "failed" &&
  walk.asked.some(({ sem }) => sem === (was.end as { request: { sem: string } }).request.sem);

/** No icon that is still reachable is the failed one, has its text, or mentions the failed tool. */
function isPast(failure: RunFailure, was: BaselineWalk, program: Program, walk: ReplayedWalk): boolean {
  const { icon, call } = failure;
  if (!icon || callsAgain(failure, was, walk)) return false;
  const texts = icon.label.split("\0");
  return reachableIcons(walk.machine, program).every(
    ({ icon: id, text }) =>
      id !== icon.icon &&
      !(texts.includes(text.trim()) && text.trim() !== "") &&
      (call === undefined || !text.includes(call)),
  );
}

function sameEnd(was: ReplayedEnd, is: ReplayedEnd, before: readonly Landmark[], path: readonly Landmark[]): boolean {
  if (was.kind !== is.kind) return false;
  if (was.kind !== "ended" || is.kind !== "ended") return true;
  if (was.end.kind !== is.end.kind) return false;
  if (was.end.kind === "returned" && is.end.kind === "returned")
    return canonicalId(was.end.value) === canonicalId(is.end.value);
  const [one, other] = [failureIn(was, before), failureIn(is, path)];
  return one?.code === other?.code && one?.icon?.label === other?.icon?.label;
}
