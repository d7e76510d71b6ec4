import type { Text } from "../../base/text.ts";
import { type Expectations, foundText } from "../text/checked-yaml.ts";
import { expectations } from "./garden-config-words.ts";
import { storeConfig, storeNameParts } from "./store-config.ts";

/** The first part of the name of a store that is wrong; undefined if `readStoreName` can read it. */
export function storeNameProblem(text: string): Text | undefined {
  const parts = storeNameParts(text);
  if (!parts) return { en: `not a store: ${text}`, uk: `не сховище: ${text}` };
  const issues = storeConfig.safeParse(parts).error?.issues ?? [];
  // First: a misspelled part is also missing under its right name.
  const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
  if (!issue) return undefined;
  if (issue.code === "unrecognized_keys") {
    const [key] = issue.keys;
    return { en: `unknown part: ${key}`, uk: `невідома частина: ${key}` };
  }
  const part = String(issue.path[0]);
  const value = parts[part];
  if (value === undefined) return { en: `${part} is missing`, uk: `бракує ${part}` };
  const words: Expectations = expectations;
  const [found, expected] = [foundText(value), words[issue.message]!];
  return {
    en: `${part}: ${found.en}; expected ${expected.en}`,
    uk: `${part}: ${found.uk}; потрібно: ${expected.uk}`,
  };
}
