import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
} from "@ai-sdk/provider";

/** One turn of a scripted model. An `input` string is sent verbatim, valid JSON or not. */
export interface ScriptedTurn {
  readonly text?: string;
  readonly calls?: readonly { readonly tool: string; readonly input?: unknown; readonly id?: string }[];
  readonly throws?: unknown;
  readonly hangs?: true;
  readonly finish?: "length" | "content-filter" | "error";
  readonly tokens?: { readonly input?: number; readonly output?: number };
}

export type Script =
  | readonly ScriptedTurn[]
  | ((options: LanguageModelV4CallOptions, turn: number) => ScriptedTurn | Promise<ScriptedTurn>);

export interface ScriptedModel extends LanguageModelV4 {
  /** Every call that was really made, as the model saw it. */
  readonly seen: LanguageModelV4CallOptions[];
}

/** The turn number is derived from the prompt, so that the same prompt gives the same answer in every process. */
export function scriptedModel(script: Script): ScriptedModel {
  const seen: LanguageModelV4CallOptions[] = [];
  return {
    specificationVersion: "v4",
    provider: "offline",
    modelId: "scripted",
    supportedUrls: {},
    seen,
    async doGenerate(options): Promise<LanguageModelV4GenerateResult> {
      seen.push({ ...options, prompt: structuredClone(options.prompt) });
      const turn = options.prompt.filter(({ role }) => role === "assistant").length;
      const said = typeof script === "function" ? await script(options, turn) : (script[turn] ?? script.at(-1)!);
      if (said.hangs) await hang(options.abortSignal);
      if ("throws" in said) throw said.throws;
      const content: LanguageModelV4Content[] = said.text === undefined ? [] : [{ type: "text", text: said.text }];
      for (const [place, { tool, input = {}, id = `call_${turn}_${place}` }] of (said.calls ?? []).entries())
        content.push({
          type: "tool-call",
          toolCallId: id,
          toolName: tool,
          input: typeof input === "string" ? input : JSON.stringify(input),
        });
      const { input, output } = said.tokens ?? { input: 10, output: 5 };
      return {
        content,
        finishReason: { unified: said.finish ?? (said.calls ? "tool-calls" : "stop"), raw: undefined },
        usage: {
          inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: output, text: output, reasoning: 0 },
        },
        warnings: [],
      };
    },
    doStream: () => Promise.reject(new Error("a scripted model does not stream")),
  };
}

/** Waits until the signal is aborted. */
const hang = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true }));
