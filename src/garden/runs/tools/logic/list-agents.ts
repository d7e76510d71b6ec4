import { Failure } from "../../../../base/failure.ts";
import { group } from "../../../../domain/text/checked-yaml.ts";
import { settingsNow } from "../../../core/access/current-settings.ts";
import { grants } from "../../../core/access/grant.ts";
import { findAgent } from "../../../records/agents/read-agent.ts";
import { findLogic } from "../../../records/logic/logic-state.ts";
import { agentField } from "../input-fields.ts";
import { expectLogicAccess } from "../read-access.ts";
import { gardenTool, type ToolContext } from "../tool.ts";

const MOST_AGENTS = 50;

/**
 * Whose logic an agent may look after, by the owner's `grants`, with what the owner expects of each (Z-6). It is in the list itself
 * only where a grant names it: reading its own logic needs no leave, judging it does.
 */
export const listAgentsTool = gardenTool({
  name: "list-agents",
  description: {
    en: "The agents whose logic you may read: state, logic version, the owner's thresholds for it, and whether you may propose a change of it. agent: that one only.",
    uk: "Агенти, чию логіку тобі можна читати: стан, версія логіки, пороги, які задав власник, і чи можна пропонувати її зміну. agent: лише цей.",
  },
  input: group({ agent: agentField.nullish() }),
  idempotent: true,
  async call({ agent: only }, context) {
    const { garden, slug, commit } = context;
    const config = await settingsNow(garden);
    const mayRead = (on: string): boolean =>
      grants(config, slug, "logic-update", on) || grants(config, slug, "logic-rollback", on);
    if (only === slug && !mayRead(slug)) throw itself(slug);
    if (only) await expectLogicAccess(context, only);
    const named = only ? [only] : [...new Set(config.grants.flatMap(({ on }) => on))].filter(mayRead).toSorted();
    const asks = (await findAgent(garden.store, slug))?.contract.safe_outputs.includes("logic-update") ?? false;
    const { success_below, tokens_above, enough_runs } = config.learning;
    const rows = [];
    for (const on of named.slice(0, MOST_AGENTS)) {
      const found = await seen(context, on);
      if (!found || found.status === "archived") continue;
      const version = (await findLogic(garden.repo, commit, on))?.meta.logicVersion;
      if (version === undefined) continue; // nothing to look after yet
      rows.push({
        agent: on,
        name: found.name,
        status: found.status,
        logic_version: version,
        may_propose: asks && grants(config, slug, "logic-update", on),
        success_below,
        tokens_above,
        enough_runs,
      });
    }
    return rows;
  },
});

/** A contract that does not hold is its owner's to mend; its logic is not looked after meanwhile. */
const seen = async ({ garden }: ToolContext, slug: string) =>
  (await findAgent(garden.store, slug).catch(() => undefined))?.contract;

const itself = (slug: string): Failure =>
  new Failure("FORBIDDEN", {
    en: `${slug} does not judge its own logic; the owner can let it (grants in garden.yaml: { agent: ${slug}, actions: [logic-update], on: [${slug}] })`,
    uk: `${slug} не судить власну логіку; власник може дозволити (grants у garden.yaml: { agent: ${slug}, actions: [logic-update], on: [${slug}] })`,
  });
