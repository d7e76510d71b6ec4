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
  /** Changes against `before`, as computed by the program. */
  readonly comparison: string;
}

const SECTIONS = {
  problem: "Проблема, яку вирішувала ця версія",
  change: "Запропонована зміна",
  evidence: "Докази",
  expected: "Очікуваний результат",
  risk: "Оцінка ризику",
} as const;

export function rationaleText(of: LogicRationale): string {
  const parts: [heading: string, text: string | undefined][] = [
    [SECTIONS.problem, of.problem],
    [SECTIONS.change, of.change],
    [SECTIONS.evidence, `evidenceRuns: [${of.evidenceRuns.join(", ")}]`],
    [SECTIONS.expected, of.expectedImprovement],
    [SECTIONS.risk, of.riskAssessment],
    [of.before === undefined ? "Порівняння" : `Порівняння з ${of.before}`, of.comparison],
  ];
  const head = `# Rationale: ${of.agentId} ${of.version}\n\n**Proposal:** ${of.proposal}  \n**Прийнято:** ${of.adopted}  \n`;
  const body = parts.flatMap(([heading, text]) =>
    text === undefined || text.trim() === "" ? [] : [`\n## ${heading}\n${quotedHeadings(text)}\n`],
  );
  return head + body.join("");
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
