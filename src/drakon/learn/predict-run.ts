import type { RecordedAnswer, Touch } from "../walk/call-result.ts";
import { proposedFor } from "../walk/derived-answer.ts";
import { errorAnswer } from "../walk/error-answer.ts";
import type { Program } from "../walk/frame.ts";
import type { Request } from "../walk/request.ts";
import { type Carrying, retrace } from "../walk/retrace.ts";
import { type Evidence, unaskedAnswer, walkingOf } from "./evidence.ts";
import { observe } from "./observation.ts";
import type { OnlyReads } from "./smells.ts";

/** What a recorded run says about another diagram. */
export interface RunPrediction {
  /** `same`: the same is asked, and it ends alike. `ends`: otherwise, and all of it is known. `unknown`: the recording cannot tell. */
  readonly kind: "same" | "ends" | "unknown";
  /** How it ends, where that is known. */
  readonly fails: boolean;
  /** What failed then is not asked on the way, as far as it is known. */
  readonly avoids: boolean;
  /** It does the same to the world, as far as people can see, and only looks at less. */
  readonly alike: boolean;
  /** It comes to a proposal, or at least the recording does not know better. */
  readonly proposes: boolean;
  /** What is asked on the way, as far as it is known. */
  readonly asked: readonly Request[];
  /** Requests that are no longer made, where everything is known: their ids. */
  readonly dropped: readonly string[];
}

/** Whether something is only looked at or thought about. */
export const isLook = ({ kind, name }: Request, onlyReads: OnlyReads): boolean =>
  kind === "llm" || kind === "judge" || kind === "now" || (kind === "tool" && onlyReads(name));

/** Undefined for a run that cannot be walked again. */
export function predictRun(
  program: Program,
  evidence: Evidence,
  old: Program,
  onlyReads: OnlyReads,
): RunPrediction | undefined {
  const { input, journal, path } = evidence;
  const { requests } = observe(evidence, old);
  if (!input || !journal || path.certainty !== "fact" || requests.length < journal.length) return undefined;
  const recorded = requests.map((request, index): RecordedAnswer => {
    const entry = journal[index];
    return { request, told: entry ? { kind: "value", value: entry.value } : { kind: "failure", failure: FAILED } };
  });
  const { asked, end } = retrace(program, input, recorded, carryingOf(evidence, onlyReads));
  const failed = requests.length > journal.length ? requests.at(-1) : undefined;
  const avoids = path.status === "failed" && !asked.some(({ sem }) => sem === failed?.sem);
  if (end.kind === "unknown")
    return {
      kind: "unknown",
      fails: false,
      avoids,
      alike: false,
      proposes: true,
      asked: asked.slice(0, -1),
      dropped: [],
    };
  const fails = end.kind !== "ended" || end.end.kind === "failed";
  const endsAlike = fails === (path.status === "failed");
  const dropped = notAsked(requests, asked);
  const deeds = (all: readonly Request[]): string =>
    all.flatMap((one) => (isLook(one, onlyReads) ? [] : [one.sem])).join();
  const same = endsAlike && dropped.length === 0 && asked.length === requests.length;
  return {
    kind: same ? "same" : "ends",
    fails,
    avoids: avoids && !fails,
    alike: endsAlike && deeds(asked) === deeds(requests),
    proposes: asked.some(({ kind }) => kind === "propose"),
    asked,
    dropped: dropped.map(({ id }) => id),
  };
}

const FAILED = { code: "failed", message: "" } as const;

/** Requests of the one walk that have no equal in the other. */
function notAsked(before: readonly Request[], now: readonly Request[]): Request[] {
  const left = new Map<string, number>();
  for (const { sem } of now) left.set(sem, (left.get(sem) ?? 0) + 1);
  return before.filter(({ sem }) => {
    const count = left.get(sem) ?? 0;
    left.set(sem, count - 1);
    return count <= 0;
  });
}

/** One after the other, without limits: what a change is tried under before anybody is shown a report about it. */
const carryingOf = (evidence: Evidence, onlyReads: OnlyReads): Carrying => ({
  options: walkingOf(evidence),
  touchOf: (request) => touchOf(request, onlyReads),
  wave: (open) => open.slice(0, 1),
  follows: (request, told, count) =>
    unaskedAnswer(
      request,
      told.slice(0, count).flatMap(({ request: before }) => proposedFor(before)),
    ),
  errorAnswer,
});

function touchOf(request: Request, onlyReads: OnlyReads): Touch {
  switch (request.kind) {
    case "llm":
    case "judge":
    case "human":
      return { how: "drawn" };
    case "now":
    case "random":
      return { how: "moment" };
    case "tool":
      return { how: onlyReads(request.name) ? "reads" : "changes" };
    default:
      return { how: "changes" };
  }
}
