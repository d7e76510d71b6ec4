import {
  type CallResult,
  type Dependency,
  type RecordedAnswer,
  sameResult,
  type UnknownReason,
} from "./call-result.ts";
import type { Request } from "./request.ts";

type Found = CallResult | { readonly kind: "unknown"; readonly why: UnknownReason };

interface Change {
  readonly sem: string;
  readonly result: CallResult;
  /** Number of earlier changes without a scope. */
  readonly globals: number;
  /** Index among all changes. */
  readonly order: number;
}

/** The recorded results of equal requests at one state, in order. */
interface Line {
  readonly results: CallResult[];
  /** All results are equal. */
  alike: boolean;
  next: number;
}

/** The scope of requests that depend on every change. */
const ALL = "";

/**
 * Answers the requests of a different walk from a recording, where the recording determines them. Changes are numbered overall
 * and per scope: a walk that made the same changes of a scope, and the same changes without a scope, in the same order sees that
 * scope in the recorded state.
 */
export class RecordedAnswers {
  readonly #dependencyOf: (request: Request) => Dependency;
  readonly #sems: readonly string[];
  readonly #answers: readonly RecordedAnswer[];
  readonly #lines = new Map<string, Line>();
  readonly #changes = new Map<string, Change[]>();
  /** Number of changes per scope that this walk has made. */
  readonly #changeCounts = new Map<string, number>();
  /** Number of changes made, while they are a prefix of the recorded ones; then undefined. */
  #order: number | undefined = 0;
  /** Number of requests made, while they are a prefix of the recorded ones; then undefined. */
  #inStep: number | undefined = 0;

  constructor(recorded: readonly RecordedAnswer[], dependencyOf: (request: Request) => Dependency) {
    this.#dependencyOf = dependencyOf;
    this.#answers = recorded;
    this.#sems = recorded.map(({ request }) => request.sem);
    const counts = new Map<string, number>();
    let order = 0;
    const count = (scope: string): number => counts.get(scope) ?? 0;
    for (const { request, result } of recorded) {
      const dependency = dependencyOf(request);
      if (dependency.how === "changes") {
        const { scope = ALL } = dependency;
        const change = { sem: request.sem, result, globals: count(ALL), order: order++ };
        const known = this.#changes.get(scope);
        if (known) known.push(change);
        else this.#changes.set(scope, [change]);
        counts.set(scope, count(scope) + 1);
        continue;
      }
      const key = lineKey(request, dependency, stateIn(dependency, count, order));
      const line = this.#lines.get(key);
      if (!line) this.#lines.set(key, { results: [result], alike: true, next: 0 });
      else {
        line.alike &&= sameResult(line.results[0]!, result);
        line.results.push(result);
      }
    }
  }

  /**
   * The result of a request, or why it is unknown. `beside` are the requests started earlier and still open: with a dependent one
   * among them the order is unknown.
   */
  take(request: Request, beside: readonly Request[]): Found {
    const dependency = this.#dependencyOf(request);
    const races = beside.some((other) => areDependent(this.#dependencyOf(other), dependency));
    const found = races && !this.#isNext(request) ? unknown("other-state") : this.#found(request, dependency);
    this.#inStep = this.#isNext(request) ? this.#inStep! + 1 : undefined;
    return found;
  }

  #isNext({ sem }: Request): boolean {
    return this.#inStep !== undefined && this.#sems[this.#inStep] === sem;
  }

  #found(request: Request, dependency: Dependency): Found {
    switch (dependency.how) {
      case "absent":
        return unknown("not-asked");
      case "moment":
        return this.#isNext(request) ? this.#answers[this.#inStep!]!.result : unknown("moment");
      case "changes":
        return this.#change(request.sem, dependency.scope ?? ALL);
      case "constant":
      case "drawn":
      case "reads": {
        if (dependency.how === "reads" && dependency.scope === undefined && this.#order === undefined)
          return this.#elsewhere(request.sem);
        const state = stateIn(dependency, (scope) => this.#count(scope), this.#order ?? 0);
        const line = this.#lines.get(lineKey(request, dependency, state));
        if (!line) return this.#elsewhere(request.sem);
        const again = dependency.how !== "drawn" && line.alike;
        const result = line.results[line.next] ?? (again ? line.results[0] : undefined);
        line.next++;
        return result ?? unknown("again");
      }
    }
  }

  #change(sem: string, scope: string): Found {
    const count = this.#count(scope);
    const next = this.#changes.get(scope)?.[count];
    if (next?.sem !== sem || next.globals !== this.#count(ALL)) return this.#elsewhere(sem);
    // A change without a scope depends on the order of all changes.
    if (scope === ALL && next.order !== this.#order) return unknown("other-state");
    this.#changeCounts.set(scope, count + 1);
    this.#order = this.#order === next.order ? next.order + 1 : undefined;
    return next.result;
  }

  #count(scope: string): number {
    return this.#changeCounts.get(scope) ?? 0;
  }

  #elsewhere(sem: string): Found {
    return unknown(this.#sems.includes(sem) ? "other-state" : "not-asked");
  }
}

/** One of the two may influence the other. */
function areDependent(one: Dependency, other: Dependency): boolean {
  if (one.how !== "changes" && other.how !== "changes") return false;
  if (![one, other].every(({ how }) => how === "changes" || how === "reads")) return false;
  const [a, b] = [scopeOf(one), scopeOf(other)];
  return a === ALL || b === ALL || a === b;
}

const scopeOf = (dependency: Dependency): string => ("scope" in dependency ? (dependency.scope ?? ALL) : ALL);

/** The key of the state that an answer depends on. */
function stateIn(dependency: Dependency, count: (scope: string) => number, order: number): string {
  if (dependency.how !== "reads") return "";
  return dependency.scope === undefined ? `${order}` : `${dependency.scope}\0${count(dependency.scope)}\0${count(ALL)}`;
}

const lineKey = ({ sem, kind }: Request, { how }: Dependency, state: string): string =>
  `${how}\0${kind}\0${sem}\0${state}`;

const unknown = (why: UnknownReason): Found => ({ kind: "unknown", why });
