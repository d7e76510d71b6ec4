import { type Language, languages, type Text } from "../../../base/text.ts";
import { contractSchema } from "../../../domain/contract/contract.ts";
import { servedBy, type Tool, tools } from "../../../domain/contract/tool.ts";
import { type Action, actions } from "../../../domain/proposal/action.ts";
import { defaultArgumentNames } from "../../../drakon/expression/argument-names.ts";
import type { Garden } from "../../core/garden.ts";
import { argumentFields } from "../execute/argument-fields.ts";
import { toolsFor } from "./tools.ts";

/** A tool that a contract may name, as people choose it. */
export interface DescribedTool {
  readonly name: Tool;
  /** `find-lines(contains, note, …)`. */
  readonly signature: string;
  readonly about: Text;
  /** Actions that it can propose. */
  readonly serves: readonly Action[];
}

const MOST_ARGUMENTS = 3;

/** Every tool with its arguments and the first sentence of its description. Calls none. */
export function listTools(garden: Garden): readonly DescribedTool[] {
  const made = new Map(languages.map((language) => [language, toolsIn(garden, language)]));
  const about = (index: number, language: Language): string => firstSentence(made.get(language)![index]!.description);
  return tools.map((name, index) => ({
    name,
    signature: signatureOf(name, argumentFields(made.get("en")![index]!)),
    about: { uk: about(index, "uk"), en: about(index, "en") },
    serves: servedBy(name),
  }));
}

function toolsIn(garden: Garden, language: Language) {
  const nothingAsked = (): Promise<never> => Promise.reject(new Error("nothing is asked"));
  return toolsFor({
    garden,
    slug: "list",
    run: "",
    contract: contractSchema.parse({ ...SAMPLE, tools: [...tools], safe_outputs: [...actions] }),
    commit: "0".repeat(40),
    logicVersion: null,
    reader: { name: "none", ask: nothingAsked, health: async () => ({ ok: false, place: "none" }) },
    insight: { inspectLogic: nothingAsked, logicPerformance: nothingAsked },
    identity: { type: "agent", slug: "list", run: "" },
    language,
  });
}

const SAMPLE = {
  name: "Sample",
  slug: "sample",
  version: "1.0.0",
  description: "Sample",
  model: "bloom/follower",
  created_at: "2026-01-01",
  updated_at: "2026-01-01",
  created_by: "owner",
  status: "draft",
} as const;

/** Positional arguments first. */
function signatureOf(name: string, fields: readonly string[]): string {
  const first = (defaultArgumentNames.get(name)?.positional ?? []).filter((field) => fields.includes(field));
  const all = [...first, ...fields.filter((field) => !first.includes(field))];
  return `${name}(${[...all.slice(0, MOST_ARGUMENTS), ...(all.length > MOST_ARGUMENTS ? ["…"] : [])].join(", ")})`;
}

const firstSentence = (text: string): string => /^.*?[.:;](?=\s|$)/u.exec(text)?.[0].replace(/[.:;]$/u, "") ?? text;
