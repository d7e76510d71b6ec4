import { joined } from "../../base/text.ts";
import { upgradeGarden } from "../../garden/life/upgrade.ts";
import type { Command } from "../command.ts";
import { example } from "../options.ts";

export const upgradeCommand: Command = {
  name: "upgrade",
  summary: {
    en: "migrate an older garden to the current format, after a backup",
    uk: "оновити формат старішого саду, зробивши спершу копію",
  },
  usage: "",
  words: [0, 0],
  options: {},
  examples: [
    example(
      "bloom upgrade",
      "one commit; a backup is kept in .bloom/backups",
      "один коміт; копія лишається в .bloom/backups",
    ),
  ],
  async run(context) {
    const done = await upgradeGarden(context.ground, await context.gardenDir());
    if (done.kind === "current") {
      return {
        text: { en: `Already at format ${done.version}.`, uk: `Нічого робити: формат уже ${done.version}.` },
        json: done,
      };
    }
    return {
      text: joined(
        [
          {
            en: `Upgraded from format ${done.from} to ${done.to}:`,
            uk: `Оновлено з формату ${done.from} до ${done.to}:`,
          },
          ...done.steps.map((step) => ({ en: `  ${step.en}`, uk: `  ${step.uk}` })),
          { en: `Backup: ${done.backup}`, uk: `Резервна копія: ${done.backup}` },
        ],
        "\n",
      ),
      json: done,
    };
  },
};
