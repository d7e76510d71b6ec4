import { verbatim } from "../../base/text.ts";
import type { Command } from "../command.ts";
import { bashScript } from "../completion/bash-script.ts";
import { completionTable, nameKinds } from "../completion/completion-table.ts";
import { fishScript } from "../completion/fish-script.ts";
import { gardenNames } from "../completion/garden-names.ts";
import { unknownSubcommand } from "../failures.ts";
import { example } from "../options.ts";

const shells = ["bash", "zsh", "fish"] as const;

/** `commands` is a function because the table contains this command. */
export const completionCommand = (commands: () => readonly Command[]): Command => ({
  name: "completion",
  summary: { en: "print a completion script for a shell", uk: "скрипт доповнення для оболонки" },
  usage: "bash|zsh|fish",
  words: [1, 1],
  options: {},
  examples: [
    example('eval "$(bloom completion bash)"', "in ~/.bashrc (zsh: ~/.zshrc)", "у ~/.bashrc (zsh: ~/.zshrc)"),
    example("bloom completion fish > ~/.config/fish/completions/bloom.fish", "for fish, once", "для fish, один раз"),
  ],
  async run({ words, language }) {
    const shell = shells.find((each) => each === words[0]);
    if (shell === undefined) throw unknownSubcommand("completion", shells, words[0]);
    const rows = completionTable(commands());
    const script = shell === "fish" ? fishScript(rows, language) : bashScript(rows, shell);
    return { text: verbatim(script.trimEnd()), json: { shell, script }, asked: true };
  },
});

/** Called by the completion scripts at every press of Tab: opens no store, writes nothing, and is silent on any failure. */
export const completeNamesCommand: Command = {
  name: "complete-names",
  summary: { en: "print names for a completion script", uk: "назви для скрипту доповнення" },
  usage: `${nameKinds.join("|")} [BEGINNING]`,
  words: [1, 2],
  options: {},
  examples: [example("bloom complete-names agents", "one name per line", "по назві в рядку")],
  hidden: true,
  async run(context) {
    const [kinds = "", beginning = ""] = context.words;
    const asked = nameKinds.filter((kind) => kinds.split("+").includes(kind));
    const names: string[] = [];
    try {
      const folder = context.ground.folders.at(await context.gardenDir());
      for (const kind of asked) names.push(...(await gardenNames(folder, kind, beginning)));
    } catch {
      // no garden here, or a damaged one: other commands report it
    }
    return { text: verbatim(names.join("\n")), json: { names }, asked: true };
  },
};
