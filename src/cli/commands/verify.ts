import { joined, type Text } from "../../base/text.ts";
import { closeFound, findGarden } from "../../garden/core/garden.ts";
import type { VerifyFinding } from "../../garden/insight/verify/check.ts";
import { checks, verifyGarden } from "../../garden/insight/verify/verify.ts";
import type { Command } from "../command.ts";

export const verify: Command = {
  name: "verify",
  summary: {
    en: "check the whole garden and name everything that is wrong",
    uk: "перевірити весь сад і назвати все, що не так",
  },
  usage: "",
  words: [0, 0],
  options: {
    repair: {
      type: "boolean",
      about: {
        en: "put lists in order that follow from the records; records themselves are never touched",
        uk: "упорядкувати списки, що випливають із записів; самих записів ніколи не торкається",
      },
    },
  },
  examples: [
    {
      line: "bloom verify",
      does: { en: "exit code 1 if something is found", uk: "код завершення 1, якщо щось знайдено" },
    },
    {
      line: "bloom verify --repair",
      does: { en: "also makes lists again that are out of step", uk: "також відновлює списки, що відстали" },
    },
  ],
  async run(context) {
    const garden = await findGarden(context.ground, await context.gardenDir());
    try {
      const look = (): Promise<VerifyFinding[]> =>
        verifyGarden(garden, (check) =>
          context.progress.at({ en: `checking: ${check.title.en}`, uk: `перевірка: ${check.title.uk}` }),
        );
      let findings = await look();
      const repairable = context.options["repair"] === true ? findings.filter(({ repair }) => repair) : [];
      for (const { repair } of repairable) await repair?.();
      if (repairable.length > 0) findings = await look();
      const repaired: Text[] = repairable.map(({ where }) => ({
        en: `Repaired ${where}`,
        uk: `Упорядковано ${where}`,
      }));
      return {
        text: joined([...repaired, told(findings)], "\n"),
        json: {
          findings,
          repaired: repairable.map(({ where }) => where),
          checks: checks.map(({ id, rule, title }) => ({ id, rule, title })),
        },
        asked: true,
        exit: findings.length === 0 ? 0 : 1,
      };
    } finally {
      await closeFound(garden);
    }
  },
};

function told(findings: readonly VerifyFinding[]): Text {
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
