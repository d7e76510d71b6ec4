import { z } from "zod";
import { isSlug } from "../../../domain/contract/slug.ts";

/** Fields that several tools share. */
export const nameField = z
  .string({ error: "name" })
  .regex(/^(?=.*\S)[^\u0000-\u001f\u007f]{1,500}$/, { error: "name" });
export const limitField = z.int({ error: "limit" }).min(1, { error: "limit" }).max(100, { error: "limit" });
export const agentField = z.string({ error: "slug" }).refine(isSlug, { error: "slug" });
export const reasonField = z.string({ error: "reason" }).min(1, { error: "reason" }).max(20_000, { error: "reason" });
export const folderField = z
  .string({ error: "path" })
  .max(1000, { error: "path" })
  .refine((path) => path !== "" && !path.split("/").includes(".."), { error: "path" });
