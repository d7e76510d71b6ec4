import { readStoreName, type StoreConfig } from "../domain/config/store-config.ts";
import { storeNameProblem } from "../domain/config/store-name-problem.ts";
import type { CommandContext } from "./command.ts";
import { usageError } from "./failures.ts";
import { textOption } from "./options.ts";

/** The store that an option names; undefined without the option. */
export function storeOption(context: CommandContext, name: string): StoreConfig | undefined {
  const text = textOption(context, name);
  if (text === undefined) return undefined;
  const problem = storeNameProblem(text);
  if (!problem) return readStoreName(text);
  throw usageError({ en: `--${name}: ${problem.en}`, uk: `--${name}: ${problem.uk}` }, STORE_HINT);
}

export const STORE_HINT = {
  en: "Name `dir`, or s3://BUCKET/PREFIX?endpoint=https://… (in quotes).",
  uk: "Вкажіть `dir` або s3://BUCKET/PREFIX?endpoint=https://… (у лапках).",
};
