import { compareVersions, figuresOf, type LearningSettings, trendOf } from "../../../domain/logic/logic-figures.ts";
import type { LogicVersion } from "../../../domain/logic/logic-version.ts";
import type { Garden } from "../../core/garden.ts";
import { headOf } from "../../core/main-head.ts";
import { readLogicState } from "../../records/logic/logic-state.ts";
import { unknownVersion } from "../../records/logic/operation-logic.ts";
import type { LogicPerformance, PooledFigures } from "../../runs/tools/logic/logic-insight.ts";
import { sumsNow } from "./tally.ts";
import { versionPools } from "./version-pools.ts";

type Ground = Pick<Garden, "repo" | "store" | "config">;

/** L-5a: the owner's settings. */
export const learningSettings = ({ config }: Pick<Garden, "config">): LearningSettings => ({
  enough: config.learning.enough_runs,
  confidence: config.learning.confidence,
});

/** Figures of the given versions, or of all. Reads the tally only, not the runs. */
export async function logicPerformance(
  garden: Ground,
  { slug, versions }: { readonly slug: string; readonly versions?: readonly LogicVersion[] | undefined },
): Promise<LogicPerformance> {
  const at = await headOf(garden.repo);
  const state = await readLogicState(garden.repo, at, slug);
  const pools = await versionPools(garden.repo, at, state);
  const asked = [...new Set(versions ?? pools.versions)].toSorted();
  const unknown = asked.find((version) => !pools.versions.includes(version));
  if (unknown !== undefined) throw unknownVersion(unknown, state);
  const sums = await sumsNow(garden.store, slug);
  const settings = learningSettings(garden);
  const figures = asked.map((version): [LogicVersion, PooledFigures] => [
    version,
    {
      ...figuresOf(pools.sum(sums, version), settings.confidence),
      pooledWith: pools.sameAs(version).filter((other) => other !== version),
    },
  ]);
  const newest = asked.at(-1);
  const before = asked.findLast(
    (version) => newest !== undefined && pools.behaviourOf(version) !== pools.behaviourOf(newest),
  );
  const found =
    newest === undefined || before === undefined
      ? undefined
      : compareVersions([before, pools.sum(sums, before)], [newest, pools.sum(sums, newest)], settings);
  return {
    agentId: slug,
    versions: Object.fromEntries(figures),
    ...trendOf(found, settings),
    confidence: settings.confidence,
    enoughRuns: settings.enough,
    comparison: found ?? null,
  };
}
