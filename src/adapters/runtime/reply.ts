import type { LanguageModelV4Content, LanguageModelV4GenerateResult, SharedV4ProviderMetadata } from "@ai-sdk/provider";
import type { Json } from "../../base/canonical.ts";
import { Failure } from "../../base/failure.ts";
import { countTokens } from "../../domain/text/tokens.ts";
import type { TokenCount } from "../../ports/runtime.ts";

/**
 * One reply of a model as the journal records it: text, calls verbatim, tokens. Files, sources and the provider's raw response are
 * dropped.
 */
export interface Reply {
  readonly content: readonly ReplyPart[];
  readonly finish: string;
  readonly tokens: TokenCount;
}

export type ReplyPart = { readonly metadata?: SharedV4ProviderMetadata } & (
  | { readonly type: "text" | "reasoning"; readonly text: string }
  | { readonly type: "call"; readonly id: string; readonly tool: string; readonly input: string }
);

/** Maximum size of one reply. */
export const MAX_REPLY_BYTES = 2 * 1024 * 1024;

export async function replyOf(result: LanguageModelV4GenerateResult, sent: () => string): Promise<Reply> {
  const content = result.content.flatMap(replyParts);
  const text = JSON.stringify(content);
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_REPLY_BYTES) throw tooLarge(bytes);
  const { inputTokens, outputTokens } = result.usage;
  return {
    content: JSON.parse(text) as ReplyPart[],
    finish: result.finishReason.unified,
    tokens: { input: await counted(inputTokens.total, sent), output: await counted(outputTokens.total, () => text) },
  };
}

/** The reported number of tokens; counted here if the server does not report it, so that budgets still apply. */
const counted = async (reported: number | undefined, text: () => string): Promise<number> =>
  reported !== undefined && Number.isFinite(reported) ? Math.max(0, Math.ceil(reported)) : countTokens(text());

function replyParts(part: LanguageModelV4Content): ReplyPart[] {
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
 * Makes a value valid for canonical JSON: replaces unpaired surrogates and turns too deep nesting into text. Returns the same value
 * if nothing has to change.
 */
export function plainData(value: Json): Json {
  if (!dataFault(value)) return value;
  const text = JSON.stringify(value, (_, node: unknown) => (typeof node === "string" ? node.toWellFormed() : node));
  const repaired = JSON.parse(text) as Json;
  return dataFault(repaired) ? text : repaired;
}

const MAX_DATA_DEPTH = 64;

/** The reason why a value cannot be stored in a journal; undefined if it can. */
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
  new Failure("VALIDATION_FAILED", {
    en: `the model answered ${bytes} bytes; the limit is ${MAX_REPLY_BYTES}`,
    uk: `модель відповіла ${bytes} байтами, а відповідь може мати ${MAX_REPLY_BYTES}`,
    details: { bytes, limit: MAX_REPLY_BYTES },
  });
