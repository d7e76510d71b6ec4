import { z } from "zod";

const hash = z.string().regex(/^[0-9a-f]{40}$/);

/** The commit or objects that an attempt will write, recorded before anything is visible. */
export const applyPlan = z.strictObject({
  /** The pinned main, and the commit built on it; undefined if git is not changed. */
  head: hash.optional(),
  commit: hash.optional(),
  /** Store objects that will be written, by key, with their future hashes. */
  objects: z.array(z.strictObject({ key: z.string(), hash })).default([]),
});
export type ApplyPlan = z.infer<typeof applyPlan>;
