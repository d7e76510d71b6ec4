import type { Text } from "../../../base/text.ts";
import type { VersionFigures } from "../../../domain/logic/logic-figures.ts";
import { type JudgedPath, verdictOf } from "../../../domain/run/run-path.ts";
import { checkText } from "../../../drakon/check.ts";
import { diagramName } from "../../../drakon/expression/read-step.ts";
import { analyseRuns } from "../../../drakon/learn/analyse.ts";
import { type Evidence, siteKey } from "../../../drakon/learn/evidence.ts";
import type { LogicAnalysis, LogicFinding } from "../../../drakon/learn/finding.ts";
import type { CandidateLogic, Repair } from "../../../drakon/learn/repair.ts";
import { adoptedRepair, repairs } from "../../../drakon/learn/repairs.ts";
import { currentSettings } from "../../core/access/current-settings.ts";
import type { Garden } from "../../core/garden.ts";
import { headOf } from "../../core/main-head.ts";
import { readDiagrams } from "../../records/agents/agent-diagrams.ts";
import { readAgent } from "../../records/agents/read-agent.ts";
import { readLogicState } from "../../records/logic/logic-state.ts";
import { logicOfFiles } from "../../records/logic/proposed-logic.ts";
import { type AgentProcedure, readProcedure } from "../../runs/execute/procedure.ts";
import type {
  InspectedRuns,
  InspectLogicQuery,
  LogicInspection,
  SureFinding,
} from "../../runs/tools/logic/logic-insight.ts";
import { recentRuns } from "../replay/recorded-run.ts";
import { logicPerformance } from "./logic-performance.ts";
import { decisionsOf } from "./proposal-fates.ts";

/** Maximum number of findings to repair, and of proposed repairs. */
const MOST_FINDINGS = 5;
const MOST_REPAIRS = 3;

/** Behaviours of other gardens that could replace the logic of an agent. Injected: the room that knows other gardens is above this one. */
export type CandidateSource = (garden: Garden, slug: string) => Promise<readonly CandidateLogic[]>;

const noCandidates: CandidateSource = () => Promise.resolve([]);

/**
 * Analyses an agent's logic. With `most` 0 from the figures alone; otherwise from the newest runs that followed this behaviour, under
 * any version (Z-1). Behaviours of other gardens are candidates beside the repairs, tried on the same runs (S-9b).
 */
export async function inspectLogic(
  garden: Garden,
  { slug, most, at }: InspectLogicQuery,
  candidates: CandidateSource = noCandidates,
): Promise<LogicInspection> {
  const head = at ?? (await headOf(garden.repo));
  const state = await readLogicState(garden.repo, head, slug);
  const version = state.meta.logicVersion;
  const { behaviour } = logicOfFiles(state);
  const { success_below, tokens_above, enough_runs } = (await currentSettings(garden)).learning;
  const expected = { success_below, tokens_above, enough_runs };
  const figures = (await logicPerformance(garden, { slug, versions: [version] })).versions[version]!;
  const concerns = concernsOf(figures, expected);
  const evidence = most === 0 ? NO_RUNS : await evidenceOf(garden, slug, behaviour, most);
  const analysis = evidence.procedure && analyseRuns(evidence.runs, evidence.procedure.program);
  const found = analysis?.alarm ? analysis.findings.slice(0, MOST_FINDINGS) : [];
  const own = state.diagram === undefined ? [] : changesFor(found, state.diagram, evidence);
  const adopted = found.length === 0 ? [] : adoptions(found, await candidates(garden, slug), evidence);
  // The sort is stable: with equal promise the smaller change, which is our own, comes first.
  const changes = [...own, ...adopted]
    .toSorted((a, b) => (adopted.length === 0 ? 0 : a.expected.badAfter - b.expected.badAfter))
    .slice(0, MOST_REPAIRS);
  const base = { slug, version, behaviour, figures, expected, concerns, runs: evidence.counts };
  const verdict = verdictFor(base, analysis, changes);
  const findings = found.map((one) => ({ ...one, certainty: certaintyOf(one, evidence.runs) }));
  return {
    ...base,
    verdict,
    findings,
    repairs: changes,
    recommendation: recommendationFor(verdict, findings, changes),
    summary: summaryFor({ ...base, verdict }, findings, changes),
  };
}

