import { z } from "zod";
import { isOid } from "../domain/git/git-names.ts";
import { slugField } from "../domain/identity.ts";
import { processRoles } from "../domain/peer.ts";
import { gateChecks } from "../garden/records/agents/gate-check.ts";

/** Schemas that several routes share. */
const MAX_PAGE = 500;

/** A whole number in a query string, from 1 to `most`. */
export const wholeNumber = (usual: number, most: number, least = 1) =>
  z
    .string()
    .regex(/^\d{1,6}$/, { error: "number" })
    .transform(Number)
    .refine((value) => value >= least && value <= most, { error: "number" })
    .default(usual);

export const pageQuery = { after: z.string().min(1).max(1000).optional(), limit: wholeNumber(100, MAX_PAGE) };

export const commitId = z.string().refine(isOid, { error: "commit" });
export const slugParams = z.strictObject({ slug: slugField });
export const agentParams = z.strictObject({ agentId: slugField });
export const digest = z.string().regex(/^[0-9a-f]{40}$/, { error: "digest" });
export const proposalId = z.string().regex(/^prop_[0-9a-z_-]{1,60}$/, { error: "proposal" });
export const textShape = z.strictObject({ uk: z.string(), en: z.string() }).meta({ id: "Text" });
export const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, { error: "month" });

/** The activation checks of a contract, and its problems by line (C-3, C-4). */
export const contractChecks = {
  checks: z.array(
    z.object({
      id: z.enum(gateChecks),
      title: textShape,
      result: z.enum(["pass", "warning", "fail", "skipped"]),
      words: textShape,
    }),
  ),
  problems: z.array(
    z.object({
      line: z.int(),
      field: z.string(),
      found: textShape,
      expected: textShape,
      suggestion: z.string().optional(),
    }),
  ),
} as const;

/** O-10. `url`, `host`, `working_on` and `key_id` are for the owner only. */
export const peerShape = z.object({
  id: z.string(),
  role: z.enum(processRoles),
  version: z.string(),
  started_at: z.iso.datetime(),
  seen_at: z.iso.datetime(),
  age_s: z.int(),
  present: z.boolean(),
  running: z.int(),
  url: z.string().optional(),
  host: z.string().optional(),
  working_on: z.array(z.string()).optional(),
  key_id: z.string().optional(),
});
