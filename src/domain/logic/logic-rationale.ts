import { markdownLines, withClosedFence } from "../note/markdown-lines.ts";
import type { Rationale } from "../proposal/operation.ts";
import type { LogicVersion } from "./logic-version.ts";

/**
 * `versions/vNNN.rationale.md` (source 000 §2.2): the reason why vNNN was adopted. Written once, at adoption;
 * measured results go to the changelog (L-3).
 */
export interface LogicRationale extends Rationale {
  readonly agentId: string;
  readonly version: LogicVersion;
  /** The version that it replaced. */
  readonly before: LogicVersion | undefined;
  readonly proposal: string;
  readonly adopted: string;
  /** Figures of `before` when it was replaced. */
  readonly measured?: LogicMetrics | undefined;
  /** Changes against `before`, as computed by the program. */
  readonly comparison: string;
}

/** The metrics of the table in source 000 §2.2, apart from the error rate, which follows. */
export interface LogicMetrics {
  readonly successRate: number | null;
  readonly avgTokensPerRun: number | null;
}

const SECTIONS = {
  problem: "Проблема, яку вирішувала ця версія",
  change: "Запропонована зміна",
  evidence: "Докази",
  expected: "Очікуваний результат",
  risk: "Оцінка ризику",
  result: "Результат",
} as const;

export function rationaleText(of: LogicRationale): string {
  const parts: [heading: string, text: string | undefined][] = [
    [SECTIONS.problem, of.problem],
    [SECTIONS.change, of.change],
    [SECTIONS.evidence, `evidenceRuns: [${of.evidenceRuns.join(", ")}]`],
    [SECTIONS.expected, of.expectedImprovement],
    [SECTIONS.risk, of.riskAssessment],
    [SECTIONS.result, UNKNOWN_RESULT],
    [of.before === undefined ? "Порівняння" : `Порівняння з ${of.before}`, of.comparison],
  ];
  const head = `# Rationale: ${of.agentId} ${of.version}\n\n**Proposal:** ${of.proposal}  \n**Прийнято:** ${of.adopted}  \n`;
  const body = parts.flatMap(([heading, text]) =>
    text === undefined || text.trim() === "" ? [] : [`\n## ${heading}\n${quotedHeadings(text)}\n`],
  );
  const table = of.before === undefined ? [] : ["", ...tableLines(of.before, of.version, of.measured)];
  return head + body.join("") + table.map((line) => `${line}\n`).join("");
}

const UNKNOWN_RESULT = "Ще невідомо: виміряний результат потрапляє в changelog.md.";
const EMPTY_CELL = "—";

const tableLines = (before: LogicVersion, version: LogicVersion, measured: LogicMetrics | undefined): string[] => [
  `| Метрика | ${before} | ${version} |`,
  "|---|---|---|",
  ...metricCells(measured).map(([name, value]) => `| ${name} | ${value} | ${EMPTY_CELL} |`),
];

function metricCells(metrics: LogicMetrics | undefined): [name: string, value: string][] {
  const { successRate: good = null, avgTokensPerRun: tokens = null } = metrics ?? {};
  const cell = (value: number | null): string => (value === null ? EMPTY_CELL : String(Number(value.toFixed(3))));
  return [
    ["success_rate", cell(good)],
    ["avg_tokens", cell(tokens)],
    ["error_rate", cell(good === null ? null : 1 - good)],
  ];
}

/**
 * The text of a rationale file with what was measured since: the result, and the last column of the table. The file itself never
 * changes (L-1); the changelog and the version's meta have the figures.
 */
export function withMeasuredResult(
  text: string,
  result: string | undefined,
  metrics: LogicMetrics | undefined,
): string {
  const cells = new Map(metricCells(metrics));
  const filled = text.replaceAll(/^(\| (\w+) \| [^|]* \| )— \|$/gm, (row, head: string, name: string) =>
    cells.has(name) ? `${head}${cells.get(name)} |` : row,
  );
  return result === undefined ? filled : filled.replace(`\n${UNKNOWN_RESULT}\n`, () => `\n${result}\n`);
}

/** Parses the parts of a rationale file; missing parts are omitted. */
export function readRationale(text: string): Partial<Rationale> {
  const sections = new Map<string, string>();
  let title: string | undefined;
  for (const line of markdownLines(text)) {
    if (line.heading?.level === 2) sections.set((title = line.heading.title), "");
    else if (title !== undefined) sections.set(title, `${sections.get(title)!}${line.text}\n`);
  }
  const said = (heading: string): string | undefined => {
    const found = sections.get(heading)?.trim();
    return found === undefined ? undefined : found.replace(/^( {0,3})\\(\\*#)/gm, "$1$2");
  };
  const runs = /^evidenceRuns: \[(.*)\]$/m.exec(sections.get(SECTIONS.evidence) ?? "")?.[1];
  const [problem, change, expectedImprovement, riskAssessment] = [
    said(SECTIONS.problem),
    said(SECTIONS.change),
    said(SECTIONS.expected),
    said(SECTIONS.risk),
  ];
  return {
    ...(problem !== undefined && { problem }),
    ...(change !== undefined && { change }),
    ...(runs !== undefined && { evidenceRuns: runs === "" ? [] : runs.split(", ") }),
    ...(expectedImprovement !== undefined && { expectedImprovement }),
    ...(riskAssessment !== undefined && { riskAssessment }),
  };
}

/** Escapes headings in a proposer's text, so that they do not begin a section. */
const quotedHeadings = (text: string): string =>
  withClosedFence(text.replace(/\r\n?/g, "\n").trim())
    .trimEnd()
    .replace(/^( {0,3})(\\*#)/gm, "$1\\$2");
