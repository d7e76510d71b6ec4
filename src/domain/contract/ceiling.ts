import { z } from "zod";

const names = z.array(z.string());
const left = z.int().nonnegative();

/**
 * Everything that a run may do. The run of a sub-agent has a ceiling of this form in its request: the capabilities of the run that asked
 * for it. A list of folders that is left out means all notes; a limit that is left out means no limit.
 */
export const capabilities = z.strictObject({
  tools: names,
  safe_outputs: names,
  /** Folders whose notes it may read and write, with the notes root. */
  reads: names.optional(),
  writes: names.optional(),
  hosts: names,
  mcp: z.array(z.strictObject({ name: z.string(), url: z.string(), tools: names })),
  /** Agents whose memory it may read beside its own. */
  memories: names,
  tokens: left.optional(),
  calls: left.optional(),
  /** Levels of sub-agents below it, and their number in all. */
  depth: left,
  agents: left,
  /** Limits of `propose-tag` (I-1): each of them counts. */
  tags: z.array(z.strictObject({ change: z.string(), only: names.optional() })),
  /** The agents that led to the run: a grant of `garden.yaml` counts only if each of them has it. */
  lineage: names,
});
export type Capabilities = z.infer<typeof capabilities>;
