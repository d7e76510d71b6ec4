import type { LanguageModelV4, LanguageModelV4GenerateResult } from "@ai-sdk/provider";
import { z } from "zod";
import type { Acted, Runtime } from "../../../ports/runtime.ts";
import { type Dialogue, type DialogueDeps, type ModelTurn, openDialogue } from "../dialogue.ts";
import type { RequestedCall } from "../requested-call.ts";

/**
 * Mastra's agent loop: for each act one agent is built from the briefing, carried out, and dropped. Mastra decides when
 * the model is asked and when its calls are made; both lead through the dialogue, and what counts (records, limits, what the
 * model is told, how the act ended) comes from there and not from Mastra's own lists. That way its traps stay shut:
 *
 * - A call under the name of `constructor` ends its loop without a word, arguments that are no JSON become `{}` and are carried out,
 *   and calls that share an id overwrite each other. It is shown calls with ids of their own, arguments that were parsed, and for
 *   what is denied a tool that only says so.
 * - A throw in a tool becomes a message to the model, a throw in a model is printed. Neither is thrown: an act that has ended shows
 *   it a last turn with nothing in it, and it stops.
 * - Loading it takes a second and 120 MB, so it is loaded at the first act.
 */
export const mastraRuntime = ({ models }: Pick<DialogueDeps, "models">): Runtime => ({
  name: "mastra",
  async act(briefing, tools, journal, signal): Promise<Acted> {
    const dialogue = openDialogue({ briefing, tools, models, journal, signal });
    const crank = crankOf(dialogue, briefing.model);
    try {
      const { Agent, createTool, noopLogger } = await mastra();
      const made = (name: string, description: string) =>
        createTool({
          id: name,
          description,
          inputSchema: anything,
          execute: (_, context) => crank.carryOut(context.agent?.toolCallId),
        });
      const agent = new Agent({
        id: briefing.agent,
        name: briefing.agent,
        instructions: briefing.instructions,
        model: crank.model,
        tools: {
          ...Object.fromEntries(tools.map(({ name, description }) => [name, made(name, description)])),
          [DENIED]: made(DENIED, "Says why a call was not made."),
        },
        maxRetries: 0,
      });
      agent["__setLogger"](noopLogger);
      for (;;) {
        await agent.generate(briefing.prompt, {
          runId: briefing.run,
          maxSteps: briefing.maxTurns + 1, // the dialogue counts; the last one is where it says that it has ended
          toolCallConcurrency: 1,
          modelSettings: { temperature: briefing.temperature, maxRetries: 0 },
        });
        const end = crank.end();
        if (end) return end;
      }
    } catch (thrown) {
      return dialogue.stopped(thrown);
    }
  },
});

/** Checked before Mastra sees it; a second check by its rules could only disagree. */
const anything = z.looseObject({});

/** A name that no tool of ours can have: they are written with hyphens. */
const DENIED = "bloom_denied";

/** What Mastra turns: a model that is the dialogue, and calls that are the dialogue's. */
function crankOf(dialogue: Dialogue, modelId: string) {
  let last: ModelTurn | undefined;
  let thrown: unknown;
  let open = new Map<string, RequestedCall>();

  async function turn(): Promise<LanguageModelV4GenerateResult> {
    try {
      if (thrown !== undefined) return NOTHING;
      last = await dialogue.turn();
      open = new Map(last.calls.map((call) => [call.id, call]));
      return shown(last);
    } catch (error) {
      thrown = error;
      return NOTHING;
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
    /** Never undefined, and never a throw: Mastra would take either for something else. */
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
    /** How the act ended; undefined if the model is to be asked once more. */
    end(): Acted | undefined {
      if (thrown !== undefined || !last || last.calls.length > 0) return dialogue.stopped(thrown ?? STOPPED_EARLY);
      return dialogue.conclude(last);
    },
  };
}

const STOPPED_EARLY = new Error("Mastra ended its loop before the model had come to an end");

/** A turn as Mastra may see it. */
const shown = ({ text, calls, reply }: ModelTurn): LanguageModelV4GenerateResult => ({
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

/** The last turn of an act that has ended. */
const NOTHING: LanguageModelV4GenerateResult = {
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
