import type { Json } from "../../src/base/canonical.ts";

/** The five kinds of fault that an optimizer may mend (source 000 §4.4). */
export const faultKinds = ["guard", "order", "redundant", "threshold", "branch"] as const;
export type FaultKind = (typeof faultKinds)[number];

/** A call that fails for good. */
export const FAILS = Symbol("fails");

/** State of the simulated world during one run. Random draws depend on the run and a label, not on the order of requests. */
export interface Now {
  chance(label: string): number;
  /** Effects of the calls so far. */
  readonly done: Set<string>;
  readonly calls: readonly Called[];
}

export interface Called {
  readonly name: string;
  readonly payload: { readonly [name: string]: Json };
  readonly value: Json;
}

export interface Tool {
  readonly reads: boolean;
  readonly tokens: number;
  answer(payload: { readonly [name: string]: Json }, now: Now): Json | typeof FAILS;
}

/** A part of a procedure, as it should be and with one fault, and the part of the world that it deals with. */
export interface Scene {
  readonly kind: FaultKind;
  readonly shape: string;
  /** Lines of pseudocode; `out` is set on every way through them. */
  readonly healthy: readonly string[];
  readonly faulty: readonly string[];
  /** Texts of the icons of the faulty one that the fault lies in. */
  readonly truth: readonly string[];
  readonly tools: Readonly<Record<string, Tool>>;
  readonly input?: (now: Now) => { readonly [name: string]: Json };
  /** True if the run did something wrong; failures are visible without it. */
  wrong(now: Now): boolean;
  /** Nothing goes wrong, it only costs. */
  readonly costly?: boolean;
}

/** Parameters of a scene: its number (for names), its random source, and the share of runs that its fault affects. */
export interface Making {
  readonly n: number;
  readonly chance: () => number;
  readonly share: number;
}

export type SceneMaker = (making: Making) => Scene;

export const reads = (tokens: number, answer: Tool["answer"]): Tool => ({ reads: true, tokens, answer });
export const writes = (tokens: number, answer: Tool["answer"]): Tool => ({ reads: false, tokens, answer });
export const between = (chance: number, low: number, high: number): number => low + chance * (high - low);
export const whole = (chance: number, low: number, high: number): number => Math.floor(between(chance, low, high + 1));
export const pick = <T>(from: readonly T[], chance: number): T => from[Math.floor(chance * from.length)]!;
export const called = (now: Now, name: string): Called[] => now.calls.filter((one) => one.name === name);
/** Names in diagrams may end in a letter where digits would be read as a number. */
export const letter = (n: number): string => "abcdefghijklmnopqrstuvwxyz"[n] ?? `z${n}`;
/** Argument names of the simulated tools. */
export const FIELDS = ["what", "about", "more", "size"] as const;
/** The first argument. */
export const given = (payload: { readonly [name: string]: Json }): Json => payload["what"] ?? null;
