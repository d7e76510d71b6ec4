import { parse } from "yaml";
import { joined, type Text, verbatim } from "../../base/text.ts";
import { MAX_CONFIG_BYTES } from "../../domain/config/garden-config.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { tree } from "../../domain/layout.ts";
import { changeSetting, settingAt } from "../../garden/core/access/edit-settings.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { type RuleFigures, type RuleSuggestion, ruleFigures } from "../../garden/insight/rule-figures.ts";
import type { CommandReport } from "../command.ts";
import { usageError } from "../failures.ts";
import { example } from "../options.ts";
import { printable } from "../printable.ts";
import { gardenCommand, type Subcommands } from "../subcommands.ts";

const subcommands: Subcommands = {
  show: {
    usage: "",
    words: [0, 0],
    does: {
      en: "print garden.yaml; --json: the settings in force, with defaults",
      uk: "показати garden.yaml; --json — чинні значення",
    },
    run: async (_, { folder, config }) => {
      const bytes = (await folder.read(tree.config, MAX_CONFIG_BYTES)) ?? new Uint8Array();
      return { text: verbatim(printable(Buffer.from(bytes).toString().trimEnd())), json: config, asked: true };
    },
  },
  get: {
    usage: "KEY",
    words: [1, 1],
    does: { en: "print the value in force of one setting", uk: "показати чинне значення одного налаштування" },
    run: async (_, { config }, [key]) => {
      const value = settingAt(config, key!);
      const text = typeof value === "string" ? value : JSON.stringify(value ?? null, null, 2);
      return { text: verbatim(printable(text)), json: value ?? null, asked: true };
    },
  },
  set: {
    usage: "KEY VALUE",
    words: [2, 2],
    does: {
      en: "set it: checks the file, keeps its comments, and commits it",
      uk: "задати: перевіряє файл, зберігає коментарі й робить коміт",
    },
    run: (_, garden, [key, value]) => change(garden, key!, yamlValue(value!)),
  },
  unset: {
    usage: "KEY",
    words: [1, 1],
    does: { en: "remove it, so that its default applies", uk: "прибрати, щоб діяло звичайне значення" },
    run: (_, garden, [key]) => change(garden, key!, undefined),
  },
  rules: {
    usage: "",
    words: [0, 0],
    does: {
      en: "how the rules of auto_approve did, and rules that fit your decisions",
      uk: "як діяли правила auto_approve, і правила, що відповідають вашим рішенням",
    },
    run: (_, garden) => reportRules(garden),
  },
};

export const settingsCommand = gardenCommand({
  name: "settings",
  summary: { en: "read and change garden.yaml", uk: "читати й змінювати garden.yaml" },
  usual: "show",
  subcommands,
  options: {},
  examples: [
    example("bloom settings set schedule.timezone Europe/Kyiv", "one value", "одне значення"),
    example("bloom settings set egress '[api.example.com]'", "a list, as in YAML", "список, як у YAML"),
  ],
});

async function change(garden: Garden, key: string, value: unknown): Promise<CommandReport> {
  const changed = await changeSetting(garden, { key, value, by: commandLineOwner });
  const shown = JSON.stringify(changed.value ?? null);
  const text: Text =
    changed.commit === undefined
      ? { en: `${key} is ${shown} already`, uk: `${key} уже має значення ${shown}` }
      : {
          en: `${key}: ${shown} (commit ${changed.commit.slice(0, 10)})`,
          uk: `${key}: ${shown} (коміт ${changed.commit.slice(0, 10)})`,
        };
  return { text, json: { key, value: changed.value ?? null, commit: changed.commit ?? null } };
}

/** The value as garden.yaml would have it: `true`, `30`, `[a, b]`, or a text. */
function yamlValue(text: string): unknown {
  try {
    return parse(text, { version: "1.2", schema: "core" }) as unknown;
  } catch {
    throw usageError(
      { en: `not a value: ${text}`, uk: `це не значення: ${text}` },
      {
        en: "Write it as in garden.yaml: a word, a number, [a, b].",
        uk: "Запишіть, як у garden.yaml: слово, число, [a, b].",
      },
    );
  }
}

async function reportRules(garden: Garden): Promise<CommandReport> {
  const report = await ruleFigures(garden);
  const lines = [...report.rules.map(figuresText), ...report.suggestions.map(suggestionText)];
  return { text: lines.length === 0 ? NO_RULES : joined(lines, "\n"), json: report, asked: true };
}

const percent = (share: number): string => `${Math.round(share * 100)}`;

const figuresText = ({ name, approved, undone, low, high }: RuleFigures): Text => ({
  en: `${name}  approved ${approved}, undone ${undone.length} (regret ${percent(low)} to ${percent(high)} %)${undone.map((id) => `\n  ${id}`).join("")}`,
  uk: `${name}  схвалено ${approved}, скасовано ${undone.length} (жаль ${percent(low)}–${percent(high)} %)${undone.map((id) => `\n  ${id}`).join("")}`,
});

const suggestionText = ({ identity, action, folder, approved, examples }: RuleSuggestion): Text => {
  const where = folder === undefined ? "" : `, folder: ${folder}`;
  const rule = `{ source: agent, identity: ${identity}, actions: [${action}]${where} }`;
  return {
    en: `? you approved ${approved} of ${approved}: auto_approve ${rule}\n  ${examples[0]} …`,
    uk: `? ви схвалили ${approved} із ${approved}: auto_approve ${rule}\n  ${examples[0]} …`,
  };
};

const NO_RULES: Text = {
  en: "No rules, and too few alike decisions to suggest one.",
  uk: "Правил немає, а однакових рішень замало, щоб якесь порадити.",
};
