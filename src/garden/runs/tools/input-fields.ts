import { z } from "zod";
import { isSlug } from "../../../domain/contract/slug.ts";

/** Fields that several tools share. */
export const nameField = z.string("name").regex(/^(?=.*\S)[^\u0000-\u001f\u007f]{1,500}$/, "name");
export const limitField = z.int("limit").min(1, "limit").max(100, "limit");
export const agentField = z.string("slug").refine(isSlug, "slug");
export const reasonField = z.string("reason").min(1, "reason").max(20_000, "reason");
export const folderField = z
  .string("path")
  .max(1000, "path")
  .refine((path) => path !== "" && !path.split("/").includes(".."), "path");
