import { commandLineOwner } from "../../domain/identity.ts";
import { type Action, actions } from "../../domain/proposal/action.ts";
import { changeSafeOutput } from "../../garden/agents/safe-outputs.ts";
import { addGrants } from "../../garden/core/access/grant.ts";
import { setOwnValuesRule } from "../../garden/core/access/own-values.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { readAgent } from "../../garden/records/agents/read-agent.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { usageError } from "../failures.ts";
import { choiceOption, textOption } from "../options.ts";

/** Adds an action to `safe_outputs` of the contract and, with `--on`, other agents to `grants` of `garden.yaml`. */
export async function allowOutput(context: CommandContext, garden: Garden, slug: string): Promise<CommandReport> {
  if (context.options["own-values"] === true) return await changeOwnValues(garden, slug, true);
  const on = (textOption(context, "on") ?? "").split(/[\s,]+/).filter((name) => name !== "");
  // A misspelt name would grant nothing and stay unnoticed.
  for (const name of [slug, ...on]) await readAgent(garden.store, name);
  if (on.length > 0 && textOption(context, "output") === undefined) return await grantObserver(garden, slug, on);
  const action = requireAction(context);
  const commit =
    on.length === 0 ? undefined : await addGrants(garden, { agent: slug, action, on, by: commandLineOwner });
  const { safe_outputs, changed } = await changeSafeOutput(garden, {
    slug,
    action,
    allowed: true,
    by: commandLineOwner,
    reason: textOption(context, "reason"),
  });
  const of = on.length === 0 ? "" : ` (${on.join(", ")})`;
  return {
    text: {
      en: `${slug} may ${changed ? "now " : ""}propose ${action}${of}. You still decide on each proposal.`,
      uk: `${slug} ${changed ? "тепер " : ""}може просити про ${action}${of}. Рішення лишаються за вами.`,
    },
    json: { slug, safe_outputs, on, changed, commit: commit ?? null },
  };
}

/** A grant without a safe output: the agent may read their logic and runs, and propose nothing (Z-2). */
async function grantObserver(garden: Garden, slug: string, on: readonly string[]): Promise<CommandReport> {
  const commit = await addGrants(garden, { agent: slug, action: "logic-update", on, by: commandLineOwner });
  const { contract } = await readAgent(garden.store, slug);
  const asks = contract.safe_outputs.includes("logic-update");
  return {
    text: {
      en: `${slug} may observe the logic of ${on.join(", ")}${asks ? " and propose changes" : ""}.`,
      uk: `${slug} може доглядати логіку: ${on.join(", ")}${asks ? ", і пропонувати її зміни" : ", як спостерігач"}.`,
    },
    json: { slug, safe_outputs: contract.safe_outputs, on, changed: commit !== undefined, commit: commit ?? null },
  };
}

/** Removes the safe output. Read access stays: the owner removes `grants` in `garden.yaml`. */
export async function forbidOutput(context: CommandContext, garden: Garden, slug: string): Promise<CommandReport> {
  if (context.options["own-values"] === true) return await changeOwnValues(garden, slug, false);
  const action = requireAction(context);
  const { safe_outputs, changed } = await changeSafeOutput(garden, {
    slug,
    action,
    allowed: false,
    by: commandLineOwner,
    reason: textOption(context, "reason"),
  });
  return {
    text: {
      en: `${slug} may ${changed ? "no longer" : "not"} propose ${action}.`,
      uk: `${slug} ${changed ? "більше " : ""}не може просити про ${action}.`,
    },
    json: { slug, safe_outputs, changed },
  };
}

/** P-9: makes or removes the owner's rule for the values that an agent keeps for itself. */
async function changeOwnValues(garden: Garden, slug: string, approve: boolean): Promise<CommandReport> {
  await readAgent(garden.store, slug);
  const commit = await setOwnValuesRule(garden, { slug, approve, by: commandLineOwner });
  return {
    text: approve
      ? {
          en: `A rule approves the values that ${slug} keeps for itself. Revoke: bloom agent forbid ${slug} --own-values`,
          uk: `Правило схвалює значення, які ${slug} зберігає для себе. Скасувати: bloom agent forbid ${slug} --own-values`,
        }
      : {
          en: `You are asked about every value that ${slug} wants to keep.`,
          uk: `Про кожне значення, яке ${slug} хоче зберегти, вирішуєте ви.`,
        },
    json: { slug, own_values: approve ? "approved" : "ask", changed: commit !== undefined, commit: commit ?? null },
  };
}

function requireAction(context: CommandContext): Action {
  const action = choiceOption(context, "output", actions);
  if (action !== undefined) return action;
  throw usageError(
    { en: "missing option --output", uk: "бракує параметра --output" },
    { en: `One of: ${actions.join(", ")}.`, uk: `Одне з: ${actions.join(", ")}.` },
  );
}
