import type { Text } from "../../../base/text.ts";
import type { Contract } from "../../contract/contract.ts";
import type { Action } from "../../proposal/action.ts";
import { NO_COUNTERPART } from "../key-ledger.ts";
import { groupOf, isPositive, plainLabels } from "./gh-aw-grants.ts";
import type { WorkflowPart } from "./gh-aw-merge.ts";
import { otherOutputs, outputActions } from "./gh-aw-words.ts";

export interface MappedOutputs {
  readonly actions: ReadonlySet<Action>;
  /** The most proposals in one run: the sum of all `max`. */
  readonly most: number;
  readonly kept: readonly string[];
  /** The limits of `propose-tag`. */
  readonly tags?: Contract["tags"];
}

/** Options with these names are limits or forms of the output that a model can respect. */
const KEPT_OPTIONS = new Set(
  "title-prefix labels category expires allowed target target-repo allowed-repos draft assignees reviewers base-branch branch-prefix required-labels required-title-prefix required-category close-older-discussions close-older-issues hide-older-comments if-no-changes fallback-as-issue allow-empty auto-expire discussions issues title body status allowed-exts group side footer protected-files".split(
    " ",
  ),
);

/** The actions of `safe-outputs` over a workflow and its includes; the main file's settings of an output count first. */
export function mapOutputs(parts: readonly WorkflowPart[], taken: string[]): MappedOutputs {
  const actions = new Set<Action>();
  const kept: string[] = [];
  const seen = new Set<string>();
  const labels = new Map<string, readonly string[] | undefined>();
  let most = 0;
  for (const { source, ledger } of parts) {
    const outputs = source.front["safe-outputs"];
    if (outputs === undefined) continue;
    let some = false;
    for (const [output, options] of Object.entries(groupOf(outputs))) {
      const path = ["safe-outputs", output];
      const action = outputActions[output];
      const other = otherOutputs[output];
      if (seen.has(output)) ledger.tell(path, "lost", OVERRIDDEN);
      else if (options === false) ledger.tell(path, "mapped", SWITCHED_OFF);
      else if (action !== undefined) {
        actions.add(action);
        some = true;
        ledger.tell(path, "mapped", becomes(action), "safe_outputs");
        const { max } = groupOf(options);
        if (max !== undefined)
          ledger.tell([...path, "max"], "mapped", isPositive(max) ? MAX : MAX_ONE, "budget.proposals");
        most += isPositive(max) ? max : 1;
        const only = action === "propose-tag" ? plainLabels(groupOf(options)["allowed"]) : undefined;
        if (action === "propose-tag") labels.set(output, only);
        if (only) ledger.tell([...path, "allowed"], "mapped", ONLY, "tags.only");
        for (const [name, value] of Object.entries(groupOf(options))) {
          if (!KEPT_OPTIONS.has(name) || (name === "allowed" && only)) continue;
          ledger.tell([...path, name], "kept", OPTION, "body");
          kept.push(`${output}.${name}: ${JSON.stringify(value)}`);
        }
      } else if (other) ledger.tell(path, ...other);
      else {
        ledger.tell(path, "lost", NO_COUNTERPART);
        taken.push(`safe-outputs.${output}`);
      }
      seen.add(output);
    }
    ledger.tell(["safe-outputs"], some ? "mapped" : "lost", some ? PROPOSES : NONE, ...(some ? ["safe_outputs"] : []));
  }
  return { actions, most, kept, ...(labels.size > 0 && { tags: tagLimits(labels) }) };
}

/** One list counts for both ways, so it holds only what each way allows. */
function tagLimits(labels: ReadonlyMap<string, readonly string[] | undefined>): NonNullable<Contract["tags"]> {
  const lists = [...labels.values()].filter((list) => list !== undefined);
  const only = lists[0]?.filter((tag) => lists.every((list) => list.includes(tag)));
  const change = labels.size === 2 ? "both" : labels.has("add-labels") ? "add" : "remove";
  return { change, ...(only && { only }) };
}

const becomes = (action: Action): Text => ({
  en: `${action}: a person decides about each`,
  uk: `${action}: про кожну вирішує людина`,
});
const PROPOSES: Text = { en: "proposals, each decided by a person", uk: "пропозиції, кожну вирішує людина" };
const NONE: Text = { en: "none of them has a counterpart", uk: "жоден не має відповідника" };
const ONLY: Text = { en: "no other tags", uk: "жодних інших тегів" };
const MAX: Text = {
  en: "part of the most proposals in one run",
  uk: "частина найбільшої кількості пропозицій за запуск",
};
const MAX_ONE: Text = { en: "not a number above zero: counted as 1", uk: "не число, більше за нуль: враховано як 1" };
const OPTION: Text = {
  en: "a line of the instructions: a model may respect it, nothing enforces it",
  uk: "рядок інструкцій: модель може його дотримати, але ніщо не примушує",
};
const OVERRIDDEN: Text = { en: "the including file sets this output itself", uk: "цей вихід задає файл, що приєднує" };
const SWITCHED_OFF: Text = { en: "switched off in the source, and here", uk: "вимкнено в джерелі, і тут" };
