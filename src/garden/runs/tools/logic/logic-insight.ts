import type { Text } from "../../../../base/text.ts";
import type { GardenConfig } from "../../../../domain/config/garden-config.ts";
import type { Oid } from "../../../../domain/git/git-names.ts";
import type { AnalysisRecord } from "../../../../domain/logic/logic-analysis.ts";
import type { FiguresComparison, FiguresTrend, VersionFigures } from "../../../../domain/logic/logic-figures.ts";
import type { LogicVersion } from "../../../../domain/logic/logic-version.ts";
import type { LogicFinding } from "../../../../drakon/learn/finding.ts";
import type { Repair } from "../../../../drakon/learn/repair.ts";
import type { Garden } from "../../../core/garden.ts";

/** Counts of the runs that were read: how certain their paths are, and how many have none. */
export interface InspectedRuns {
  readonly read: number;
  readonly facts: number;
  readonly claims: number;
  /** The path is unknown, or the run followed another drawing of the same logic. */
  readonly unknown: number;
  /** No diagram, damaged or edited by hand, deleted. */
  readonly unreadable: number;
  readonly good: number;
  readonly bad: number;
  readonly open: number;
}

export interface SureFinding extends LogicFinding {
  /** Runs that passed this icon: paths that are facts, and paths that a model claims. */
  readonly certainty: { readonly facts: number; readonly claims: number };
}

/** The result of an analysis of an agent's logic (source 000 §4.3, Z-3). */
export interface LogicInspection {
  readonly slug: string;
  readonly version: LogicVersion;
  readonly behaviour: string;
  readonly figures: VersionFigures;
  readonly expected: Pick<GardenConfig["learning"], "success_below" | "tokens_above" | "enough_runs">;
  /** The owner's thresholds that the figures miss. */
  readonly concerns: readonly ("success" | "tokens")[];
  readonly runs: InspectedRuns;
  readonly verdict: AnalysisRecord["verdict"];
  readonly findings: readonly SureFinding[];
  readonly repairs: readonly Repair[];
  readonly recommendation: string;
  readonly summary: Text;
}

/** `most`: number of recorded runs to read; with 0 only the figures are used. */
export interface InspectLogicQuery {
  readonly slug: string;
  readonly most: number;
  readonly at?: Oid | undefined;
}

/** The figures of one version. Versions with the same behaviour are pooled. */
export interface PooledFigures extends VersionFigures {
  readonly pooledWith: readonly LogicVersion[];
}

/** Source 000 §5.4, with the comparison that the recommendation rests on. */
export interface LogicPerformance {
  readonly agentId: string;
  readonly versions: Readonly<Record<LogicVersion, PooledFigures>>;
  readonly trend: FiguresTrend;
  readonly recommendation: Text;
  readonly confidence: number;
  readonly enoughRuns: number;
  /** The newest version against the newest earlier one with another behaviour; null if there is too little to compare. */
  readonly comparison: FiguresComparison | null;
}

/**
 * The functions that the optimizer's tools need from `insight/`, injected by compose-runs.ts: `insight/` reads recorded runs and imports the tools
 * to do so, so the tools cannot import it.
 */
export interface LogicInsight {
  inspectLogic(garden: Garden, look: InspectLogicQuery): Promise<LogicInspection>;
  logicPerformance(
    garden: Garden,
    query: { readonly slug: string; readonly versions?: readonly LogicVersion[] | undefined },
  ): Promise<LogicPerformance>;
}
