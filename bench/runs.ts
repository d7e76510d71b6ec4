import type { Bench, Size } from "./harness.ts";
import { engineRuns, fewNotes, journalAlone } from "./ours-runs.ts";
import { dbos } from "./rivals/dbos.ts";
import { restate } from "./rivals/restate.ts";

/** A run of four steps that do nothing: what it costs to be durable. */
export const runs = ({ crowd, install }: Size, scratch: string): Bench[] => {
  const repository = fewNotes(scratch);
  const rivals = [journalAlone(repository), ...(install ? [dbos, restate] : [])];
  return [
    {
      name: "runs: four no-op steps, synced, one at a time",
      unit: "ms",
      workers: 1,
      latency: true,
      ours: engineRuns(repository, 1),
      rivals,
    },
    {
      name: `runs: four no-op steps, synced, ${crowd} at once`,
      unit: "runs/s",
      workers: crowd,
      ours: engineRuns(repository, crowd),
      rivals,
    },
  ];
};
