import { group } from "../../../../domain/text/checked-yaml.ts";
import { currentSettings } from "../../../core/access/current-settings.ts";
import { hasGrant } from "../../../core/access/grant.ts";
import { findAgent } from "../../../records/agents/read-agent.ts";
import { findLogic } from "../../../records/logic/logic-state.ts";
import { agentField } from "../input-fields.ts";
import { expectLogicAccess, ownLogicForbidden } from "../read-access.ts";
import { gardenTool, type ToolContext } from "../tool.ts";

const MOST_AGENTS = 50;

/**
 * The agents whose logic this agent may optimise, by the owner's `grants`, with the owner's thresholds (Z-6). The agent itself is
 * listed only if a grant names it: reading its own logic needs no grant, analysing it does.
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
    const config = await currentSettings(garden);
    const mayRead = (on: string): boolean =>
      hasGrant(config, slug, "logic-update", on) || hasGrant(config, slug, "logic-rollback", on);
    if (only === slug && !mayRead(slug)) throw ownLogicForbidden(slug);
    if (only) await expectLogicAccess(context, only);
    const named = only ? [only] : [...new Set(config.grants.flatMap(({ on }) => on))].filter(mayRead).toSorted();
    const asks = (await findAgent(garden.store, slug))?.contract.safe_outputs.includes("logic-update") ?? false;
    const { success_below, tokens_above, enough_runs } = config.learning;
    const rows = [];
    for (const on of named.slice(0, MOST_AGENTS)) {
      const found = await seen(context, on);
      if (!found || found.status === "archived") continue;
      const version = (await findLogic(garden.repo, commit, on))?.meta.logicVersion;
      if (version === undefined) continue; // it has no logic yet
      rows.push({
        agent: on,
        name: found.name,
        status: found.status,
        logic_version: version,
        may_propose: asks && hasGrant(config, slug, "logic-update", on),
        success_below,
        tokens_above,
        enough_runs,
      });
    }
    return rows;
  },
});

/** Undefined also for an invalid contract: its owner must repair it before its logic is optimised. */
const seen = async ({ garden }: ToolContext, slug: string) =>
  (await findAgent(garden.store, slug).catch(() => undefined))?.contract;
