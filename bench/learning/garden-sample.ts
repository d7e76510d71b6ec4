import { rm } from "node:fs/promises";
import { z } from "zod";
import { scriptedModel } from "../../src/adapters/runtime/testing/scripted-model.ts";
import type { Json } from "../../src/base/canonical.ts";
import { Failure } from "../../src/base/failure.ts";
import { commandLineOwner } from "../../src/domain/identity.ts";
import type { RunManifest } from "../../src/domain/run/run-manifest.ts";
import { verdictOf } from "../../src/domain/run/run-path.ts";
import { analyseRuns } from "../../src/drakon/learn/analyse.ts";
import type { Evidence } from "../../src/drakon/learn/evidence.ts";
import { reviewProposal } from "../../src/garden/changes/effect/review.ts";
import { decide } from "../../src/garden/changes/proposals/decide.ts";
import { closeGarden, type Garden } from "../../src/garden/core/garden.ts";
import { decisionsOf, proposalsOf } from "../../src/garden/insight/learning/proposal-fates.ts";
import { drawnAgent } from "../../src/garden/insight/learning/testing/drawn-agent.ts";
import { readRecordedRun } from "../../src/garden/insight/replay/recorded-run.ts";
import { readProposal } from "../../src/garden/records/proposals/proposal-log.ts";
import { live, manifestOf, portsWith, requestedRun } from "../../src/garden/runs/testing/agent-ground.ts";
import type { RunTool } from "../../src/ports/runtime.ts";
import { gardenIn } from "../ours-garden.ts";
import { fewNotes } from "../ours-runs.ts";
import { scratchFolder } from "../scratch.ts";
import { type Agent, agentOf } from "./agent.ts";
import { type Called, FAILS, type FaultKind, FIELDS, faultKinds, type Now } from "./scene.ts";
import { chanceOf, inputOf, ownerErrs, simulate, victimOf } from "./simulate.ts";

export interface Sampled {
  readonly agent: string;
  readonly runs: number;
  /** Runs whose way, end and verdict are the same in the garden as in the simulation. */
  readonly alike: number;
  /** True if the analysis of recorded runs gives the same findings as that of simulated runs. */
  readonly sameFindings: boolean;
  readonly differences: readonly string[];
}

/** Agents whose world is tools alone: what asks a model would need one. */
const needsNoModel = ({ tools }: Agent): boolean => [...tools.keys()].every((name) => !name.startsWith("words:"));

/** One agent of each of three kinds, in one garden. */
export async function sampleGardens(seed: number, runs: number, tell: (line: string) => void): Promise<Sampled[]> {
  if (runs === 0) return [];
  const scratch = await scratchFolder();
  const garden = await gardenIn(`${scratch}/garden`, fewNotes(scratch));
  const sampled: Sampled[] = [];
  try {
    for (const kind of ["guard", "threshold", "order"] as const) {
      const agent = firstOf(seed, kind);
      const one = await sampleInGarden(garden, `${kind}-agent`, agent, runs);
      tell(`${one.alike} of ${runs} runs of ${agent.name} (${agent.shape}) went in a garden as simulated`);
      for (const difference of one.differences) tell(difference);
      sampled.push(one);
    }
  } finally {
    await closeGarden(garden);
    await rm(scratch, { recursive: true, force: true });
  }
  return sampled;
}

function firstOf(seed: number, kind: FaultKind): Agent {
  for (let n = faultKinds.indexOf(kind); ; n += faultKinds.length) {
    const agent = agentOf(seed, n);
    if (needsNoModel(agent)) return agent;
  }
}

