import { z } from "zod";
import type { Json } from "../../base/canonical.ts";

/**
 * What a run is handed as data, at the very beginning of its prompt: one line of JSON in a fence. Everybody reads it alike, people,
 * language models and the follower; and because JSON has no line breaks in its texts, nothing in it can close the fence.
 */
export interface RunBlock {
  readonly run?: string | undefined;
  /** When the run began. */
  readonly time?: string | undefined;
  readonly input: { readonly [name: string]: Json };
  /** The one icon that is asked about, where it is not the whole procedure. */
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

/** The block that a prompt begins with; an empty one if it does not. */
export function readRunBlock(prompt: string): RunBlock {
  const [fence, line = "", end] = prompt.trimStart().split("\n", 3);
  if (fence?.trimEnd() !== FENCE || end?.trimEnd() !== "```") return { input: {} };
  try {
    const value: unknown = JSON.parse(line);
    // Not what zod makes of it: that leaves out a key called `__proto__`.
    return shape.safeParse(value).success ? (value as RunBlock) : { input: {} };
  } catch {
    return { input: {} };
  }
}

/** The prompt with further input in its block; what is there already stays. */
export function withInput(prompt: string, more: RunBlock["input"]): string {
  const block = readRunBlock(prompt);
  const input = { ...more, ...block.input };
  const rest = prompt.trimStart().startsWith(FENCE)
    ? prompt.trimStart().split("\n").slice(3).join("\n")
    : `\n${prompt}`;
  return `${writeRunBlock({ ...block, input })}\n${rest}`;
}
