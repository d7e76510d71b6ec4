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
  readonly told: CallResult;
  /** How many changes without a scope came before. */
  readonly globals: number;
  /** Its number among all changes. */
  readonly order: number;
}

/** Equal questions at one state, in the order in which they were answered. */
interface Line {
  readonly told: CallResult[];
  /** All of them were answered alike. */
  alike: boolean;
  next: number;
}

/** Everything. */
const ALL = "";

/**
 * What a recording knows, for somebody who goes another way through it. Changes are numbered, in all and within their scope; a walk
 * that has made the same changes of a scope in the same order, and those without a scope among them, finds that scope as it was.
 */
export class RecordedAnswers {
  readonly #touchOf: (request: Request) => Dependency;
  readonly #sems: readonly string[];
  readonly #answers: readonly RecordedAnswer[];
  readonly #lines = new Map<string, Line>();
  readonly #changes = new Map<string, Change[]>();
  /** How many changes of each scope this walk has made. */
  readonly #made = new Map<string, number>();
  /** How many changes it made, as long as they are the first ones of the recording in their order; else undefined. */
  #order: number | undefined = 0;
  /** How many requests came exactly as recorded; undefined since the first that did not. */
  #inStep: number | undefined = 0;

  constructor(recorded: readonly RecordedAnswer[], touchOf: (request: Request) => Dependency) {
    this.#touchOf = touchOf;
    this.#answers = recorded;
    this.#sems = recorded.map(({ request }) => request.sem);
    const counts = new Map<string, number>();
    let order = 0;
    const count = (scope: string): number => counts.get(scope) ?? 0;
    for (const { request, result: told } of recorded) {
      const touch = touchOf(request);
      if (touch.how === "changes") {
        const { scope = ALL } = touch;
        const change = { sem: request.sem, told, globals: count(ALL), order: order++ };
        const known = this.#changes.get(scope);
        if (known) known.push(change);
        else this.#changes.set(scope, [change]);
        counts.set(scope, count(scope) + 1);
        continue;
      }
      const key = lineKey(request, touch, stateIn(touch, count, order));
      const line = this.#lines.get(key);
      if (!line) this.#lines.set(key, { told: [told], alike: true, next: 0 });
      else {
        line.alike &&= sameResult(line.told[0]!, told);
        line.told.push(told);
      }
    }
  }

  /** `beside`: what is under way at the same time, and was begun before. Who is quicker of two that hang together, nobody knows. */
  take(request: Request, beside: readonly Request[]): Found {
    const touch = this.#touchOf(request);
    const races = beside.some((other) => hangTogether(this.#touchOf(other), touch));
    const found = races && !this.#isNext(request) ? unknown("other-state") : this.#found(request, touch);
    this.#inStep = this.#isNext(request) ? this.#inStep! + 1 : undefined;
    return found;
  }

  #isNext({ sem }: Request): boolean {
    return this.#inStep !== undefined && this.#sems[this.#inStep] === sem;
  }

  #found(request: Request, touch: Dependency): Found {
    switch (touch.how) {
      case "absent":
        return unknown("not-asked");
      case "moment":
        return this.#isNext(request) ? this.#answers[this.#inStep!]!.result : unknown("moment");
      case "changes":
        return this.#change(request.sem, touch.scope ?? ALL);
      case "constant":
      case "drawn":
      case "reads": {
        if (touch.how === "reads" && touch.scope === undefined && this.#order === undefined)
          return this.#elsewhere(request.sem);
        const state = stateIn(touch, (scope) => this.#count(scope), this.#order ?? 0);
        const line = this.#lines.get(lineKey(request, touch, state));
        if (!line) return this.#elsewhere(request.sem);
        const again = touch.how !== "drawn" && line.alike;
        const told = line.told[line.next] ?? (again ? line.told[0] : undefined);
        line.next++;
        return told ?? unknown("again");
      }
    }
  }

  #change(sem: string, scope: string): Found {
    const made = this.#count(scope);
    const next = this.#changes.get(scope)?.[made];
    if (next?.sem !== sem || next.globals !== this.#count(ALL)) return this.#elsewhere(sem);
    // What hangs on everything hangs on the order of everything.
    if (scope === ALL && next.order !== this.#order) return unknown("other-state");
    this.#made.set(scope, made + 1);
    this.#order = this.#order === next.order ? next.order + 1 : undefined;
    return next.told;
  }

  #count(scope: string): number {
    return this.#made.get(scope) ?? 0;
  }

  #elsewhere(sem: string): Found {
    return unknown(this.#sems.includes(sem) ? "other-state" : "not-asked");
  }
}

/** Whether one of two makes a difference to the other. */
function hangTogether(one: Dependency, other: Dependency): boolean {
  if (one.how !== "changes" && other.how !== "changes") return false;
  if (![one, other].every(({ how }) => how === "changes" || how === "reads")) return false;
  const [a, b] = [scopeOf(one), scopeOf(other)];
  return a === ALL || b === ALL || a === b;
}

const scopeOf = (touch: Dependency): string => ("scope" in touch ? (touch.scope ?? ALL) : ALL);

/** Which state of the world an answer belongs to. */
function stateIn(touch: Dependency, count: (scope: string) => number, order: number): string {
  if (touch.how !== "reads") return "";
  return touch.scope === undefined ? `${order}` : `${touch.scope}\0${count(touch.scope)}\0${count(ALL)}`;
}

const lineKey = ({ sem, kind }: Request, { how }: Dependency, state: string): string =>
  `${how}\0${kind}\0${sem}\0${state}`;

const unknown = (why: UnknownReason): Found => ({ kind: "unknown", why });
