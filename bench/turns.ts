import { generateText, isStepCount, tool } from "ai";
import { z } from "zod";
import { aiSdkRuntime } from "../src/adapters/runtime/ai-sdk/ai-sdk-runtime.ts";
import { acquireLease } from "../src/garden/core/flow/lease.ts";
import { realPause } from "../src/garden/core/flow/pause.ts";
import { openFlow } from "../src/garden/core/flow/step.ts";
import { closeGarden } from "../src/garden/core/garden.ts";
import { callJournal } from "../src/garden/runs/call-journal.ts";
import type { Briefing, RunTool } from "../src/ports/runtime.ts";
import type { Bench, Contender, Size } from "./harness.ts";
import { lookingModel } from "./looking-model.ts";
import { gardenIn } from "./ours-garden.ts";
import { fewNotes, filesMade, plant } from "./ours-runs.ts";
import type { Repository } from "./repository.ts";

const ANSWER = "The sea is warm. ".repeat(60);
const INSTRUCTIONS = "You look at things, one after the other. ".repeat(50);
/** An agent has a few tools. Both loops tell the model of all of them, in every turn. */
const TOOLS = {
  look: { description: "Look at a thing", input: z.strictObject({ at: z.number() }) },
  find: {
    description: "Find things by their words",
    input: z.strictObject({ words: z.string().min(1), limit: z.number().int().max(50).optional() }),
  },
  propose: {
    description: "Propose a change of a note",
    input: z.strictObject({
      path: z.string(),
      content: z.string(),
      reasoning: z.string(),
      tags: z.array(z.string()).optional(),
    }),
  },
};

/**
 * Cost of one model turn in this process, with one tool call that returns 1 KB and a model that answers at once: with a journal,
 * and without.
 */
export const turnsOfModel = (_: Size, scratch: string): Bench[] => {
  const repository = fewNotes(scratch);
  return [10, 80].map((turns) => ({
    name: `turns: processor time of a run of ${turns} model turns, each with a tool call`,
    unit: "ms of CPU",
    workers: 1,
    cpu: true,
    ours: journaled(repository, turns),
    rivals: [bareLoop(turns)],
  }));
};

const journaled = (repository: Repository, turns: number): Contender => ({
  name: "bloom, every call on record (synced)",
  async open(folder) {
    const garden = await gardenIn(folder, repository);
    await plant(garden, "bench");
    const runtime = aiSdkRuntime({ models: () => lookingModel(turns) });
    const tools = Object.entries(TOOLS).map(
      ([name, { description, input }]): RunTool => ({
        name,
        description,
        input,
        idempotent: true,
        call: async () => ANSWER,
      }),
    );
    const ground = { ...garden, pause: realPause };
    // As in the product: one process at a time, ensured by a lease.
    const acquired = await acquireLease(ground, "run:bench", { holder: "bench", ttlMs: 3_600_000 });
    const lease = acquired.kind === "held" ? acquired.lease : undefined;
    let count = 0;
    return {
      async once() {
        const place = { slug: "bench", run: `run_2026-02-14_080000_${(count++).toString(36).padStart(6, "0")}` };
        const flow = openFlow(ground, place, lease);
        const journal = callJournal({ garden, place, flow, pause: realPause, recorded: new Map() });
        const briefing: Briefing = {
          run: place.run,
          agent: place.slug,
          instructions: INSTRUCTIONS,
          prompt: "Look.",
          model: "scripted",
          temperature: 0,
          maxTurns: turns,
          budget: {},
          input: {},
        };
        const acted = await runtime.act(briefing, tools, journal, new AbortController().signal);
        if (acted.kind !== "answered" || acted.turns !== turns)
          throw new Error(`${acted.kind} after ${acted.turns} turns`);
      },
      rest: () => filesMade(garden),
      close: () => closeGarden(garden),
    };
  },
});

const bareLoop = (turns: number): Contender => ({
  name: "the bare loop of the AI SDK, nothing on record",
  open: async () => ({
    async once() {
      const { steps } = await generateText({
        model: lookingModel(turns),
        instructions: INSTRUCTIONS,
        prompt: "Look.",
        tools: Object.fromEntries(
          Object.entries(TOOLS).map(([name, { description, input }]) => [
            name,
            tool({ description, inputSchema: input as z.ZodType, execute: async () => ANSWER }),
          ]),
        ),
        stopWhen: isStepCount(turns),
        temperature: 0,
        maxRetries: 0,
      });
      if (steps.length !== turns) throw new Error(`${steps.length} turns`);
    },
    close: async () => undefined,
  }),
});