/** Runs an agent in a real garden, `execution: flow`, with the same world as tools of a server outside, and an owner who decides. */
async function sampleInGarden(garden: Garden, slug: string, agent: Agent, runs: number): Promise<Sampled> {
  const names = [...agent.tools.keys()];
  await drawnAgent(garden, slug, agent.text, {
    execution: "flow",
    tools: "[create-proposal]",
    safe_outputs: "[propose-note]",
    mcp: `[{ name: world, url: "http://127.0.0.1:9/", tools: [${names.join(", ")}] }]`,
  });
  const recorded: Evidence[] = [];
  const simulated: Evidence[] = [];
  const differences: string[] = [];
  for (let run = 0; run < runs; run++) {
    const expected = simulate(agent, agent.faulty.program, run);
    const calls: Called[] = [];
    const now: Now = { chance: chanceOf(agent, run), done: new Set(), calls };
    const { note: _, ...input } = inputOf(agent, run, now);
    const place = await requestedRun(garden, slug, { ...input, note: `notes/${slug}-${run}.md` });
    await live(
      garden,
      place,
      portsWith(scriptedModel([]), { outsideTools: names.map((name) => toolOf(agent, run, name, now, calls)) }),
    );
    const manifest = await manifestOf(garden, place);
    const wrong = manifest.status === "completed" && agent.scenes.some((scene) => scene.wrong(now));
    const refuses = wrong !== ownerErrs(agent, run);
    await decideAll(garden, manifest, refuses ? "reject" : "approve");
    const read = await readRecordedRun(garden, place);
    if (read.kind === "unreadable") {
      differences.push(`run ${run}: ${read.why.en}`);
      continue;
    }
    const { path, journal, input: began, recorded: told } = read.run;
    const verdict = verdictOf(path, await decisionsOf(garden, manifest));
    // Recorded paths name the diagram by its file.
    const passed = path.passed.map((one) => ({ ...one, diagram: agent.faulty.program.main }));
    recorded.push({ path: { ...path, passed, verdict }, input: began, journal, argumentNames: told.argumentNames });
    simulated.push(expected.evidence);
    const [mine, theirs] = [wayOf(recorded.at(-1)!), wayOf(expected.evidence)];
    if (mine !== theirs) differences.push(`run ${run}: ${mine} instead of ${theirs}`);
  }
  const found = [recorded, simulated].map((evidence) => foundIn(evidence, agent));
  return {
    agent: agent.name,
    runs,
    alike: runs - differences.length,
    sameFindings: found[0] === found[1],
    differences,
  };
}

/** The owner's decision on every proposal of a run, after a review. */
async function decideAll(garden: Garden, manifest: RunManifest, verdict: "approve" | "reject"): Promise<void> {
  for (const id of await proposalsOf(garden.store, manifest)) {
    const { digest } = await reviewProposal(garden, await readProposal(garden.store, id));
    await decide(garden, { proposal: id, verdict, digest, by: commandLineOwner, note: "So it is" });
  }
}

const wayOf = ({ path: { passed, status, verdict } }: Evidence): string =>
  JSON.stringify([status, verdict, passed.map(({ icon, answer, failed }) => [icon, answer ?? null, failed])]);

const foundIn = (evidence: readonly Evidence[], agent: Agent): string =>
  JSON.stringify(
    analyseRuns(evidence, agent.faulty.program).findings.map(({ icon, kind, answer, visits, bad, words }) => [
      icon,
      kind,
      answer ?? null,
      visits,
      bad,
      words.en,
    ]),
  );

/** A tool of the simulated world, as an agent in a garden has it. */
function toolOf(agent: Agent, run: number, name: string, now: Now, calls: Called[]): RunTool {
  return {
    name,
    description: `What ${name} does`,
    input: z.strictObject(Object.fromEntries(FIELDS.map((field) => [field, z.json().optional()]))),
    idempotent: true,
    call: async (given) => {
      const payload = given as { readonly [name: string]: Json };
      const value = victimOf(agent, run) === name ? FAILS : agent.tools.get(name)!.answer(payload, now);
      if (value === FAILS)
        throw new Failure("VALIDATION_FAILED", { en: `${name} cannot do that`, uk: `${name} цього не може` });
      calls.push({ name, payload, value });
      return value;
    },
  };
}
