import type { Json } from "../../base/canonical.ts";
import { isSlug } from "../contract/slug.ts";
import { isSessionRef } from "../federation/peer-origin.ts";
import { invalidEdge } from "./failures.ts";
import { isKindName } from "./kinds.ts";

/** S-4: how two sessions are related. `from` is the sub-agent, the reviewer, the one that merged. */
export interface SessionEdge {
  readonly kind: string;
  readonly from: string;
  readonly to: string;
}

export interface EdgeEvent extends SessionEdge {
  readonly op: "assert" | "retract";
  /** With `reviews`: what was said. Each review is an event, also a second one by the same reviewer. */
  readonly review?: SessionReview;
}

const reviewOutcomes = ["good", "changes", "comment"] as const;
export type ReviewOutcome = (typeof reviewOutcomes)[number];
export const isReviewOutcome = (word: unknown): word is ReviewOutcome =>
  (reviewOutcomes as readonly unknown[]).includes(word);

/** S-4: a review of a session's work at one commit. */
export interface SessionReview {
  readonly outcome: ReviewOutcome;
  readonly text: string;
  readonly head: string;
  /** ISO 8601. */
  readonly at: string;
  readonly by: string;
}

const reviewIn = (value: unknown): SessionReview | undefined => {
  const { outcome, text, head, at, by } = (value ?? {}) as Partial<Record<keyof SessionReview, unknown>>;
  if (!isReviewOutcome(outcome)) return undefined;
  const words = [text, head, at, by];
  if (!words.every((word) => typeof word === "string")) return undefined;
  const [told, seen, time, who] = words as [string, string, string, string];
  return { outcome, text: told, head: seen, at: time, by: who };
};

export const SUB_AGENT_OF = "sub-agent-of";
export const REVIEWS = "reviews";
export const MERGES = "merges";

/** An end of an edge: a session, main, or a session of another garden (`alice/scout`). Throws VALIDATION_FAILED. The kind is free: `sub-agent-of`, `reviews` and `merges` are those that the program knows. */
export function sessionEdge(edge: SessionEdge): SessionEdge {
  const { kind, from, to } = edge;
  if (!isKindName(kind) || !isSlug(from) || !isSessionRef(to)) throw invalidEdge(JSON.stringify({ kind, from, to }));
  return { kind, from, to };
}

/** The event as fields of its commit: `kind` is reserved there. */
export const edgeFields = ({ op, kind, from, to, review }: EdgeEvent): { readonly [name: string]: Json } => ({
  op,
  edge: kind,
  from,
  to,
  ...(review && { review: { ...review } }),
});

/** Undefined for fields that are no event. Never throws: a commit made by hand must not stop every reader. */
export function edgeEvent(fields: { readonly [name: string]: Json | undefined } | undefined): EdgeEvent | undefined {
  const { op, edge, from, to } = fields ?? {};
  if ((op !== "assert" && op !== "retract") || typeof edge !== "string") return undefined;
  if (typeof from !== "string" || typeof to !== "string" || !isKindName(edge) || !isSlug(from) || !isSessionRef(to))
    return undefined;
  const review = edge === REVIEWS ? reviewIn(fields?.["review"]) : undefined;
  return { op, kind: edge, from, to, ...(review && { review }) };
}

const keyOf = ({ kind, from, to }: SessionEdge): string => `${kind} ${from} ${to}`;

/** The edges that hold after some events, in order, with an index in both directions. */
export class EdgeSet {
  readonly #edges = new Map<string, SessionEdge>();
  readonly #into = new Map<string, Set<string>>();
  readonly #out = new Map<string, Set<string>>();

  constructor(events: Iterable<EdgeEvent> = []) {
    for (const event of events) this.apply(event);
  }

  /** True if the event changed the set: a second assert and a retract of nothing do not. */
  apply({ op, kind, from, to }: EdgeEvent): boolean {
    const edge = { kind, from, to };
    const key = keyOf(edge);
    if (this.#edges.has(key) === (op === "assert")) return false;
    if (op === "assert") this.#edges.set(key, edge);
    else this.#edges.delete(key);
    for (const [index, at, other] of [
      [this.#into, `${kind} ${to}`, from],
      [this.#out, `${kind} ${from}`, to],
    ] as const) {
      const names = index.get(at) ?? new Set();
      if (op === "assert") names.add(other);
      else names.delete(other);
      index.set(at, names);
    }
    return true;
  }

  has(edge: SessionEdge): boolean {
    return this.#edges.has(keyOf(edge));
  }

  all(): readonly SessionEdge[] {
    return [...this.#edges.values()];
  }

  /** Sessions with an edge of this kind to `to`, sorted: the sub-agents, reviewers or mergers of it. */
  into(kind: string, to: string): readonly string[] {
    return [...(this.#into.get(`${kind} ${to}`) ?? [])].toSorted();
  }

  /** Sessions that `from` has an edge of this kind to, sorted. */
  outOf(kind: string, from: string): readonly string[] {
    return [...(this.#out.get(`${kind} ${from}`) ?? [])].toSorted();
  }

  /** All sessions from which `to` is reached by edges of this kind, breadth first. Each once, so that a cycle does not hang it. */
  descendants(kind: string, to: string): readonly string[] {
    const seen = new Set([to]);
    const found: string[] = [];
    for (const open = [to]; open.length > 0; ) {
      for (const name of this.into(kind, open.shift()!)) {
        if (seen.has(name)) continue;
        seen.add(name);
        found.push(name);
        open.push(name);
      }
    }
    return found;
  }
}

export interface SessionTree {
  readonly name: string;
  readonly below: readonly SessionTree[];
}

/** A session with its sub-agents, and theirs. A session that occurs above itself is shown once, without its own. */
export function sessionTree(edges: EdgeSet, name: string, above: ReadonlySet<string> = new Set()): SessionTree {
  const path = new Set([...above, name]);
  const below = edges.into(SUB_AGENT_OF, name).filter((each) => !path.has(each));
  return { name, below: below.map((each) => sessionTree(edges, each, path)) };
}
