import type { LanguageModelV4, LanguageModelV4GenerateResult } from "@ai-sdk/provider";
import { z } from "zod";
import type { Acted, Runtime } from "../../../ports/runtime.ts";
import { type Dialogue, type DialogueDeps, type ModelTurn, openDialogue } from "../dialogue.ts";
import type { RequestedCall } from "../requested-call.ts";

/**
 * Mastra's agent loop: one agent per act, built from the briefing and dropped afterwards. Mastra drives the loop; every turn and
 * call goes through the dialogue, which owns records, limits, messages and the end of the act. This avoids Mastra's pitfalls:
 *
 * - A call named `constructor` ends its loop silently, invalid JSON arguments become `{}` and are carried out, and calls with the same
 *   id overwrite each other. Mastra sees unique ids and parsed arguments, and for a denied call a tool that only reports the denial.
 * - An error in a tool becomes a message to the model, an error in a model is printed. So nothing is thrown into Mastra: after the end
 *   of an act it gets an empty last turn and stops.
 * - Loading takes a second and 120 MB, so it happens at the first act.
 */
export const mastraRuntime = ({ models }: Pick<DialogueDeps, "models">): Runtime => ({
  name: "mastra",
  async act(briefing, tools, journal, signal): Promise<Acted> {
    const dialogue = openDialogue({ briefing, tools, models, journal, signal });
    const adapter = mastraAdapter(dialogue, briefing.model);
    try {
      const { Agent, createTool, noopLogger } = await mastra();
      const toolNamed = (name: string, description: string) =>
        createTool({
          id: name,
          description,
          inputSchema: anything,
          execute: (_, context) => adapter.carryOut(context.agent?.toolCallId),
        });
      const agent = new Agent({
        id: briefing.agent,
        name: briefing.agent,
        instructions: briefing.instructions,
        model: adapter.model,
        tools: {
          ...Object.fromEntries(tools.map(({ name, description }) => [name, toolNamed(name, description)])),
          [DENIED]: toolNamed(DENIED, "Says why a call was not made."),
        },
        maxRetries: 0,
      });
      agent["__setLogger"](noopLogger);
      for (;;) {
        await agent.generate(briefing.prompt, {
          runId: briefing.run,
          maxSteps: briefing.maxTurns + 1, // the dialogue counts turns; the extra step is for the empty turn
          toolCallConcurrency: 1,
          modelSettings: { temperature: briefing.temperature, maxRetries: 0 },
        });
        const end = adapter.end();
        if (end) return end;
      }
    } catch (thrown) {
      return dialogue.stopped(thrown);
    }
  },
});

/** Arguments are checked before Mastra sees them; a second check could only disagree. */
const anything = z.looseObject({});

/** No tool of ours can have this name: their names have hyphens. */
const DENIED = "bloom_denied";

/** The dialogue as a model and as tool calls for Mastra. */
function mastraAdapter(dialogue: Dialogue, modelId: string) {
  let last: ModelTurn | undefined;
  let thrown: unknown;
  let open = new Map<string, RequestedCall>();

  async function turn(): Promise<LanguageModelV4GenerateResult> {
    try {
      if (thrown !== undefined) return EMPTY_TURN;
      last = await dialogue.turn();
      open = new Map(last.calls.map((call) => [call.id, call]));
      return resultFor(last);
    } catch (error) {
      thrown = error;
      return EMPTY_TURN;
    }
  }

  const model: LanguageModelV4 = {
    specificationVersion: "v4",
    provider: "bloom",
    modelId,
    supportedUrls: {},
    doGenerate: turn,
    doStream: () => Promise.reject(new Error("an act is not streamed")),
  };

  return {
    model,
    /** Never returns undefined and never throws: Mastra would misinterpret both. */
    async carryOut(id: string | undefined): Promise<unknown> {
      const call = id === undefined ? undefined : open.get(id);
      if (!call || thrown !== undefined) return null;
      open.delete(call.id);
      try {
        return await dialogue.carryOut(call);
      } catch (error) {
        thrown = error;
        return null;
      }
    },
    /** The end of the act; undefined if the model is asked once more. */
    end(): Acted | undefined {
      if (thrown !== undefined || !last || last.calls.length > 0) return dialogue.stopped(thrown ?? STOPPED_EARLY);
      return dialogue.conclude(last);
    },
  };
}

const STOPPED_EARLY = new Error("Mastra ended its loop before the model had come to an end");

/** A turn as Mastra sees it. */
const resultFor = ({ text, calls, reply }: ModelTurn): LanguageModelV4GenerateResult => ({
  content: [
    ...(text === "" ? [] : [{ type: "text" as const, text }]),
    ...calls.map((call) => ({
      type: "tool-call" as const,
      toolCallId: call.id,
      toolName: call.verdict.kind === "denied" ? DENIED : call.tool,
      input: JSON.stringify(call.shown),
    })),
  ],
  finishReason: { unified: calls.length > 0 ? "tool-calls" : "stop", raw: undefined },
  usage: usageOf(reply.tokens.input, reply.tokens.output),
  warnings: [],
});

const usageOf = (input: number, output: number): LanguageModelV4GenerateResult["usage"] => ({
  inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: output, text: output, reasoning: 0 },
});

/** The empty turn after the end of an act. */
const EMPTY_TURN: LanguageModelV4GenerateResult = {
  content: [],
  finishReason: { unified: "stop", raw: undefined },
  usage: usageOf(0, 0),
  warnings: [],
};

async function mastra() {
  const [{ Agent }, { createTool }, { noopLogger }] = await Promise.all([
    import("@mastra/core/agent"),
    import("@mastra/core/tools"),
    import("@mastra/core/logger"),
  ]);
  return { Agent, createTool, noopLogger };
}
