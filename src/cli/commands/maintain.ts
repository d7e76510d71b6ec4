import { joined, type Text } from "../../base/text.ts";
import { type RetiredSession, retireSessions } from "../../garden/life/retire-sessions.ts";
import { keptWork } from "../../garden/sessions/exec-session.ts";
import type { Command } from "../command.ts";
import { example } from "../options.ts";
import { withGarden } from "../with-garden.ts";

export const maintainCommand: Command = {
  name: "maintain",
  summary: {
    en: "pack the repository, put finished sessions away; safe during writes",
    uk: "упакувати репозиторій, відкласти завершені сесії; безпечно, поки інші пишуть",
  },
  usage: "",
  words: [0, 0],
  options: {},
  examples: [example("bloom maintain", "occasionally, or by cron", "час від часу або через cron")],
  run: (context) =>
    withGarden(context, async (garden) => {
      const archived = await retireSessions(garden);
      const kept = await keptWork(garden);
      context.progress.at({ en: "packing", uk: "пакування" });
      await garden.repo.maintain();
      const lines = [...archived.map(archivedLine), ...kept.map(keptLine), { en: "Packed.", uk: "Упаковано." }];
      return { text: joined(lines, "\n"), json: { kind: "maintained", archived, kept } };
    }),
};

const archivedLine = ({ name, why }: RetiredSession): Text => ({
  en: `Put the session ${name} into the archive (${why}): \`bloom session restore ${name}\` brings it back.`,
  uk: `Сесію ${name} відкладено в архів (${why === "merged" ? "злита" : "покинута"}): повертає \`bloom session restore ${name}\`.`,
});

const keptLine = (name: string): Text => ({
  en: `A program left work in the session ${name}: \`bloom session exec ${name} --take\` or \`--discard\`.`,
  uk: `Програма лишила роботу в сесії ${name}: \`bloom session exec ${name} --take\` або \`--discard\`.`,
});
