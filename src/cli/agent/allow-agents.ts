import { didYouMean } from "../../base/did-you-mean.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { type Action, actions, isAction } from "../../domain/proposal/action.ts";
import { changeSafeOutput } from "../../garden/agents/safe-outputs.ts";
import { grantOn } from "../../garden/core/access/grant.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { readAgent } from "../../garden/records/agents/read-agent.ts";
import { type Context, type Report, textOption } from "../command.ts";
import { wrongUse } from "../parse.ts";

/** The owner's word about what an agent may ask for, and about whose: `safe_outputs` of its contract, `grants` of `garden.yaml`. */
export async function allowOutput(context: Context, garden: Garden, slug: string): Promise<Report> {
  const on = (textOption(context, "on") ?? "").split(/[\s,]+/).filter((name) => name !== "");
  // A name that is misspelt grants nothing and would not be noticed.
  for (const name of [slug, ...on]) await readAgent(garden.store, name);
  if (on.length > 0 && textOption(context, "output") === undefined) return await letLook(garden, slug, on);
  const action = actionAsked(context);
  const commit = on.length === 0 ? undefined : await grantOn(garden, { agent: slug, action, on, by: commandLineOwner });
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
      en: `${slug} may ${changed ? "now " : ""}ask for ${action}${of}. Decisions stay yours.`,
      uk: `${slug} ${changed ? "тепер " : ""}може просити про ${action}${of}. Рішення лишаються за вами.`,
    },
    json: { slug, safe_outputs, on, changed, commit: commit ?? null },
  };
}

/** A grant without a safe output: it reads their logic and runs, and can ask for nothing (Z-2). */
async function letLook(garden: Garden, slug: string, on: readonly string[]): Promise<Report> {
  const commit = await grantOn(garden, { agent: slug, action: "logic-update", on, by: commandLineOwner });
  const { contract } = await readAgent(garden.store, slug);
  const asks = contract.safe_outputs.includes("logic-update");
  return {
    text: {
      en: `${slug} may look after the logic of ${on.join(", ")}${asks ? ", and propose changes of it" : ", as an observer"}.`,
      uk: `${slug} може доглядати логіку: ${on.join(", ")}${asks ? ", і пропонувати її зміни" : ", як спостерігач"}.`,
    },
    json: { slug, safe_outputs: contract.safe_outputs, on, changed: commit !== undefined, commit: commit ?? null },
  };
}

/** What it may read stays: `grants` are for the owner to take away in `garden.yaml`. */
export async function forbidOutput(context: Context, garden: Garden, slug: string): Promise<Report> {
  const action = actionAsked(context);
  const { safe_outputs, changed } = await changeSafeOutput(garden, {
    slug,
    action,
    allowed: false,
    by: commandLineOwner,
    reason: textOption(context, "reason"),
  });
  return {
    text: {
      en: `${slug} may ${changed ? "no longer" : "not"} ask for ${action}.`,
      uk: `${slug} ${changed ? "більше " : ""}не може просити про ${action}.`,
    },
    json: { slug, safe_outputs, changed },
  };
}

function actionAsked(context: Context): Action {
  const asked = textOption(context, "output");
  if (asked !== undefined && isAction(asked)) return asked;
  const meant = asked === undefined ? undefined : didYouMean(asked, actions);
  throw wrongUse(
    asked === undefined
      ? { en: "which action?", uk: "яку дію?" }
      : { en: `no such action: ${asked}`, uk: `немає такої дії: ${asked}` },
    meant === undefined
      ? {
          en: `Use --output with one of ${actions.join(", ")}.`,
          uk: `Вкажіть --output, одне з: ${actions.join(", ")}.`,
        }
      : { en: `Did you mean --output ${meant}?`, uk: `Можливо, --output ${meant}?` },
  );
}
