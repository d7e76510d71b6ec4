import { contractKey } from "../src/domain/layout.ts";
import { behaviourSums } from "../src/domain/library/behaviour-figures.ts";
import { closeGarden } from "../src/garden/core/garden.ts";
import { ownBehaviourStatistics } from "../src/garden/insight/behaviours/own-statistics.ts";
import { settleTally, sumsFromRuns } from "../src/garden/insight/learning/tally.ts";
import { endedRun } from "../src/garden/insight/learning/testing/counted-runs.ts";
import type { Bench, Contender, Size } from "./harness.ts";
import { gardenIn } from "./ours-garden.ts";
import { fewNotes } from "./ours-runs.ts";
import type { Repository } from "./repository.ts";

const AGENTS = 10;
const BEHAVIOURS = 4;

/** S-9: the figures of every behaviour over all runs; beside it the same from the manifests, which is what the tally saves. */
export const behaviourFigures = ({ finished }: Size, scratch: string): Bench => {
  const repository = fewNotes(scratch);
  const runs = AGENTS * Math.ceil(finished / AGENTS);
  return {
    name: `behaviours: figures of ${BEHAVIOURS * AGENTS} behaviours over ${runs} runs`,
    unit: "ms",
    workers: 1,
    latency: true,
    ours: counting(repository, runs, "bloom"),
    rivals: [counting(repository, runs, "every manifest")],
  };
};

const counting = (repository: Repository, runs: number, name: "bloom" | "every manifest"): Contender => ({
  name,
  async open(folder) {
    const garden = await gardenIn(folder, repository);
    const slugs = Array.from({ length: AGENTS }, (_, number) => `agent-${number}`);
    for (const [number, slug] of slugs.entries()) {
      await garden.store.create(contractKey(slug), Buffer.from("---\n---\n"));
      for (let run = 0; run < runs / AGENTS; run++)
        await endedRun(garden, slug, {
          behaviour_id: `${number}${run % BEHAVIOURS}`.padEnd(40, "a"),
          temperature: 0.3,
        });
      await settleTally(garden, slug);
    }
    const total = async (): Promise<number> => {
      if (name === "bloom") return (await ownBehaviourStatistics(garden)).reduce((sum, one) => sum + one.runs, 0);
      const sums = new Map<string, Awaited<ReturnType<typeof sumsFromRuns>>>();
      for (const slug of slugs) sums.set(slug, await sumsFromRuns(garden.store, slug));
      return [...behaviourSums(sums).values()].reduce((sum, one) => sum + one.runs, 0);
    };
    return {
      async once() {
        const counted = await total();
        if (counted !== runs) throw new Error(`${counted} of ${runs} runs`);
      },
      close: () => closeGarden(garden),
    };
  },
});
