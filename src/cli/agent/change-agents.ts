import { joined, type Text, verbatim } from "../../base/text.ts";
import type { AgentState } from "../../domain/contract/agent-state.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { changeAgentStatus } from "../../garden/agents/lifecycle/change-status.ts";
import { deleteAgent } from "../../garden/agents/lifecycle/delete-agent.ts";
import { currentSettings } from "../../garden/core/access/current-settings.ts";
import { approvesOwnValues, setOwnValuesRule } from "../../garden/core/access/own-values.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { readAgent } from "../../garden/records/agents/read-agent.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { textOption } from "../options.ts";
import { modelNote } from "./model-note.ts";

/** Changes the state of an agent. */
export async function moveAgent(
  context: CommandContext,
  garden: Garden,
  slug: string,
  to: AgentState,
): Promise<CommandReport> {
  const changed = await changeAgentStatus(garden, {
    slug,
    to,
    by: commandLineOwner,
    reason: textOption(context, "reason"),
  });
  const lines: Text[] = [verbatim(`${slug}: ${changed.from} → ${changed.status}`)];
  if (changed.edited !== undefined) lines.push(editCommitted(changed.edited));
  const values = to === "active" ? await ownValuesText(context, garden, slug) : undefined;
  const note = to === "active" ? await modelNote(context, garden, slug) : undefined;
  const told = [...lines, values, note].filter((line) => line !== undefined);
  return { text: joined(told, "\n"), json: { ...changed, ...(note && { note }) } };
}

const editCommitted = (commit: string): Text => ({
  en: `Your edit was not committed: commit ${commit.slice(0, 10)} has it, in your name.`,
  uk: `Вашу правку не було закомічено: її має коміт ${commit.slice(0, 10)}, від вашого імені.`,
});

/** Makes the rule for the agent's own values if `--own-values` asks for it; otherwise says how, if the agent keeps values. */
async function ownValuesText(context: CommandContext, garden: Garden, slug: string): Promise<Text | undefined> {
  const { contract } = await readAgent(garden.store, slug);
  const approved = approvesOwnValues(await currentSettings(garden), slug);
  if (context.options["own-values"] === true)
    await setOwnValuesRule(garden, { slug, approve: true, by: commandLineOwner });
  else if (approved || !contract.tools.includes("write-memory")) return undefined;
  return context.options["own-values"] === true
    ? {
        en: `A rule approves the values that it keeps for itself. Revoke: bloom agent forbid ${slug} --own-values`,
        uk: `Правило схвалює значення, які він зберігає для себе. Скасувати: bloom agent forbid ${slug} --own-values`,
      }
    : {
        en: `It may keep values for itself; each needs your approval. A rule: bloom agent allow ${slug} --own-values`,
        uk: `Він може зберігати значення для себе; кожне схвалюєте ви. Правилом: bloom agent allow ${slug} --own-values`,
      };
}

export async function removeAgent(context: CommandContext, garden: Garden, slug: string): Promise<CommandReport> {
  const confirm = textOption(context, "confirm") ?? "";
  const { removed } = await deleteAgent(garden, {
    slug,
    by: commandLineOwner,
    confirm,
    reason: textOption(context, "reason"),
  });
  return {
    text: {
      en: `Deleted ${slug} (${removed} objects). Its files stay in the history of git; the deletion is recorded in audit/.`,
      uk: `Видалено ${slug} (об'єктів: ${removed}). Його файли лишаються в історії git, запис про видалення — в audit/.`,
    },
    json: { slug, removed },
  };
}
