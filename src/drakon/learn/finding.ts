import type { Text } from "../../base/text.ts";
import type { Expression } from "../expression/expression.ts";
import type { Site, Trouble } from "./evidence.ts";

/** Where and when things go wrong, more often than chance and background explain. */
export interface LogicFinding extends Site {
  readonly kind: Trouble;
  /** Only with this answer of the question or select, or this round of the loop. */
  readonly answer?: boolean | number | null;
  /** Only when a value was such. */
  readonly when?: Circumstance;
  /** What the drawing itself shows about the icon. */
  readonly smell?: Smell;
  /** Runs that came here (in these circumstances), and how many of them went wrong. */
  readonly visits: number;
  readonly bad: number;
  readonly rate: number;
  /** The same share among all other runs. */
  readonly restRate: number;
  /** Difference of the two shares; for costs the share of all tokens that could be saved. */
  readonly effect: number;
  /** Corrected for everything that was looked at and for every look so far: at any time, the chance of so much by accident. */
  readonly pValue: number;
  /** How sure it is that this is the place, given that something is wrong: from 0 to 1. */
  readonly confidence: number;
  /** Ids of runs that show it, those that went wrong. */
  readonly evidence: readonly string[];
  readonly words: Text;
}

/** A condition on a value at the moment when the icon was entered. */
export type Circumstance =
  | { readonly term: Expression; readonly is: "empty" | "absent" | "true" | "false" }
  | { readonly term: Expression; readonly is: "at-most" | "at-least"; readonly bound: number }
  | { readonly term: Expression; readonly is: "equal"; readonly text: string };

/**
 * `unused`: it only reads, and nobody looks at what it gives. `repeated`: the same was asked before. `early`: only one side of a
 * later question looks at what it gives. `late`: it changes a value behind the last icon that looks at it.
 */
export type Smell = "unused" | "repeated" | "early" | "late";

export interface LogicAnalysis {
  /** Judged runs that were looked at. */
  readonly runs: number;
  readonly failures: number;
  readonly rejections: number;
  readonly tokensPerRun: number;
  /** Whether something is wrong, beyond what the tolerance and chance allow; findings may be mere suspicions otherwise. */
  readonly alarm: boolean;
  /** The likeliest place first. */
  readonly findings: readonly LogicFinding[];
}

export interface AnalyseRunsOptions {
  /** How often runs may fail, and people turn something down, without anything being wrong with the procedure. */
  readonly tolerance?: { readonly failure?: number; readonly rejection?: number };
  /** The chance of a false alarm over the whole life of one version of an agent, however often it is looked at. */
  readonly falseAlarm?: number;
  /** Whether a tool only reads, so that leaving it out changes nothing else. Known for the garden's own tools. */
  readonly onlyReads?: (tool: string) => boolean;
  /** The share of all tokens that must be saved for a cost to be worth a word. */
  readonly worthSaving?: number;
}
