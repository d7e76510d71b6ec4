import { z } from "zod";
import type { Json } from "../../base/canonical.ts";

/**
 * The input of a run at the start of its prompt: one line of JSON in a fence, which people, language models and the
 * follower all read. JSON has no line breaks inside texts, so no input can close the fence.
 */
export interface RunBlock {
  readonly run?: string | undefined;
  /** Start of the run. */
  readonly time?: string | undefined;
  readonly input: { readonly [name: string]: Json };
  /** The single icon to carry out, if it is not the whole procedure. */
  readonly icon?: { readonly line?: number | undefined; readonly text: string } | undefined;
}

const FENCE = "```json run";

const shape = z.strictObject({
  run: z.string().optional(),
  time: z.iso.datetime().optional(),
  input: z.record(z.string(), z.json()),
  icon: z.strictObject({ line: z.int().positive().optional(), text: z.string() }).optional(),
});

export const writeRunBlock = (block: RunBlock): string => `${FENCE}\n${JSON.stringify(block)}\n\`\`\``;

/** The block at the start of a prompt; an empty one if there is none. */
export function readRunBlock(prompt: string): RunBlock {
  const [fence, line = "", end] = prompt.trimStart().split("\n", 3);
  if (fence?.trimEnd() !== FENCE || end?.trimEnd() !== "```") return { input: {} };
  try {
    const value: unknown = JSON.parse(line);
    // Not zod's copy, which drops a key called `__proto__`.
    return shape.safeParse(value).success ? (value as RunBlock) : { input: {} };
  } catch {
    return { input: {} };
  }
}

/** Adds input to the block of a prompt; existing values win. */
export function withInput(prompt: string, more: RunBlock["input"]): string {
  const block = readRunBlock(prompt);
  const input = { ...more, ...block.input };
  const rest = prompt.trimStart().startsWith(FENCE)
    ? prompt.trimStart().split("\n").slice(3).join("\n")
    : `\n${prompt}`;
  return `${writeRunBlock({ ...block, input })}\n${rest}`;
}
