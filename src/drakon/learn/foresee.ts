import type { Program } from "../walk/frame.ts";
import type { Request } from "../walk/request.ts";
import type { Evidence } from "./evidence.ts";
import { observe } from "./observation.ts";
import { reuseAnswers } from "./reuse.ts";
import type { OnlyReads } from "./smells.ts";

/**
 * What a recorded run says about another diagram. `same`: the same is asked in the same order, and it ends alike. `ends`: it ends
 * otherwise, and every answer on the way is known. `unknown`: something is asked that nobody answered then, or that may be answered
 * otherwise now.
 */
export interface Foreseen {
  readonly kind: "same" | "ends" | "unknown";
  /** How it ends, where that is known. */
  readonly fails: boolean;
  /** What failed then is not asked on the way, as far as it is known. */
  readonly avoids: boolean;
  /** It does the same to the world, as far as people can see, and only looks at less. */
  readonly alike: boolean;
  /** It comes to a proposal, or at least the recording does not know better. */
  readonly proposes: boolean;
  /** Requests that are no longer made, where everything is known: their ids. */
  readonly dropped: readonly string[];
}

const reading = ({ kind, name }: Request, onlyReads: OnlyReads): boolean =>
  kind === "llm" || kind === "judge" || kind === "now" || (kind === "tool" && onlyReads(name));

/** Undefined for a run that cannot be walked again. */
export function foresee(
  program: Program,
  evidence: Evidence,
  old: Program,
  onlyReads: OnlyReads,
): Foreseen | undefined {
  const { input, journal, path } = evidence;
  const { requests } = observe(evidence, old);
  if (!input || !journal || path.certainty !== "fact" || requests.length < journal.length) return undefined;
  const told = reuseAnswers(program, input, journal);
  const failed = requests.length > journal.length ? requests.at(-1)! : undefined;
  const places = new Map(journal.map((entry, index) => [entry.id, index]));
  // An answer counts only while everything that changes the world has happened as it had then.
  let next = 0;
  let sound = true;
  for (const { id } of told.reused) {
    const at = places.get(id)!;
    if (at < next || requests.slice(next, at).some((one) => !reading(one, onlyReads))) sound = false;
    next = Math.max(next, at + 1);
  }
  const again = failed !== undefined && told.firstNew?.sem === failed.sem && told.firstNew.kind === failed.kind;
  const reachesFailure = again && requests.slice(next, journal.length).every((one) => reading(one, onlyReads));
  const avoids = failed === undefined ? path.status === "failed" : !again;
  const used = new Set(told.reused.map(({ id }) => id));
  const dropped = journal.flatMap(({ id }) => (used.has(id) ? [] : [id]));
  if (!sound || (told.firstNew && !reachesFailure))
    return { kind: "unknown", fails: false, avoids, alike: false, proposes: true, dropped: [] };
  const fails = reachesFailure || told.end?.kind === "failed";
  const endsAlike = fails === (path.status === "failed");
  const alike = endsAlike && requests.every((one) => used.has(one.id) || one === failed || reading(one, onlyReads));
  const proposes = requests.some((one) => one.kind === "propose" && used.has(one.id));
  const kind = endsAlike && dropped.length === 0 ? "same" : "ends";
  return { kind, fails, avoids: avoids && !fails, alike, proposes, dropped };
}
