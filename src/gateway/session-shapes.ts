import { z } from "zod";

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
export const consoleEntry = z.looseObject({ at: z.string().optional(), kind: z.string(), text: z.string() });
