import { z } from "zod";
import type { RunTool } from "../../../ports/runtime.ts";

const known = new WeakMap<z.ZodType, readonly string[]>();

/** The names of a tool's arguments, in the order of its schema. */
export function argumentFields({ input }: Pick<RunTool, "input">): readonly string[] {
  const there = known.get(input);
  if (there) return there;
  const { properties } = z.toJSONSchema(input, { io: "input", target: "draft-7", unrepresentable: "any" });
  const fields = Object.keys(properties ?? {});
  known.set(input, fields);
  return fields;
}
