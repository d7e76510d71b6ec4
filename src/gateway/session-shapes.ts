import { z } from "zod";
import { textShape } from "./shapes.ts";

/** Shapes of sessions that several endpoints answer. */

export const sessionCommit = z.object({
  commit: z.string(),
  kind: z.string().nullable(),
  message: z.string(),
  by: z.string(),
  at: z.string(),
  behaviour: z.string().optional(),
  merged: z.string().optional(),
});

/** One thing that a session said, called or got; further fields belong to its kind. */
export const consoleEntry = z.looseObject({
  at: z.string().optional(),
  kind: z.string(),
  text: z.string(),
  /** The number of the run's step. */
  step: z.number().optional(),
});

/** The entries that were bound to a commit. `commit` is the one that they were recorded for. */
export const traceShape = z.looseObject({
  commit: z.string().optional(),
  agent: z.string(),
  entries: z.array(consoleEntry),
  truncated: z.object({ entries: z.int(), bytes: z.int() }).optional(),
});

/** A file in conflict, whole and with markers. */
export const shownConflict = z.object({ path: z.string(), why: textShape, text: z.string().nullable() });

/** S-4: what a person said about the work of a session. */
export const sessionReview = z.object({
  outcome: z.enum(["good", "changes", "comment"]),
  text: z.string(),
  head: z.string(),
  at: z.string(),
  by: z.string(),
});

/** One session with its own commits. */
export const sessionShape = z.object({
  name: z.string(),
  head: sessionCommit,
  goal: z.string().nullable(),
  parent: z.string().nullable(),
  subAgents: z.array(z.string()),
  commits: z.array(sessionCommit),
  isMoved: z.boolean(),
  run: z.string().optional(),
  reviews: z.array(sessionReview),
  pendingEntries: z.int(),
});

/** The traces of a session by commit. */
export const sessionTraceShape = z.object({
  traces: z.array(z.object({ commit: z.string(), traces: z.array(traceShape) })),
});

/** How much each commit of a session changed. */
export const sessionSizesShape = z.object({
  changes: z.array(z.object({ commit: z.string(), files: z.int(), added: z.int(), removed: z.int() })),
});

/** A commit of a session with its files, each as a diff. */
export const sessionFilesShape = z.object({
  commit: sessionCommit,
  body: z.string(),
  files: z.array(
    z.object({
      path: z.string(),
      change: z.enum(["added", "changed", "removed"]),
      added: z.int().optional(),
      removed: z.int().optional(),
      patch: z.string().optional(),
    }),
  ),
  more: z.int(),
});