function concernsOf(figures: VersionFigures, expected: LogicInspection["expected"]): LogicInspection["concerns"] {
  const { good_rate: success, avg_tokens: tokens } = figures;
  return [
    ...(success !== null && success < expected.success_below ? (["success"] as const) : []),
    ...(tokens !== null && tokens > expected.tokens_above ? (["tokens"] as const) : []),
  ];
}

interface ReadEvidence {
  /** Oldest first. */
  readonly runs: readonly Evidence[];
  readonly counts: InspectedRuns;
  readonly procedure: AgentProcedure | undefined;
}

const NONE: InspectedRuns = { read: 0, facts: 0, claims: 0, unknown: 0, unreadable: 0, good: 0, bad: 0, open: 0 };
const NO_RUNS: ReadEvidence = { runs: [], counts: NONE, procedure: undefined };

async function evidenceOf(garden: Garden, slug: string, behaviour: string, most: number): Promise<ReadEvidence> {
  const { contract, body } = await readAgent(garden.store, slug);
  const reading = readProcedure(contract, body, await readDiagrams(garden.store, slug));
  const procedure = reading.kind === "procedure" ? reading.procedure : undefined;
  const counts: { -readonly [K in keyof InspectedRuns]: number } = { ...NONE };
  const runs: Evidence[] = [];
  const drawing = procedure && drawingOf(procedure.main.tree);
  for await (const one of recentRuns(garden, slug, { most, behaviour })) {
    counts.read++;
    if (one.kind === "unreadable") {
      counts.unreadable++;
      continue;
    }
    const { path, manifest, program, input, journal, recorded } = one.run;
    if (path.status === "cancelled") continue;
    const verdict = verdictOf(path, await decisionsOf(garden, manifest));
    counts[verdict]++;
    const followed = program.trees.get(program.main);
    if (path.certainty === "unknown" || !procedure || !followed || drawingOf(followed) !== drawing) {
      counts.unknown++;
      continue;
    }
    counts[path.certainty === "fact" ? "facts" : "claims"]++;
    runs.push({
      path: named({ ...path, verdict }, procedure),
      ...(path.certainty === "fact" && { input, journal, argumentNames: recorded.argumentNames }),
    });
  }
  return { runs: runs.toReversed(), counts, procedure };
}

/** Identifies a drawing. The same behaviour may be drawn with other icon ids, and a run of that drawing does not fit this one. */
const drawingOf = (tree: unknown): string => {
  const known = typeof tree === "object" && tree !== null ? drawings.get(tree) : undefined;
  if (known !== undefined) return known;
  const drawing = JSON.stringify(tree);
  if (typeof tree === "object" && tree !== null) drawings.set(tree, drawing);
  return drawing;
};
const drawings = new WeakMap<object, string>();

/** Renames diagrams in a path: recordings use file names, the interpreter uses diagram names. */
const named = (path: JudgedPath, procedure: AgentProcedure): JudgedPath => ({
  ...path,
  passed: path.passed.map((icon) => {
    const part = procedure.parts.find(({ file }) => file === icon.diagram);
    return part ? { ...icon, diagram: diagramName(part.name) } : icon;
  }),
});

/** Repairs of the main diagram, for the likeliest findings first. `repairs` drops those that would not help. */
function changesFor(
  findings: readonly LogicFinding[],
  text: string,
  { runs, procedure }: ReadEvidence,
): readonly Repair[] {
  if (!procedure) return [];
  const { diagram } = checkText(text);
  const main = diagramName(procedure.main.name);
  const found: Repair[] = [];
  for (const finding of findings) {
    if (found.length >= MOST_REPAIRS) break;
    if (diagramName(finding.diagram) !== main) continue;
    found.push(...repairs(finding, diagram, runs, procedure.program, { language: procedure.language }));
  }
  return found.slice(0, MOST_REPAIRS);
}

/** Candidates that would have avoided trouble on the recorded runs, each for the likeliest finding that it helps with. */
function adoptions(
  findings: readonly LogicFinding[],
  candidates: readonly CandidateLogic[],
  { runs, procedure }: ReadEvidence,
): readonly Repair[] {
  if (!procedure) return [];
  const { program, language } = procedure;
  return candidates.flatMap((candidate) => {
    for (const finding of findings) {
      const tried = adoptedRepair(finding, candidate, runs, program, { language });
      if (tried) return [tried];
    }
    return [];
  });
}

