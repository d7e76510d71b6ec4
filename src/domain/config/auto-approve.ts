import { isInFolder } from "../note/note-name.ts";
import { actionTable } from "../proposal/action.ts";
import type { OperationOf } from "../proposal/operation.ts";
import type { Proposal } from "../proposal/proposal.ts";
import type { GardenConfig } from "./garden-config.ts";

export type Rule = GardenConfig["auto_approve"][number];

/**
 * Finds the owner's rule that approves this proposal (P-9): the first that matches. Never matches logic, merges,
 * proposals of the program itself, memory of high priority (M-4), proposals of a fork (O-7), or imported ones (I-2), whose
 * senders nobody authenticated.
 */
export function ruleFor(
  rules: readonly Rule[],
  proposal: Pick<Proposal, "action" | "source" | "target" | "operation" | "forked_from">,
): { readonly rule: Rule; readonly number: number } | undefined {
  const { action, source, target, operation, forked_from } = proposal;
  if (!actionTable[action].byRule || !source.authenticated || forked_from !== undefined || source.legacy)
    return undefined;
  if (operation.action === "memory-update" && isForPerson(operation.payload)) return undefined;
  const at = rules.findIndex(
    (rule) =>
      rule.source === source.type &&
      (rule.identity === undefined || isNamed(source.identity, rule.identity)) &&
      rule.actions.includes(action) &&
      (rule.folder === undefined || isInFolder(target, rule.folder)) &&
      (rule.only === undefined || setsOwnValuesOnly(proposal)),
  );
  return at < 0 ? undefined : { rule: rules[at]!, number: at + 1 };
}

/** An agent's bookkeeping: named values of its own memory, without an observation or any other file. */
const setsOwnValuesOnly = ({ source, operation }: Pick<Proposal, "source" | "operation">): boolean =>
  operation.action === "memory-update" &&
  source.type === "agent" &&
  source.identity === operation.payload.agent &&
  operation.payload.operations.every(
    (one) => one.op === "observe" && one.text.trim() === "" && one.values !== undefined,
  );

/** The name of a rule in records and commits (P-10d): `rule:tags`, or `rule:2` for the second rule. */
export const ruleName = ({ name }: Rule, number: number): string => `rule:${name ?? number}`;

/** The rule that approves an agent's bookkeeping, as `bloom agent allow --own-values` writes it. */
export const ownValuesRule = (slug: string): Rule => ({
  name: `values-of-${slug}`.slice(0, 63).replace(/-+$/, ""),
  source: "agent",
  identity: slug,
  actions: ["memory-update"],
  only: "own-values",
});

/** True for a rule that approves the bookkeeping of this agent alone. */
export const isOwnValuesRule = (rule: Rule, slug: string): boolean =>
  rule.only === "own-values" && rule.source === "agent" && rule.identity === slug;

/** High priority, or a restore of memory (M-5). */
const isForPerson = ({ priority, operations }: OperationOf<"memory-update">["payload"]): boolean =>
  priority === "high" || operations.some(({ op }) => op === "restore");

/**
 * `webhook:calendar` may be written as `calendar`, `guest:choir` as `choir`: the rule's `source` implies the prefix.
 */
const isNamed = (identity: string, name: string): boolean => identity === name || identity.endsWith(`:${name}`);

/** The rule as a decision records it: `auto_approve[1] agent archivist: propose-tag in notes/music`. */
export function ruleText({ source, identity, actions, folder, only }: Rule, number: number): string {
  const who = identity === undefined ? source : `${source} ${identity}`;
  const where = folder === undefined ? "" : ` in ${folder}`;
  return `auto_approve[${number}] ${who}: ${actions.join(", ")}${where}${only === undefined ? "" : ` (${only})`}`;
}
