import { joined, type Text } from "../../base/text.ts";
import { closeFound, findGarden } from "../../garden/core/garden.ts";
import { allChecks } from "../../garden/federation/all-checks.ts";
import type { VerifyFinding } from "../../garden/insight/verify/check.ts";
import { repairFindings } from "../../garden/insight/verify/repair.ts";
import { verifyGarden } from "../../garden/insight/verify/verify.ts";
import type { Command } from "../command.ts";
import { example, flag } from "../options.ts";

export const verifyCommand: Command = {
  name: "verify",
  summary: { en: "check the whole garden and list all problems", uk: "перевірити весь сад і назвати все, що не так" },
  usage: "",
  words: [0, 0],
  options: {
    repair: flag(
      "rebuild outdated indexes; records are never changed",
      "упорядкувати списки, що випливають із записів; самих записів ніколи не торкається",
    ),
  },
  examples: [
    example("bloom verify", "exit code 1 if there are problems", "код завершення 1, якщо щось знайдено"),
    example("bloom verify --repair", "rebuild outdated indexes too", "також відновлює списки, що відстали"),
  ],
  async run(context) {
    const garden = await findGarden(context.ground, await context.gardenDir());
    try {
      const verifyAll = (): Promise<VerifyFinding[]> =>
        verifyGarden(
          garden,
          ({ title }) => context.progress.at({ en: `checking: ${title.en}`, uk: `перевірка: ${title.uk}` }),
          allChecks,
        );
      let findings = await verifyAll();
      const repairs = context.options["repair"] === true ? await repairFindings(findings) : [];
      if (repairs.length > 0) findings = await verifyAll();
      const repaired: Text[] = repairs.map((where) => ({
        en: `Repaired ${where}`,
        uk: `Упорядковано ${where}`,
      }));
      const isReadOnly = garden.store.kind === "open" && (await garden.store.value.health()).role === "reader";
      return {
        text: joined([...repaired, ...(isReadOnly ? [readOnly] : []), findingsText(findings)], "\n"),
        json: {
          findings: findings.map(asJson),
          readOnly: isReadOnly,
          repaired: repairs,
          checks: allChecks.map(({ id, rule, title }) => ({ id, rule, title })),
        },
        asked: true,
        exit: findings.length === 0 ? 0 : 1,
      };
    } finally {
      await closeFound(garden);
    }
  },
};

const readOnly: Text = {
  en: "This garden is read-only: it was checked without a lock, and nothing was written.",
  uk: "Цей сад лише для читання: його перевірено без замка, нічого не записано.",
};

/** The fields for scripts: the names by which findings are joined are internal. */
const asJson = ({ consequences, ...finding }: VerifyFinding): object => ({
  ...plain(finding),
  consequences: consequences.map(plain),
});
const plain = ({ check, rule, where, what }: Omit<VerifyFinding, "consequences">): object => ({
  check,
  rule,
  where,
  what,
});

function findingsText(findings: readonly VerifyFinding[]): Text {
  if (findings.length === 0) {
    return {
      en: `No problems: ${allChecks.length} checks passed.`,
      uk: `Порушень немає: пройдено перевірок — ${allChecks.length}.`,
    };
  }
  const lines = findings.flatMap(({ rule, where, what, consequences }) => [
    { en: `${rule} ${where}: ${what.en}`, uk: `${rule} ${where}: ${what.uk}` },
    ...consequences.map((after) => ({
      en: `    so: ${after.where}: ${after.what.en}`,
      uk: `    тому: ${after.where}: ${after.what.uk}`,
    })),
  ]);
  return joined([...lines, { en: `Problems: ${findings.length}`, uk: `Знахідок: ${findings.length}` }], "\n");
}