function certaintyOf(finding: LogicFinding, runs: readonly Evidence[]): SureFinding["certainty"] {
  const came = runs.filter(({ path }) => path.passed.some((one) => siteKey(one) === siteKey(finding)));
  const facts = came.filter(({ path }) => path.certainty === "fact").length;
  return { facts, claims: came.length - facts };
}

type Base = Pick<LogicInspection, "figures" | "expected" | "concerns" | "runs">;

function verdictFor(
  { figures, expected, concerns }: Base,
  analysis: LogicAnalysis | undefined,
  changes: readonly Repair[],
): LogicInspection["verdict"] {
  if (analysis?.alarm) return changes.length > 0 ? "problem" : "unclear";
  if (figures.judgedRuns < expected.enough_runs) return "too-few";
  return concerns.length === 0 ? "normal" : "unclear";
}

/** A few words for `current.meta.json`, whose size is limited. */
function recommendationFor(
  verdict: LogicInspection["verdict"],
  findings: readonly LogicFinding[],
  changes: readonly Repair[],
): string {
  const icon = (finding: LogicFinding | undefined): string =>
    (finding?.icon ?? "")
      .replaceAll(/[^a-z0-9-]/gi, "")
      .slice(0, 12)
      .toLowerCase();
  switch (verdict) {
    case "normal":
      return "none";
    case "too-few":
      return "more runs";
    case "problem":
      return `${changes[0]!.kind} ${icon(changes[0]!.finding)}`.trim();
    case "unclear":
      return findings[0] ? `look at ${icon(findings[0])}`.trim() : "look closer";
  }
}

function summaryFor(
  { figures, expected, concerns, runs, verdict }: Base & Pick<LogicInspection, "verdict">,
  findings: readonly LogicFinding[],
  changes: readonly Repair[],
): Text {
  const counted: Text = {
    en: `${figures.judgedRuns} judged runs, ${share(figures.good_rate)} of them good, ${figures.avg_tokens ?? "?"} tokens a run`,
    uk: `оцінених запусків ${figures.judgedRuns}, з них добрих ${share(figures.good_rate)}, токенів на запуск ${figures.avg_tokens ?? "?"}`,
  };
  const [place] = findings;
  const [change] = changes;
  const told: Text =
    verdict === "normal"
      ? { en: "nothing stands out.", uk: "нічого не вирізняється." }
      : verdict === "too-few"
        ? {
            en: `too few runs to tell: ${expected.enough_runs} are needed.`,
            uk: `замало запусків, щоб судити: потрібно ${expected.enough_runs}.`,
          }
        : place
          ? {
              en: `${place.words.en}${change ? ` ${change.words.en}` : " No change that would help was found."}`,
              uk: `${place.words.uk}${change ? ` ${change.words.uk}` : " Зміни, яка допомогла б, не знайдено."}`,
            }
          : {
              en: `${concerns.map((one) => CONCERNS[one](expected).en).join(" and ")}, and no icon stands out${runs.read === 0 ? " in the figures alone" : ""}.`,
              uk: `${concerns.map((one) => CONCERNS[one](expected).uk).join(" і ")}, і жодна ікона не вирізняється${runs.read === 0 ? " за самими лише числами" : ""}.`,
            };
  return { en: `${counted.en}. ${capital(told.en)}`, uk: `${capital(counted.uk)}. ${capital(told.uk)}` };
}

const CONCERNS: Readonly<Record<LogicInspection["concerns"][number], (expected: LogicInspection["expected"]) => Text>> =
  {
    success: ({ success_below }) => ({
      en: `fewer good runs than ${share(success_below)}`,
      uk: `добрих запусків менше за ${share(success_below)}`,
    }),
    tokens: ({ tokens_above }) => ({
      en: `more than ${tokens_above} tokens a run`,
      uk: `більше за ${tokens_above} токенів на запуск`,
    }),
  };

const share = (rate: number | null): string => (rate === null ? "?" : `${Math.round(rate * 1000) / 10} %`);

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
