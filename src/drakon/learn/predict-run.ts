import type { Dependency, RecordedAnswer } from "../walk/call-result.ts";
import { proposalSubjects } from "../walk/derived-answer.ts";
import { errorAnswer } from "../walk/error-answer.ts";
import type { Program } from "../walk/frame.ts";
import type { Request } from "../walk/request.ts";
import { type ReplayRules, retrace } from "../walk/retrace.ts";
import { type Evidence, replayOptions, unaskedAnswer } from "./evidence.ts";
import { observe } from "./observation.ts";
import type { OnlyReads } from "./smells.ts";

/** Prediction of a recorded run under a changed program. */
export interface RunPrediction {
  /** `same`: same requests, same end. `ends`: different, and fully known. `unknown`: the recording lacks an answer. */
  readonly kind: "same" | "ends" | "unknown";
  /** It fails, as far as known. */
  readonly fails: boolean;
  /** The request that failed in the recording is not made, as far as known. */
  readonly avoids: boolean;
  /** Same end and same side effects; only reads may differ. */
  readonly alike: boolean;
  /** It makes a proposal; true also if unknown. */
  readonly proposes: boolean;
  /** Requests made, as far as known. */
  readonly asked: readonly Request[];
  /** Ids of requests no longer made, if the end is known. */
  readonly dropped: readonly string[];
}

/** True for requests without side effects: model calls, the clock and read-only tools. */
export const isLook = ({ kind, name }: Request, onlyReads: OnlyReads): boolean =>
  kind === "llm" || kind === "judge" || kind === "now" || (kind === "tool" && onlyReads(name));

/** Replays a recorded run under `program`. Undefined if the run cannot be replayed. */
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
    return { request, result: entry ? { kind: "value", value: entry.value } : { kind: "failure", failure: FAILED } };
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

/** Requests of the first run without an equal in the second. */
function notAsked(before: readonly Request[], now: readonly Request[]): Request[] {
  const left = new Map<string, number>();
  for (const { sem } of now) left.set(sem, (left.get(sem) ?? 0) + 1);
  return before.filter(({ sem }) => {
    const count = left.get(sem) ?? 0;
    left.set(sem, count - 1);
    return count <= 0;
  });
}

/** Replay policy: requests are answered one at a time, from the recording only. */
const carryingOf = (evidence: Evidence, onlyReads: OnlyReads): ReplayRules => ({
  options: replayOptions(evidence),
  dependencyOf: (request) => touchOf(request, onlyReads),
  nextBatch: (open) => open.slice(0, 1),
  derivedAnswer: (request, told, count) =>
    unaskedAnswer(
      request,
      told.slice(0, count).flatMap(({ request: before }) => proposalSubjects(before)),
    ),
  errorAnswer,
});

function touchOf(request: Request, onlyReads: OnlyReads): Dependency {
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
