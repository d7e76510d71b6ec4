import { joined, type Text } from "../../base/text.ts";
import { closeFound, findGarden } from "../../garden/garden.ts";
import type { Finding } from "../../garden/verify/check.ts";
import { checks, verifyGarden } from "../../garden/verify/verify.ts";
import type { Command } from "../command.ts";

export const verify: Command = {
  name: "verify",
  summary: {
    en: "check the whole garden and name every violation",
    uk: "перевірити весь сад і назвати кожне порушення",
  },
  usage: "",
  words: [0, 0],
  options: {},
  examples: [
    {
      line: "bloom verify",
      does: { en: "exit code 1 if something is found", uk: "код завершення 1, якщо щось знайдено" },
    },
  ],
  async run(context) {
    const garden = await findGarden(context.ground, await context.gardenDir());
    try {
      const findings = await verifyGarden(garden, (check) =>
        context.progress.at({ en: `checking: ${check.title.en}`, uk: `перевірка: ${check.title.uk}` }),
      );
      return {
        text: told(findings),
        json: { findings, checks: checks.map(({ id, rule, title }) => ({ id, rule, title })) },
        asked: true,
        exit: findings.length === 0 ? 0 : 1,
      };
    } finally {
      await closeFound(garden);
    }
  },
};

function told(findings: readonly Finding[]): Text {
  if (findings.length === 0) {
    return {
      en: `Nothing wrong: ${checks.length} checks passed.`,
      uk: `Порушень немає: пройдено перевірок — ${checks.length}.`,
    };
  }
  const lines = findings.map(({ rule, where, what }) => ({
    en: `${rule} ${where}: ${what.en}`,
    uk: `${rule} ${where}: ${what.uk}`,
  }));
  return joined([...lines, { en: `Findings: ${findings.length}`, uk: `Знахідок: ${findings.length}` }], "\n");
}
