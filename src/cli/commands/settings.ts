import { parse } from "yaml";
import { type Text, verbatim } from "../../base/text.ts";
import { MAX_CONFIG_BYTES } from "../../domain/config/garden-config.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { tree } from "../../domain/layout.ts";
import { changeSetting, settingAt } from "../../garden/core/access/edit-settings.ts";
import type { Garden } from "../../garden/core/garden.ts";
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
