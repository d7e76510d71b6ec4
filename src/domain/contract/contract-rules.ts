import { isScalar } from "yaml";
import type { Text } from "../../base/text.ts";
import { type Action, isAction } from "../proposal/action.ts";
import type { ParsedYaml, YamlProblem } from "../text/checked-yaml.ts";
import { contractExpectations } from "./contract-words.ts";
import { cronProblem } from "./cron.ts";
import { EACH_NAME_ONCE, EMPTY_LIST, foundQuoted, foundTwice, MARK_OUTSIDE_QUOTES, markInQuotes } from "./failures.ts";
import { branchTools, safeOutputTools, servedBy } from "./tool.ts";

/** Checks that the schema cannot express. Each rule checks one thing. */
export function contractRuleProblems(parsed: ParsedYaml): YamlProblem[] {
  const { value } = parsed;
  if (typeof value !== "object" || value === null) return [];
  const front = value as Readonly<Record<string, unknown>>;
  const problem = (path: readonly string[], found: Text, expected: Text): YamlProblem => ({
    line: parsed.lineOf(path),
    field: path.join("."),
    found,
    expected,
  });
  const problems: YamlProblem[] = [];

  const { triggers } = front;
  const cron: unknown = typeof triggers === "object" && triggers !== null && "cron" in triggers ? triggers.cron : null;
  const wrong = typeof cron === "string" ? cronProblem(cron) : undefined;
  if (wrong) problems.push(problem(["triggers", "cron"], foundQuoted(String(cron)), wrong));

  for (const field of ["tools", "safe_outputs"]) {
    const names = texts(front[field]) ?? [];
    const twice = new Set(names.filter((name, index) => names.indexOf(name) < index));
    for (const name of twice) problems.push(problem([field], foundTwice(name), EACH_NAME_ONCE));
  }

  // Without quotes YAML takes the mark for a comment, and the hand edit would go unnoticed (D-6).
  const origin: unknown = parsed.document.getIn(["generated_from"], true);
  if (isScalar(origin) && /modified manually/.test(origin.comment ?? ""))
    problems.push(problem(["generated_from"], MARK_OUTSIDE_QUOTES, markInQuotes(String(origin.value))));

  const written = branchTools.filter((tool) => texts(front["tools"])?.includes(tool));
  if (written.length > 0 && front["workspace"] !== "session")
    problems.push(problem(["tools"], foundQuoted(written.join(", ")), contractExpectations.session_workspace));

  // Drafts may be incomplete, and archived agents do nothing (source 001 §4.2).
  if (front["status"] === "active" || front["status"] === "paused" || front["status"] === "error") {
    const lack = missingAbility({ tools: texts(front["tools"]), safe_outputs: texts(front["safe_outputs"]) });
    if (lack) problems.push(problem([lack.field], lack.found, lack.expected));
    const outputs = texts(front["safe_outputs"]);
    if (front["workspace"] === "session" && outputs && !outputs.includes("propose-merge"))
      problems.push(problem(["safe_outputs"], foundQuoted(outputs.join(", ")), contractExpectations.session_output));
  }
  return problems;
}

export interface MissingAbility {
  readonly field: "tools" | "safe_outputs";
  readonly found: Text;
  readonly expected: Text;
}

/** C-5: the reason why an agent with these tools and outputs could never affect anything; undefined if it can. */
export function missingAbility(contract: {
  readonly tools: readonly string[] | undefined;
  readonly safe_outputs: readonly string[] | undefined;
}): MissingAbility | undefined {
  const { tools, safe_outputs: outputs } = contract;
  if (!tools || !outputs) return undefined; // missing or of a wrong type: the schema reports it
  if (tools.length === 0) return { field: "tools", found: EMPTY_LIST, expected: contractExpectations.some_tools };
  if (outputs.length === 0)
    return { field: "safe_outputs", found: EMPTY_LIST, expected: contractExpectations.some_outputs };
  const served = new Set<Action>(tools.flatMap(servedBy));
  if (outputs.some((output) => isAction(output) && served.has(output))) return undefined;
  return {
    field: "tools",
    found: { en: "no tool that can propose a safe output", uk: "немає інструмента, що пропонує safe output" },
    expected: {
      en: `one of ${safeOutputTools.join(", ")} that serves ${outputs.join(", ")}`,
      uk: `один із ${safeOutputTools.join(", ")}, що обслуговує ${outputs.join(", ")}`,
    },
  };
}

/**
 * True if the agent's safe outputs include this action (P-3). The tool `write-memory` also allows an observation in
 * the agent's own memory and nothing more, as in source 001 §6.2.
 */
export const mayPropose = (
  contract: { readonly tools: readonly string[]; readonly safe_outputs: readonly string[] },
  action: Action,
  payload: unknown,
): boolean =>
  contract.safe_outputs.includes(action) ||
  (action === "memory-update" && contract.tools.includes("write-memory") && onlyObserves(payload));

/**
 * The tags of a payload that the contract does not allow to add or to remove (I-1); empty if all are allowed. Takes the payload as it
 * was sent: a part that is no list is refused by the check of its shape.
 */
export function forbiddenTags(
  { tags }: { readonly tags?: { readonly change: string; readonly only?: readonly string[] | undefined } | undefined },
  payload: unknown,
): { readonly add: readonly string[]; readonly remove: readonly string[] } {
  const sent = (typeof payload === "object" && payload !== null ? payload : {}) as Record<string, unknown>;
  const isForbidden = (way: "add" | "remove") => (tag: string) =>
    tags !== undefined &&
    ((tags.change !== "both" && tags.change !== way) || (tags.only !== undefined && !tags.only.includes(tag)));
  return {
    add: [...(texts(sent["add"]) ?? []), ...(texts(sent["tags"]) ?? [])].filter(isForbidden("add")),
    remove: (texts(sent["remove"]) ?? []).filter(isForbidden("remove")),
  };
}

const onlyObserves = (payload: unknown): boolean => {
  const asked: unknown =
    typeof payload === "object" && payload !== null && "operations" in payload && payload.operations;
  return (
    Array.isArray(asked) && asked.length > 0 && asked.every((one: { op?: unknown } | null) => one?.op === "observe")
  );
};

const texts = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : undefined;
