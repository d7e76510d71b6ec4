import { scriptedModel } from "../src/adapters/runtime/testing/scripted-model.ts";
import { commandLineOwner } from "../src/domain/identity.ts";
import { keys } from "../src/domain/layout.ts";
import type { Proposal } from "../src/domain/proposal/proposal.ts";
import { type RunManifest, runManifest } from "../src/domain/run/run-manifest.ts";
import { receive } from "../src/garden/changes/inbox/receive.ts";
import type { RunPlace } from "../src/garden/core/flow/journal.ts";
import { closeGarden, type Garden } from "../src/garden/core/garden.ts";
import { drawnAgent, drawnFrom } from "../src/garden/insight/learning/testing/drawn-agent.ts";
import { replayAgainstProposal } from "../src/garden/insight/replay/counterfactual.ts";
import { live, manifestOf, portsWith, requestedRun } from "../src/garden/runs/testing/agent-ground.ts";
import { everyKey } from "../src/ports/store.ts";
import type { Bench, Contender, Size } from "./harness.ts";
import { gardenIn } from "./ours-garden.ts";
import { fewNotes } from "./ours-runs.ts";
import type { Repository } from "./repository.ts";

/**
 * L-8: a report about 1,000 recorded runs that nobody has looked at before; beside it ten times the journal in a tenth of the runs, which
 * must not cost more, and the same report once what each run comes to is kept.
 */
export const counterfactuals = ({ install }: Size, scratch: string): Bench => {
  const repository = fewNotes(scratch);
  const runs = install ? 1000 : 10;
  return {
    name: `counterfactual: a report about ${runs} recorded runs of 8 calls`,
    unit: "ms",
    workers: 1,
    latency: true,
    ours: reporting(repository, { name: "bloom", runs, calls: 8 }),
    rivals: [
      reporting(repository, { name: `${runs / 10} runs of 80 calls`, runs: runs / 10, calls: 80 }),
      reporting(repository, { name: "the same runs again", runs, calls: 8, kept: true }),
    ],
  };
};

interface Wanted {
  readonly name: string;
  readonly runs: number;
  readonly calls: number;
  readonly kept?: true;
}

const SLUG = "bench";

const reporting = (repository: Repository, { name, runs, calls, kept }: Wanted): Contender => ({
  name,
  async open(folder) {
    const garden = await gardenIn(folder, repository);
    const procedure = (last: string): string =>
      `BEGIN "Read"\n${Array.from({ length: calls }, (_, n) => `  m${n} ← read-notes("f${n}")`).join("\n")}\n  ${last}\nEND\n`;
    const fields = { execution: "flow", tools: "[read-notes, create-proposal]" };
    await drawnAgent(garden, SLUG, procedure("n ← 1"), fields);
    const place = await requestedRun(garden, SLUG);
    await live(garden, place, portsWith(scriptedModel([])));
    await copies(garden, place, runs);
    const proposal = await changed(garden, procedure("IF m0 is empty\n    n ← 2"), place);
    let program = "";
    return {
      async ready() {
        if (!kept && program !== "") await garden.store.delete(keys.counterfactuals(SLUG, program));
      },
      async once() {
        if (!kept && program !== "") await garden.store.delete(keys.counterfactuals(SLUG, program));
        const report = await replayAgainstProposal(garden, proposal, { most: runs });
        const { totals } = report;
        if (totals.runs < runs || totals.same !== totals.runs) throw new Error(JSON.stringify(totals));
        ({ program } = report);
      },
      close: () => closeGarden(garden),
    };
  },
});

async function changed(garden: Garden, procedure: string, { run }: RunPlace): Promise<Proposal> {
  const payload = {
    agent: SLUG,
    currentVersion: "v001",
    diagram: drawnFrom(procedure),
    rationale: { problem: "x", evidenceRuns: [run] },
    requiresHumanReview: true,
  };
  const received = await receive(garden, { identity: commandLineOwner, action: "logic-update", payload, summary: "x" });
  if (received.kind === "refused") throw received.failure;
  return received.proposal;
}

/** The same journal under other ids: what it says is what the first run said. */
async function copies(garden: Garden, place: RunPlace, runs: number): Promise<void> {
  const { store } = garden;
  const manifest = await manifestOf(garden, place);
  const steps: { readonly name: string; readonly bytes: Uint8Array }[] = [];
  for await (const { key } of everyKey(store, keys.runSteps(place.slug, place.run)))
    steps.push({ name: key.slice(key.lastIndexOf("/") + 1), bytes: (await store.get(key))!.bytes });
  for (let number = 1; number < runs; number++) {
    const run = `run_2026-01-01_000000_${number.toString(36).padStart(6, "0")}`;
    await Promise.all(steps.map(({ name, bytes }) => store.create(`${keys.runSteps(place.slug, run)}${name}`, bytes)));
    const copy: RunManifest = runManifest.parse({ ...manifest, run_id: run });
    await store.create(keys.runManifest(place.slug, run), Buffer.from(JSON.stringify(copy)));
  }
}
