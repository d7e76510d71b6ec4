import { z } from "zod";
import { canonicalJson } from "../../base/canonical.ts";
import { type BehaviourFiles, MAX_BEHAVIOUR_BYTES } from "./travelling-behaviour.ts";

/** A behaviour in one file, for a stick or a letter: the same files under their names. There is one text for one behaviour. */
const behaviourFile = z.strictObject({
  format: z.literal("garden-bloom-behaviour 1"),
  files: z.record(z.string().max(100), z.string()),
});

export const behaviourFileText = (files: BehaviourFiles): string =>
  `${canonicalJson({
    format: "garden-bloom-behaviour 1",
    files: Object.fromEntries([...files].map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")])),
  })}\n`;

/** Undefined for a text that `behaviourFileText` did not write. */
export function readBehaviourFile(text: string): BehaviourFiles | undefined {
  if (text.length > 2 * MAX_BEHAVIOUR_BYTES) return undefined;
  try {
    const { files } = behaviourFile.parse(JSON.parse(text));
    const read = new Map(Object.entries(files).map(([name, base64]) => [name, Buffer.from(base64, "base64")]));
    return behaviourFileText(read) === text ? read : undefined;
  } catch {
    return undefined;
  }
}
