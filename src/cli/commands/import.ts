import { basename, dirname } from "node:path";
import type { Text } from "../../base/text.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import type { ImportFormat } from "../../domain/import/import-draft.ts";
import { MAX_DUMP_BYTES } from "../../domain/import/kv/kv-dump.ts";
import { importAgents } from "../../garden/agents/import/import-agents.ts";
import { type ImportRequest, planImport } from "../../garden/agents/import/plan-import.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { importKv, planKvImport } from "../../garden/life/legacy/import-kv.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { usageError } from "../failures.ts";
import { noImportSource, workflowSource } from "../import/import-source.ts";
import { importText } from "../import/import-text.ts";
import { kvText } from "../import/kv-text.ts";
import { promptSource } from "../import/prompt-source.ts";
import { example, flag, option, textOption } from "../options.ts";
import { gardenCommand, type Subcommand } from "../subcommands.ts";

export const importCommand = gardenCommand({
  name: "import",
  summary: {
    en: "bring in what other products made, with a report of every key",
    uk: "перенести зроблене в інших продуктах, зі звітом про кожен ключ",
  },
  subcommands: {
    "gh-aw": {
      usage: "FILE|DIR|REPO [--dry-run] [--as SLUG] [--rename] [--model ID] [--full]",
      words: [1, 1],
      does: {
        en: "draft agents from workflows of GitHub Agentic Workflows; permissions only shrink",
        uk: "агенти-чернетки з процесів GitHub Agentic Workflows; дозволи лише звужуються",
      },
      run: async (context, garden, [path]) => bringIn(context, garden, await workflowSource(context, path!)),
    },
    skill: prompts("skill", "FILE|DIR", {
      en: "draft agents from Agent Skills (SKILL.md folders); scripts are kept, never executed",
      uk: "агенти-чернетки з Agent Skills (теки SKILL.md); скрипти зберігаються й не виконуються",
    }),
    subagent: prompts("subagent", "FILE|DIR", {
      en: "draft agents from subagents of Claude Code (.claude/agents)",
      uk: "агенти-чернетки із субагентів Claude Code (.claude/agents)",
    }),
    "agents-md": prompts("agents-md", "FILE|DIR", {
      en: "a draft agent from each AGENTS.md",
      uk: "агент-чернетка з кожного AGENTS.md",
    }),
    kv: {
      usage: "DUMP.json [--dry-run]",
      words: [1, 1],
      does: {
        en: "proposals and zones of the earlier system's key-value store; a backup comes first",
        uk: "пропозиції та зони зі сховища «ключ — значення» попередньої системи; спершу резервна копія",
      },
      run: (context, garden, [path]) => bringRecords(context, garden, path!),
    },
  },
  options: {
    "dry-run": flag("only the report: create nothing", "лише звіт: нічого не створювати"),
    as: option("SLUG", "the name of the agent, for one file", "назва агента, для одного файлу"),
    rename: flag("take a free name where a name is in use", "узяти вільну назву там, де назву зайнято"),
    model: option("ID", "the model of the new agents", "модель нових агентів"),
    full: flag("every key by line, also for a folder", "кожен ключ за рядком, також для теки"),
  },
  examples: [
    example(
      "bloom import gh-aw .github/workflows --dry-run",
      "what each workflow would become",
      "чим стане кожен процес",
    ),
    example(
      "bloom import gh-aw https://github.com/githubnext/agentics --dry-run",
      "the workflows of a repository, from its newest commit",
      "процеси репозиторію з його найновішого коміту",
    ),
    example("bloom import gh-aw triage.md --as triage", "one draft agent", "один агент-чернетка"),
  ],
});

function prompts(format: Exclude<ImportFormat, "gh-aw">, usage: string, does: Text): Subcommand {
  return {
    usage: `${usage} [--dry-run] [--as SLUG] [--rename] [--model ID] [--full]`,
    words: [1, 1],
    does,
    run: async (context, garden, [path]) => bringIn(context, garden, await promptSource(context, format, path!)),
  };
}

async function bringIn(
  context: CommandContext,
  garden: Garden,
  source: Pick<ImportRequest, "format" | "files" | "mains" | "skipped">,
): Promise<CommandReport> {
  const { language } = context;
  const as = textOption(context, "as");
  if (as !== undefined && source.mains.length !== 1) throw oneFileOnly;
  const request: ImportRequest = {
    ...source,
    language,
    model: textOption(context, "model"),
    rename: context.options["rename"] === true,
    ...(as !== undefined && { slugs: { [source.mains[0]!]: as } }),
  };
  const full = context.options["full"] === true || source.mains.length === 1;
  if (context.options["dry-run"] === true) {
    const { digest, agents } = await planImport(garden, request);
    const reports = agents.map(({ report }) => report);
    return {
      text: importText(reports, undefined, full),
      json: { digest, reports },
      asked: true,
      exit: exitOf(reports),
    };
  }
  const imported = await importAgents(garden, request, commandLineOwner);
  return { text: importText(imported.reports, imported.created, full), json: imported, exit: exitOf(imported.reports) };
}

/** Proposals and zones of a dump (I-2). Exit 1 if every record was refused. */
async function bringRecords(context: CommandContext, garden: Garden, written: string): Promise<CommandReport> {
  const path = context.path(written);
  const dump = await context.ground.folders.at(dirname(path)).read(basename(path), MAX_DUMP_BYTES);
  if (!dump) throw noImportSource(written);
  const isPlan = context.options["dry-run"] === true;
  const report = isPlan ? await planKvImport(garden, dump) : await importKv(garden, dump, commandLineOwner);
  const { refused } = report.counts;
  const exit = refused > 0 && refused === report.records.length ? 1 : 0;
  return { text: kvText(report, isPlan), json: report, asked: true, exit };
}

/** 1 if no file became an agent. */
const exitOf = (reports: readonly { readonly outcome: string }[]): number =>
  reports.some(({ outcome }) => outcome === "agent") ? 0 : 1;

const oneFileOnly = usageError(
  { en: "--as names one agent, and there are several files", uk: "--as називає одного агента, а файлів кілька" },
  { en: "Name one file, or use --rename.", uk: "Назвіть один файл або вкажіть --rename." },
);
