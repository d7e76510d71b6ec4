import { scriptedModel } from "../src/adapters/runtime/testing/scripted-model.ts";
import { contractKey } from "../src/domain/layout.ts";
import { contractText } from "../src/garden/agents/testing/contract-text.ts";
import { runAgent } from "../src/garden/runs/run-agent.ts";
import { portsWith } from "../src/garden/runs/testing/agent-ground.ts";
import type { Bench, Contender, Size } from "./harness.ts";
import { gardenIn } from "./ours-garden.ts";
import { fewNotes, runsToEnd } from "./ours-runs.ts";
import type { Repository } from "./repository.ts";

/** Whole runs with `execution: flow`: ten times the icons in one run must cost ten times as much, not more. */
export const flowRuns = ({ install }: Size, scratch: string): Bench[] => {
  const repository = fewNotes(scratch);
  return (install ? [500, 2000, 5000] : [20]).map((icons) => ({
    name: `flow: ${icons} icons in one run, every call on record`,
    unit: "ms of CPU",
    workers: 1,
    cpu: true,
    ours: walking(repository, icons, 1),
    rivals: [walking(repository, icons / 10, 10)],
  }));
};

const walking = (repository: Repository, icons: number, runs: number): Contender => ({
  name: runs === 1 ? "bloom" : `${runs} runs of ${icons} icons each`,
  async open(folder) {
    const garden = await gardenIn(folder, repository);
    // A call that does nothing: what is measured is the walk and its records, not the work of a tool.
    const lines = Array.from({ length: icons }, (_, n) => `  m${n} ← noop("nothing to do")`);
    const body = `BEGIN "Long"\n${lines.join("\n")}\nEND\n`;
    const fields = { status: "active", execution: "flow", tools: "[create-proposal]" };
    await garden.store.create(contractKey("bench"), Buffer.from(contractText("bench", fields, body)));
    const { runToEnd, rest, close } = await runsToEnd(garden, runAgent(portsWith(scriptedModel([]))), 1);
    return {
      async once() {
        for (let run = 0; run < runs; run++) await runToEnd("bench");
      },
      rest,
      close,
    };
  },
});
