import { generateText, isStepCount, tool } from "ai";
import { z } from "zod";
import { aiSdkRuntime } from "../src/adapters/runtime/ai-sdk/ai-sdk-runtime.ts";
import { briefing } from "../src/adapters/runtime/conformance-setup.ts";
import { mastraRuntime } from "../src/adapters/runtime/mastra/mastra-runtime.ts";
import { memoryJournal } from "../src/adapters/runtime/testing/memory-journal.ts";
import type { RunTool, Runtime } from "../src/ports/runtime.ts";
import type { Bench, Contender } from "./harness.ts";
import { lookingModel } from "./looking-model.ts";

/**
 * The time of a turn beside the model itself: acts of ten turns, nine of them with a tool call, by a model that answers at once.
 * Ours journals every call (in memory: what a disk takes is measured with whole runs); the rivals' bare loops record nothing.
 */
export const modelTurns = (): Bench[] =>
  [10, 100].map((count) => ({
    name: `act of ${count} turns with a tool call each, model scripted, every call journaled in memory`,
    unit: "acts/s",
    workers: 1,
    ours: acting("the light loop", aiSdkRuntime({ models: () => lookingModel(count) }), count),
    rivals: [
      bareLoop(count),
      acting("Mastra's loop, journaled by us", mastraRuntime({ models: () => lookingModel(count) }), count),
    ],
  }));

const input = z.strictObject({ at: z.number() });
const look: RunTool = {
  name: "look",
  description: "Looks.",
  input,
  idempotent: true,
  call: async () => ({ seen: "plants" }),
};
const never = new AbortController().signal;

const acting = (name: string, runtime: Runtime, maxTurns: number): Contender => ({
  name,
  open: async () => ({
    async once() {
      const acted = await runtime.act(briefing({ maxTurns }), [look], memoryJournal(), never);
      if (acted.turns !== maxTurns || acted.kind !== "answered")
        throw new Error(`${name}: ${acted.kind} after ${acted.turns}`);
    },
    close: async () => undefined,
  }),
});

const bareLoop = (count: number): Contender => ({
  name: "AI SDK generateText, no journal",
  open: async () => ({
    async once() {
      const { steps } = await generateText({
        model: lookingModel(count),
        instructions: briefing().instructions,
        prompt: briefing().prompt,
        temperature: 0.2,
        tools: {
          look: tool({ description: look.description, inputSchema: input, execute: async () => ({ seen: "plants" }) }),
        },
        stopWhen: isStepCount(count),
        maxRetries: 0,
      });
      if (steps.length !== count) throw new Error(`${steps.length} steps`);
    },
    close: async () => undefined,
  }),
});
