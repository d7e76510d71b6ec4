import { figuresOf, type VersionFigures } from "../../../domain/logic/logic-figures.ts";
import type { LogicVersion } from "../../../domain/logic/logic-version.ts";
import { NO_RUNS, plus, type RunSum } from "../../../domain/run/run-tally.ts";
import type { Garden } from "../../core/garden.ts";
import { headOf } from "../../core/main-head.ts";
import { sumsNow } from "../../insight/learning/tally.ts";
import { versionPools } from "../../insight/learning/version-pools.ts";
import { agentsWithLogic, readLogicState } from "../../records/logic/logic-state.ts";

/** A behaviour that agents of this garden follow or followed. */
export interface OwnBehaviour {
  /** Over all runs here that followed it, of all agents. */
  readonly sum: RunSum;
  /** The agents and versions with this behaviour; `current` if the agent follows it now. */
  readonly versions: readonly { readonly agent: string; readonly version: LogicVersion; readonly current: boolean }[];
}

/** All behaviours of this garden's agents, by behaviour id (S-9a). */
export async function ownBehaviours(
  garden: Pick<Garden, "repo" | "store">,
): Promise<ReadonlyMap<string, OwnBehaviour>> {
  const head = await headOf(garden.repo);
  const found = new Map<string, OwnBehaviour>();
  for (const agent of await agentsWithLogic(garden.repo, head)) {
    const state = await readLogicState(garden.repo, head, agent);
    const pools = await versionPools(garden.repo, head, state);
    const sums = await sumsNow(garden.store, agent);
    const counted = new Set<string>();
    for (const version of pools.versions) {
      const behaviour = pools.behaviourOf(version);
      const { sum, versions } = found.get(behaviour) ?? { sum: NO_RUNS, versions: [] };
      found.set(behaviour, {
        sum: counted.has(behaviour) ? sum : plus(sum, pools.sum(sums, version)),
        versions: [...versions, { agent, version, current: version === state.meta.logicVersion }],
      });
      counted.add(behaviour);
    }
  }
  return found;
}

/** The figures that the library shows: judged runs and how many were good, with Wilson's interval. */
export interface LibraryFigures {
  readonly runs: number;
  readonly judged: number;
  readonly good: number;
  readonly rate: number | null;
  readonly interval: VersionFigures["good_interval"];
}

export function libraryFigures(sum: Pick<RunSum, "runs" | "good" | "bad">, confidence: number): LibraryFigures {
  const {
    good_rate: rate,
    good_interval: interval,
    judgedRuns: judged,
  } = figuresOf({ ...NO_RUNS, ...sum }, confidence);
  return { runs: sum.runs, judged, good: sum.good, rate, interval };
}
