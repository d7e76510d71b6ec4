import { isInFolder } from "../note/note-name.ts";
import { actionTable } from "../proposal/action.ts";
import type { OperationOf } from "../proposal/operation.ts";
import type { Proposal } from "../proposal/proposal.ts";
import type { GardenConfig } from "./garden-config.ts";

export type Rule = GardenConfig["auto_approve"][number];

/**
 * Finds the owner's rule that approves this proposal (P-9): the first that matches. Never matches logic, merges,
 * proposals of the program itself, memory of high priority (M-4), or proposals of a fork (O-7).
 */
export function ruleFor(
  rules: readonly Rule[],
  proposal: Pick<Proposal, "action" | "source" | "target" | "operation" | "forked_from">,
): { readonly rule: Rule; readonly number: number } | undefined {
  const { action, source, target, operation, forked_from } = proposal;
  if (!actionTable[action].byRule || !source.authenticated || forked_from !== undefined) return undefined;
  if (operation.action === "memory-update" && isForPerson(operation.payload)) return undefined;
  const at = rules.findIndex(
    (rule) =>
      rule.source === source.type &&
      (rule.identity === undefined || isNamed(source.identity, rule.identity)) &&
      rule.actions.includes(action) &&
      (rule.folder === undefined || isInFolder(target, rule.folder)),
  );
  return at < 0 ? undefined : { rule: rules[at]!, number: at + 1 };
}

/** High priority, or a restore of memory (M-5). */
const isForPerson = ({ priority, operations }: OperationOf<"memory-update">["payload"]): boolean =>
  priority === "high" || operations.some(({ op }) => op === "restore");

/**
 * `webhook:calendar` may be written as `calendar`, `guest:choir` as `choir`: the rule's `source` implies the prefix.
 */
const isNamed = (identity: string, name: string): boolean => identity === name || identity.endsWith(`:${name}`);

/** The rule as a decision records it: `auto_approve[1] agent archivist: propose-tag in notes/music`. */
export function ruleText({ source, identity, actions, folder }: Rule, number: number): string {
  const who = identity === undefined ? source : `${source} ${identity}`;
  return `auto_approve[${number}] ${who}: ${actions.join(", ")}${folder === undefined ? "" : ` in ${folder}`}`;
}
