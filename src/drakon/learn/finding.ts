import type { Text } from "../../base/text.ts";
import type { Expression } from "../expression/expression.ts";
import type { Site, Trouble } from "./evidence.ts";

/** An icon, and optionally a condition, with more failures, rejections or cost than chance explains. */
export interface LogicFinding extends Site {
  readonly kind: Trouble;
  /** The finding holds only for this answer of the question or select, or this round of the loop. */
  readonly answer?: boolean | number | null;
  /** The finding holds only under this condition on a value. */
  readonly when?: Circumstance;
  /** Defect of the icon that is visible in the diagram alone. */
  readonly smell?: Smell;
  /** Runs that visited the icon (under the condition), and how many of them went wrong. */
  readonly visits: number;
  readonly bad: number;
  readonly rate: number;
  /** The bad share among all other runs. */
  readonly restRate: number;
  /** Difference of the two rates; for costs the share of all tokens that could be saved. */
  readonly effect: number;
  /** Anytime-valid: corrected for multiple comparisons and for repeated looks at growing data. */
  readonly pValue: number;
  /** Probability that this is the place, given that something is wrong: 0 to 1. */
  readonly confidence: number;
  /** Ids of bad runs that show it. */
  readonly evidence: readonly string[];
  readonly words: Text;
}

/** A condition on a value at the moment the icon was entered. */
export type Circumstance =
  | { readonly term: Expression; readonly is: "empty" | "absent" | "true" | "false" }
  | { readonly term: Expression; readonly is: "at-most" | "at-least"; readonly bound: number }
  | { readonly term: Expression; readonly is: "equal" | "holds"; readonly text: string };

/**
 * `unused`: it only reads, and no icon reads its result. `repeated`: another icon made the same request before. `early`: only
 * one side of a later question reads its result. `late`: it sets a value after the last icon that reads it. `invariant`: it asks the
 * same in every round of its loop.
 */
export type Smell = "unused" | "repeated" | "early" | "late" | "invariant";

export interface LogicAnalysis {
  /** Judged runs analysed. */
  readonly runs: number;
  readonly failures: number;
  readonly rejections: number;
  readonly tokensPerRun: number;
  /** True if the problem exceeds tolerance and chance; otherwise the findings are only suspicions. */
  readonly alarm: boolean;
  /** Most likely place first. */
  readonly findings: readonly LogicFinding[];
}

export interface AnalyseRunsOptions {
  /** Rates of failures and rejections that are acceptable for a healthy procedure. */
  readonly tolerance?: { readonly failure?: number; readonly rejection?: number };
  /** Probability of a false alarm over the whole life of one logic version, however often it is analysed. */
  readonly falseAlarm?: number;
  /** True if a tool only reads, so that removing its call has no side effect. Known for the garden's own tools. */
  readonly onlyReads?: (tool: string) => boolean;
  /** Minimum share of all tokens for a cost finding. */
  readonly worthSaving?: number;
}
