import { joined, type Text, verbatim } from "../../base/text.ts";
import type { AgentState } from "../../domain/contract/agent-state.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { agentFilePath, contractKey } from "../../domain/layout.ts";
import { changeAgentStatus } from "../../garden/agents/lifecycle/change-status.ts";
import { createAgent } from "../../garden/agents/lifecycle/create-agent.ts";
import { deleteAgent } from "../../garden/agents/lifecycle/delete-agent.ts";
import type { NewAgentWish } from "../../garden/agents/lifecycle/first-files.ts";
import { currentSettings } from "../../garden/core/access/current-settings.ts";
import { approvesOwnValues, setOwnValuesRule } from "../../garden/core/access/own-values.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { readAgent } from "../../garden/records/agents/read-agent.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { readFile } from "../diagram/diagram-files.ts";
import { usageError } from "../failures.ts";
import { textOption } from "../options.ts";
import { modelNote } from "./model-note.ts";

/** Creates an agent with the first version of its logic. */
export async function newAgent(context: CommandContext, garden: Garden, slug: string): Promise<CommandReport> {
  const from = await sourceOf(context);
  const { contract } = await createAgent(garden, {
    slug,
    by: commandLineOwner,
    language: context.language,
    name: textOption(context, "name"),
    description: textOption(context, "description"),
    model: textOption(context, "model"),
    from,
  });
  const logic = contract.logic_version ?? "–";
  const file = agentFilePath(garden.config.agents_root, contractKey(slug))!;
  return {
    text: {
      en: `Created agent ${slug}: draft, version ${contract.version}, logic ${logic}.\n${NEXT.en(slug, file)}`,
      uk: `Створено агента ${slug}: чернетка, версія ${contract.version}, логіка ${logic}.\n${NEXT.uk(slug, file)}`,
    },
    json: { slug, file, contract },
  };
}

const NEXT = {
  en: (slug: string, file: string) =>
    `Edit ${file}, then \`bloom agent check ${slug}\` and \`bloom agent activate ${slug}\`.`,
  uk: (slug: string, file: string) =>
    `Відредагуйте ${file}, тоді \`bloom agent check ${slug}\` і \`bloom agent activate ${slug}\`.`,
};

async function sourceOf(context: CommandContext): Promise<NewAgentWish["from"]> {
  const [diagram, folder, prose] = [
    textOption(context, "diagram"),
    textOption(context, "from"),
    context.options["prose"] === true,
  ];
  if ([diagram, folder, prose || undefined].filter((one) => one !== undefined).length > 1) {
    throw usageError(
      { en: "agent new: several sources given", uk: "у нового агента одне походження" },
      { en: "Use one of --diagram, --from and --prose.", uk: "Вкажіть одне з --diagram, --from і --prose." },
    );
  }
  if (diagram !== undefined) return { kind: "diagram", file: diagram, bytes: await readFile(context, diagram) };
  if (folder !== undefined) return { kind: "folder", folder: context.ground.folders.at(context.path(folder)) };
  return prose ? { kind: "prose" } : { kind: "template" };
}

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
