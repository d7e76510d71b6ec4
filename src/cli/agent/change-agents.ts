import type { Text } from "../../base/text.ts";
import type { AgentState } from "../../domain/contract/agent-state.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { contractKey } from "../../domain/layout.ts";
import { createAgent } from "../../garden/agents/lifecycle/create-agent.ts";
import { deleteAgent } from "../../garden/agents/lifecycle/delete-agent.ts";
import type { NewAgentWish } from "../../garden/agents/lifecycle/first-files.ts";
import { changeAgentStatus } from "../../garden/agents/lifecycle/change-status.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { type Context, type Report, textOption } from "../command.ts";
import { readFile } from "../diagram/diagram-files.ts";
import { wrongUse } from "../parse.ts";

/** A new agent, with the first version of its logic. */
export async function newAgent(context: Context, garden: Garden, slug: string): Promise<Report> {
  const from = await sourceAsked(context);
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
  return {
    text: {
      en: `Made the agent ${slug}: a draft, version ${contract.version}, logic ${logic}.\n${NEXT.en(slug)}`,
      uk: `Створено агента ${slug}: чернетка, версія ${contract.version}, логіка ${logic}.\n${NEXT.uk(slug)}`,
    },
    json: { slug, file: contractKey(slug), contract },
  };
}

const NEXT = {
  en: (slug: string) =>
    `Edit ${contractKey(slug)} in the store, then \`bloom agent check ${slug}\` and \`bloom agent activate ${slug}\`.`,
  uk: (slug: string) =>
    `Відредагуйте ${contractKey(slug)} у сховищі, тоді \`bloom agent check ${slug}\` і \`bloom agent activate ${slug}\`.`,
};

async function sourceAsked(context: Context): Promise<NewAgentWish["from"]> {
  const [diagram, folder, prose] = [
    textOption(context, "diagram"),
    textOption(context, "from"),
    context.options["prose"] === true,
  ];
  if ([diagram, folder, prose || undefined].filter((one) => one !== undefined).length > 1) {
    throw wrongUse(
      { en: "a new agent has one origin", uk: "у нового агента одне походження" },
      { en: "Use one of --diagram, --from and --prose.", uk: "Вкажіть одне з --diagram, --from і --prose." },
    );
  }
  if (diagram !== undefined) return { kind: "diagram", file: diagram, bytes: await readFile(context, diagram) };
  if (folder !== undefined) return { kind: "folder", folder: context.ground.folders.at(context.path(folder)) };
  return prose ? { kind: "prose" } : { kind: "template" };
}

/** One of the owner's moves between states. */
export async function moveAgent(context: Context, garden: Garden, slug: string, to: AgentState): Promise<Report> {
  const changed = await changeAgentStatus(garden, {
    slug,
    to,
    by: commandLineOwner,
    reason: textOption(context, "reason"),
  });
  const text: Text = {
    en: `${slug}: ${changed.from} → ${changed.status}`,
    uk: `${slug}: ${changed.from} → ${changed.status}`,
  };
  return { text, json: changed };
}

export async function removeAgent(context: Context, garden: Garden, slug: string): Promise<Report> {
  const confirm = textOption(context, "confirm") ?? "";
  const { removed } = await deleteAgent(garden, {
    slug,
    by: commandLineOwner,
    confirm,
    reason: textOption(context, "reason"),
  });
  return {
    text: {
      en: `Deleted ${slug} (${removed} objects); a record of what was there is in audit/.`,
      uk: `Видалено ${slug} (об'єктів: ${removed}); запис про те, що було, лишився в audit/.`,
    },
    json: { slug, removed },
  };
}
