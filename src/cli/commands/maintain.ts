import type { Command } from "../command.ts";
import { example } from "../options.ts";
import { withGarden } from "../with-garden.ts";

export const maintainCommand: Command = {
  name: "maintain",
  summary: { en: "pack the repository; safe during writes", uk: "упакувати репозиторій; безпечно, поки інші пишуть" },
  usage: "",
  words: [0, 0],
  options: {},
  examples: [example("bloom maintain", "occasionally, or by cron", "час від часу або через cron")],
  run: (context) =>
    withGarden(context, async ({ repo }) => {
      context.progress.at({ en: "packing", uk: "пакування" });
      await repo.maintain();
      return { text: { en: "Packed.", uk: "Упаковано." }, json: { kind: "maintained" } };
    }),
};
