import type { LanguageModelV4Content, LanguageModelV4GenerateResult, SharedV4ProviderMetadata } from "@ai-sdk/provider";
import type { Json } from "../../base/canonical.ts";
import { Failure } from "../../base/failure.ts";
import { countTokens } from "../../domain/text/tokens.ts";
import type { Tokens } from "../../ports/runtime.ts";

/**
 * What a model said in one turn, as it goes on record: its words, its calls to the letter, what it cost. Files, sources and raw
 * answers of the provider stay behind.
 */
export interface Reply {
  readonly content: readonly ReplyPart[];
  readonly finish: string;
  readonly tokens: Tokens;
}

export type ReplyPart = { readonly metadata?: SharedV4ProviderMetadata } & (
  | { readonly type: "text" | "reasoning"; readonly text: string }
  | { readonly type: "call"; readonly id: string; readonly tool: string; readonly input: string }
);

/** Of one reply. What is larger is no answer to anything, and would not fit into a journal. */
export const MAX_REPLY_BYTES = 2 * 1024 * 1024;

export async function replyOf(result: LanguageModelV4GenerateResult, sent: () => string): Promise<Reply> {
  const content = result.content.flatMap(said);
  const text = JSON.stringify(content);
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_REPLY_BYTES) throw tooLarge(bytes);
  const { inputTokens, outputTokens } = result.usage;
  return {
    content: JSON.parse(text) as ReplyPart[],
    finish: result.finishReason.unified,
    tokens: {
      input: await counted(inputTokens.total, sent),
      output: await counted(outputTokens.total, () => text),
    },
  };
}

/** A server that does not tell what it used must not make a budget endless: then it is counted here. */
const counted = async (told: number | undefined, text: () => string): Promise<number> =>
  told !== undefined && Number.isFinite(told) ? Math.max(0, Math.ceil(told)) : countTokens(text());

function said(part: LanguageModelV4Content): ReplyPart[] {
  const metadata = "providerMetadata" in part && part.providerMetadata ? { metadata: part.providerMetadata } : {};
  if (part.type === "text" || part.type === "reasoning") return [{ type: part.type, text: part.text, ...metadata }];
  if (part.type !== "tool-call" || part.providerExecuted) return [];
  return [{ type: "call", id: part.toolCallId, tool: part.toolName, input: part.input, ...metadata }];
}

export const replyText = ({ content }: Reply): string =>
  content
    .flatMap((part) => (part.type === "text" ? [part.text] : []))
    .join("")
    .toWellFormed();

/**
 * A value that canonical JSON can hold: halves of surrogate pairs are replaced, and what is nested too deep becomes text. Given
 * back as it is where nothing has to change.
 */
export function plainData(value: Json): Json {
  if (!dataFault(value)) return value;
  const text = JSON.stringify(value, (_, node: unknown) => (typeof node === "string" ? node.toWellFormed() : node));
  const repaired = JSON.parse(text) as Json;
  return dataFault(repaired) ? text : repaired;
}

const MAX_DATA_DEPTH = 64;

/** What about a value does not survive on its way through journals and schemas. */
export function dataFault(node: Json | undefined, depth = 0): string | undefined {
  if (typeof node === "string") return node.isWellFormed() ? undefined : "half of a character";
  if (typeof node !== "object" || node === null) return undefined;
  if (depth >= MAX_DATA_DEPTH) return `values nested deeper than ${MAX_DATA_DEPTH}`;
  for (const [key, member] of Object.entries(node)) {
    if (key === "__proto__") return "a member called __proto__";
    const fault = dataFault(key) ?? dataFault(member, depth + 1);
    if (fault) return fault;
  }
  return undefined;
}

const tooLarge = (bytes: number): Failure =>
  new Failure(
    "VALIDATION_FAILED",
    {
      en: `the model answered ${bytes} bytes, and a reply may have ${MAX_REPLY_BYTES}`,
      uk: `модель відповіла ${bytes} байтами, а відповідь може мати ${MAX_REPLY_BYTES}`,
    },
    { details: { bytes, limit: MAX_REPLY_BYTES } },
  );
