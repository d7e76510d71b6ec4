import type { Language, Text } from "../../base/text.ts";
import type {
  CounterfactualReport,
  CounterfactualRow,
  IconPlace,
  ProposalCounts,
} from "../../domain/logic/counterfactual-report.ts";
import type { LogicReportRecord } from "../../garden/records/logic/report-gate.ts";
import { printable } from "../printable.ts";
import type { Style } from "../style.ts";
import { inBothLanguages } from "../text-layout.ts";

/** L-8: the counterfactual report as a table, for the reviewer. */
export function logicReportText(report: LogicReportRecord, style: Style): Text {
  return inBothLanguages((language) => reportLines(report, language, style).join("\n"));
}

function reportLines(
  { counterfactual, static: checked }: LogicReportRecord,
  language: Language,
  style: Style,
): string[] {
  const say = (text: Text): string => text[language];
  const risk = `${say(WORDS.risk)} ${checked.riskLevel}`;
  if (!counterfactual) return [style.bold(say(WORDS.none)), risk];
  const { totals, icons, rows } = counterfactual;
  return [
    style.bold(`${say(WORDS.title)} (${totals.runs})`),
    `  ${KINDS.map(([kind, words]) => `${say(words)} ${totals[kind]}`).join("   ")}`,
    ...(totals.proposals ? [`  ${proposalsText(totals.proposals, language)}`] : []),
    style.dim(`  ${say(WORDS.certainty)} ${totals.facts} / ${totals.claims}   ${risk}`),
    ...(icons.length > 0 ? ["", style.dim(say(WORDS.icons))] : []),
    ...icons.slice(0, MOST_ICONS).map((icon) => `  ${iconLine(icon)}`),
    "",
    ...rows
      .filter(({ kind }) => kind !== "same")
      .slice(0, MOST_ROWS)
      .map((row) => `  ${rowLine(row, counterfactual, language)}`),
    ...(totals.runs - totals.same > MOST_ROWS ? [style.dim(`  … ${totals.runs - totals.same - MOST_ROWS}`)] : []),
    style.dim(say(WORDS.assumes)),
  ];
}

/** The proposals that the recorded runs would lose and gain. */
function proposalsText({ recorded, lost, gained, undecided }: ProposalCounts, language: Language): string {
  return language === "uk"
    ? `пропозицій у записах ${recorded}: втрачено ${lost}, нових ${gained}, невідомо ${undecided}`
    : `recorded proposals ${recorded}: ${lost} lost, ${gained} gained, ${undecided} unknown`;
}

const rowProposals = (counts: ProposalCounts | undefined, language: Language): string => {
  const parts = [...(counts?.lost ? [`−${counts.lost}`] : []), ...(counts?.gained ? [`+${counts.gained}`] : [])].join(
    " ",
  );
  return parts === "" ? "" : `; ${PROPOSALS[language]} ${parts}`;
};

const MOST_ICONS = 10;
const MOST_ROWS = 25;

const iconLine = (icon: CounterfactualReport["icons"][0]): string =>
  `≠${icon.parts} ✓${icon.avoids} ?${icon.cannot_tell}  ${placeText(icon)}`;

const placeText = ({ icon, text }: IconPlace): string =>
  printable(`[${icon}] ${text.replace(/\s+/g, " ").slice(0, 80)}`);

function rowLine(row: CounterfactualRow, { most_steps }: CounterfactualReport, language: Language): string {
  const at = row.at ? ` ${placeText(row.at)}` : "";
  const end = row.end ? `; ${endText(row.end, most_steps, language)}` : "";
  const failure = row.failure
    ? `; ${row.kind === "avoids" ? AVOIDED[language] : FAILED[language]} ${printable(
        [row.failure.call, row.failure.code].filter((word) => word !== undefined).join(" "),
      )}${row.failure.at ? ` ${placeText(row.failure.at)}` : ""}`
    : "";
  const why = row.why ? `; ${printable(row.why[language])}${row.asked ? ` ${placeText(row.asked)}` : ""}` : "";
  const claim = row.certainty === "claim" ? ` (${CLAIM[language]})` : "";
  return `${row.run}  ${ROW[row.kind][language]}${claim}${at}${failure}${end}${why}${rowProposals(row.proposals, language)}`;
}

function endText({ kind, at, why }: NonNullable<CounterfactualRow["end"]>, most: number, language: Language): string {
  const where = at ? ` ${placeText(at)}` : "";
  if (kind === "endless") return `${ENDLESS[language].replace("{}", String(most))}${where}`;
  return `${ENDS[kind][language]}${where}${why ? `: ${printable(why[language])}` : ""}`;
}

const KINDS = [
  ["same", { en: "same", uk: "так само" }],
  ["parts", { en: "different path", uk: "інакше" }],
  ["avoids", { en: "failure avoided", uk: "без того збою" }],
  ["cannot_tell", { en: "unknown", uk: "невідомо" }],
  ["unreadable", { en: "unreadable", uk: "не читається" }],
] as const satisfies readonly (readonly [Exclude<keyof CounterfactualReport["totals"], "proposals">, Text])[];

const ROW: Readonly<Record<CounterfactualRow["kind"], Text>> = {
  same: { en: "same", uk: "так само" },
  parts: { en: "differs at", uk: "розходиться на" },
  avoids: { en: "differs at", uk: "розходиться на" },
  "cannot-tell": { en: "unknown from", uk: "запис не знає, що далі, від" },
  unreadable: { en: "unreadable", uk: "не читається" },
};

const ENDS: Readonly<Record<"done" | "returned" | "failed" | "stopped", Text>> = {
  done: { en: "completes", uk: "доходить до кінця" },
  returned: { en: "completes with a result", uk: "доходить до кінця з результатом" },
  failed: { en: "fails at", uk: "зазнає збою на" },
  stopped: { en: "is stopped at", uk: "зупиняється на" },
};
const ENDLESS: Text = { en: "does not end within {} steps", uk: "не закінчується за {} кроків" };
const AVOIDED: Text = { en: "would not have reached", uk: "не дійшов би до" };
const FAILED: Text = { en: "had failed with", uk: "він закінчився збоєм" };
const PROPOSALS: Text = { en: "proposals", uk: "пропозиції" };
const CLAIM: Text = { en: "claimed by the model", uk: "зі слів моделі" };

const WORDS = {
  title: { en: "Recorded runs with the proposed logic", uk: "Записані запуски за запропонованою логікою" },
  none: { en: "No recorded runs to replay.", uk: "Записів немає: повторити нічого." },
  certainty: { en: "recorded / claimed:", uk: "за фактом / зі слів:" },
  icons: { en: "Where they differ:", uk: "Де вони розходяться:" },
  risk: { en: "risk:", uk: "ризик:" },
  assumes: {
    en: "Assumes the same answers to the same questions, and tool results that do not depend on the time.",
    uk: "Вважається, що на те саме питання відповіли б те саме і що інструменти зважають на зроблене раніше, а не на годинник.",
  },
} as const satisfies Record<string, Text>;
