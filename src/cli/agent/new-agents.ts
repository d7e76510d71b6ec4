import type { Text } from "../../base/text.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { agentFilePath, contractKey } from "../../domain/layout.ts";
import { packAgent, packagedSlug } from "../../garden/agents/lifecycle/agent-package.ts";
import { createAgent } from "../../garden/agents/lifecycle/create-agent.ts";
import type { NewAgentWish } from "../../garden/agents/lifecycle/first-files.ts";
import { listTemplates } from "../../garden/agents/templates/list-templates.ts";
import type { Garden } from "../../garden/core/garden.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { readFile, writeFile } from "../diagram/diagram-files.ts";
import { usageError } from "../failures.ts";
import { textOption } from "../options.ts";
import { decodeText } from "../proposals/read-text.ts";
import { alignColumns, inBothLanguages } from "../text-layout.ts";

/** Creates an agent with the first version of its logic. */
export const newAgent = async (context: CommandContext, garden: Garden, slug: string): Promise<CommandReport> =>
  created(context, garden, slug, await sourceOf(context));

async function created(
  context: CommandContext,
  garden: Garden,
  slug: string,
  from: NewAgentWish["from"],
): Promise<CommandReport> {
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
  const next = garden.config.store.kind === "directory" ? editFile(slug, file) : editInBucket(slug, file);
  return {
    text: {
      en: `Created agent ${slug}: draft, version ${contract.version}, logic ${logic}.\n${next.en}`,
      uk: `Створено агента ${slug}: чернетка, версія ${contract.version}, логіка ${logic}.\n${next.uk}`,
    },
    json: { slug, file, contract },
  };
}

const editFile = (slug: string, file: string): Text => ({
  en: `Edit ${file}, then \`bloom agent check ${slug}\` and \`bloom agent activate ${slug}\`.`,
  uk: `Відредагуйте ${file}, тоді \`bloom agent check ${slug}\` і \`bloom agent activate ${slug}\`.`,
});

/** With a bucket, an edit of the file has no effect: git only mirrors what the bucket has. */
const editInBucket = (slug: string, file: string): Text => ({
  en: `Change it with \`bloom agent edit ${slug}\` or in the browser (the bucket counts, ${file} is its copy), then \`bloom agent check ${slug}\` and \`bloom agent activate ${slug}\`.`,
  uk: `Змініть його командою \`bloom agent edit ${slug}\` або в браузері (діє те, що в кошику, а ${file} — копія), тоді \`bloom agent check ${slug}\` і \`bloom agent activate ${slug}\`.`,
});

const SOURCES = ["template", "diagram", "pseudocode", "from"] as const;
const FLAGS = ["prose", "drawing"] as const;

async function sourceOf(context: CommandContext): Promise<NewAgentWish["from"]> {
  const [template, diagram, pseudocode, folder] = SOURCES.map((name) => textOption(context, name));
  const flags = FLAGS.filter((name) => context.options[name] === true);
  if ([template, diagram, pseudocode, folder, ...flags].filter((one) => one !== undefined).length > 1)
    throw severalSources;
  if (diagram !== undefined) return { kind: "diagram", file: diagram, bytes: await readFile(context, diagram) };
  if (pseudocode !== undefined) return { kind: "pseudocode", text: await textOf(context, pseudocode) };
  if (folder !== undefined) return { kind: "folder", folder: context.ground.folders.at(context.path(folder)) };
  return flags[0] === undefined ? { kind: "template", template } : { kind: flags[0] };
}

const severalSources = usageError(
  { en: "agent new: several sources given", uk: "у нового агента одне походження" },
  {
    en: "Use one of --template, --diagram, --drawing, --pseudocode, --from and --prose.",
    uk: "Вкажіть одне з --template, --diagram, --drawing, --pseudocode, --from і --prose.",
  },
);

/** A text file, or standard input for `-`. */
const textOf = async (context: CommandContext, file: string): Promise<string> =>
  decodeText(file === "-" ? await context.machine.input() : await readFile(context, file), file);

/** Creates an agent from a file that `bloom agent export` made, under its own slug or another one. */
export async function importAgent(
  context: CommandContext,
  garden: Garden,
  [file, slug]: readonly string[],
): Promise<CommandReport> {
  const text = await textOf(context, file!);
  return created(context, garden, slug ?? packagedSlug(text), { kind: "file", text });
}

/** Writes the owner's files of one agent into one file; `-` prints it. */
export async function exportAgent(
  context: CommandContext,
  garden: Garden,
  [slug, named]: readonly string[],
): Promise<CommandReport> {
  const packed = await packAgent(garden, slug!);
  const text = `${JSON.stringify(packed, null, 2)}\n`;
  if (named === "-") return { text: { en: text, uk: text }, json: packed, asked: true };
  const file = named ?? `${slug}.agent.json`;
  await writeFile(context, file, text);
  const count = packed.files.length;
  return {
    text: {
      en: `Exported ${slug} to ${file}, files: ${count}. Its runs and its memory stay here.`,
      uk: `Експортовано ${slug} у ${file}, файлів: ${count}. Його запуски й пам'ять лишаються тут.`,
    },
    json: { slug, file, files: count },
  };
}

/** The gallery. */
export function printTemplates(garden: Garden): CommandReport {
  const templates = listTemplates(garden);
  const text = inBothLanguages((language) =>
    alignColumns([
      HEAD.map((head) => head[language]),
      ...templates.map(({ id, model, purpose, cost, tokens }) => [
        id,
        model,
        cost
          ? `${cost.amount} ${cost.currency}`
          : tokens
            ? TOKENS[language](tokens.input + tokens.output)
            : FREE[language],
        purpose[language],
      ]),
    ]).join("\n"),
  );
  return { text, json: { templates }, asked: true };
}

const TOKENS = {
  en: (count: number) => `about ${count} tokens`,
  uk: (count: number) => `токенів: близько ${count}`,
};
const FREE: Text = { en: "free", uk: "безкоштовно" };
const HEAD: readonly Text[] = [
  { en: "TEMPLATE", uk: "ШАБЛОН" },
  { en: "MODEL", uk: "МОДЕЛЬ" },
  { en: "A RUN COSTS", uk: "ЦІНА ЗАПУСКУ" },
  { en: "PURPOSE", uk: "МЕТА" },
];
