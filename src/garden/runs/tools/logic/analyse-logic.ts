import { z } from "zod";
import type { Json } from "../../../../base/canonical.ts";
import { joined, type Language, type Text, verbatim } from "../../../../base/text.ts";
import { group } from "../../../../domain/text/checked-yaml.ts";
import { circumstanceText } from "../../../../drakon/learn/finding-text.ts";
import type { Repair } from "../../../../drakon/learn/repair.ts";
import { currentSettings } from "../../../core/access/current-settings.ts";
import { hasGrant } from "../../../core/access/grant.ts";
import { recordAnalysis } from "../../../records/logic/record-analysis.ts";
import { agentField } from "../input-fields.ts";
import { expectLogicAccess, ownLogicForbidden } from "../read-access.ts";
import { gardenTool, type ToolContext } from "../tool.ts";
import type { LogicInspection, SureFinding } from "./logic-insight.ts";

/** Repairs of larger diagrams are left out: a result with several copies of it would stay in the prompt at every turn. */
const MAX_DIAGRAM = 120_000;
const MOST_RUNS = 1000;
const LIMIT_MS = 100_000;

/**
 * Analyses the logic of an agent: findings, the most certain first, and repairs that would have avoided failures (Z-3). The
 * analysis is recorded (Z-6). The caller proposes a repair, and a person decides.
 */
export const analyseLogicTool = gardenTool({
  name: "analyse-logic",
  description: {
    en: "Look at the logic of an agent: verdict (normal, problem, unclear, too-few), findings (icon, answer, how often it goes wrong there and elsewhere, effect, pValue, facts and claims, evidence runs) and repairs (whole diagram, rationale, expectation, risk). runs: how many recorded runs to read; without it none, and only the figures speak.",
    uk: "Подивися на логіку агента: verdict (normal, problem, unclear, too-few), findings (ікона, відповідь, як часто там і деінде щось не так, effect, pValue, факти й твердження, запуски-докази) і repairs (ціла діаграма, rationale, очікування, ризик). runs: скільки записаних запусків прочитати; без нього — жодного, і кажуть лише числа.",
  },
  input: group({
    agent: agentField.nullish(),
    runs: z.int("runs-to-read").min(0, "runs-to-read").max(MOST_RUNS, "runs-to-read").default(0),
  }),
  idempotent: true,
  limitMs: LIMIT_MS,
  async call({ agent: whose, runs: most }, context, call) {
    const slug = await expectLogicAccess(context, whose);
    await expectNotItself(context, slug);
    const { garden, run, language } = context;
    const looked = await context.insight.inspectLogic(garden, { slug, most, at: context.commit });
    const { version, behaviour, verdict, recommendation, runs } = looked;
    const { at } = await recordAnalysis(garden, call.key, {
      agent: slug,
      version,
      behaviour,
      by: context.slug,
      run,
      at: new Date(garden.world.now()).toISOString(),
      runs: runs.read,
      verdict,
      recommendation,
    });
    return { ...toResult(looked, language), analysed_at: at };
  },
});

/** An agent analyses its own logic only if a grant of the owner names it. */
async function expectNotItself({ garden, slug }: ToolContext, wanted: string): Promise<void> {
  if (wanted !== slug || hasGrant(await currentSettings(garden), slug, "logic-update", slug)) return;
  throw ownLogicForbidden(slug);
}

function toResult(looked: LogicInspection, language: Language): { readonly [member: string]: Json } {
  const { figures, expected, runs } = looked;
  const small = looked.repairs.filter(({ diagram }) => diagram.source.text.length <= MAX_DIAGRAM);
  const [told, untold] = [small.filter(isTold), small.filter((repair) => !isTold(repair))];
  return {
    agent: looked.slug,
    version: looked.version,
    behaviour: looked.behaviour,
    verdict: looked.verdict,
    summary: [looked.summary, ...untold.map(untoldText)].map((text) => text[language]).join(" "),
    recommendation: looked.recommendation,
    concerns: [...looked.concerns],
    figures: {
      runs: figures.totalRuns,
      judged: figures.judgedRuns,
      good_rate: figures.good_rate,
      success_rate: figures.success_rate,
      avg_tokens: figures.avg_tokens,
    },
    expected: { ...expected },
    runs: { ...runs },
    findings: looked.findings.map((one) => findingResult(one, language)),
    repairs: told.map((one) => repairResult(one, looked, language)),
    observations: untold.map((one) => ({ icon: one.finding.icon, kind: one.kind, words: untoldText(one)[language] })),
  };
}

/** J4: false if the recording tells of no run what the repair would do: then it is an observation and not a proposal. */
const isTold = ({ expected: { runs, unknown } }: Repair): boolean => unknown < runs;
const shareUntold = ({ expected: { runs, unknown } }: Repair): number => (runs === 0 ? 1 : rounded(unknown / runs));

const untoldText = ({ words, expected: { runs } }: Repair): Text => ({
  en: `A change is possible (${words.en}), but none of ${runs} recorded runs can tell what it would do.`,
  uk: `Можлива зміна (${words.uk}), але жоден із ${runs} записаних запусків не може сказати, що вона дасть.`,
});

const findingResult = (found: SureFinding, language: Language): Json => ({
  diagram: found.diagram,
  icon: found.icon,
  kind: found.kind,
  answer: found.answer ?? null,
  when: found.when ? circumstanceText(found.when)[language] : null,
  visits: found.visits,
  bad: found.bad,
  rate: rounded(found.rate),
  rest_rate: rounded(found.restRate),
  effect: rounded(found.effect),
  p_value: Number(found.pValue.toPrecision(3)),
  confidence: rounded(found.confidence),
  certainty: { ...found.certainty },
  evidence: [...found.evidence],
  words: found.words[language],
});

function repairResult(repair: Repair, looked: LogicInspection, language: Language): Json {
  const { finding, expected, words, risk } = repair;
  return {
    kind: repair.kind,
    icon: finding.icon,
    risk,
    words: words[language],
    expected: { ...expected },
    cannot_tell: shareUntold(repair),
    diagram: repair.diagram.source.text,
    rationale: {
      problem: `${looked.slug} ${looked.version}: ${finding.words[language]}`,
      change: words[language],
      evidenceRuns: [...finding.evidence],
      expectedImprovement: expectation(repair)[language],
      riskAssessment: RISKS[risk][language],
      cannotTell: shareUntold(repair),
    },
  };
}

function expectation({ expected: { runs, bad, badAfter, avoided, unknown, tokensSaved } }: Repair): Text {
  const parts: Text[] = [
    {
      en: `of ${runs} recorded runs ${bad} went wrong; with the change about ${Math.round(badAfter)} would`,
      uk: `із ${runs} записаних запусків ${bad} пішли не так; зі зміною — приблизно ${Math.round(badAfter)}`,
    },
    ...(avoided > 0
      ? [{ en: `${avoided} failures avoided for certain`, uk: `напевно уникнуто збоїв: ${avoided}` }]
      : []),
    ...(unknown > 0
      ? [
          {
            en: `for ${unknown} of ${runs} (${percent(unknown, runs)} %) the recording cannot tell`,
            uk: `про ${unknown} з ${runs} (${percent(unknown, runs)} %) запис не може сказати`,
          },
        ]
      : []),
    ...(tokensSaved >= 1
      ? [
          {
            en: `${Math.round(tokensSaved)} tokens a run saved`,
            uk: `токенів на запуск заощаджено: ${Math.round(tokensSaved)}`,
          },
        ]
      : []),
  ];
  return joined([joined(parts, "; "), verbatim(".")], "");
}

const RISKS: Readonly<Record<Repair["risk"], Text>> = {
  low: { en: "low: the main way stays as it is", uk: "low — основний потік лишається таким, як був" },
  medium: {
    en: "medium: runs that went well go another way too",
    uk: "medium — іншим шляхом підуть і запуски, що вдавалися",
  },
  high: { en: "high: what is reachable changes", uk: "high — змінюється те, до чого можна дійти" },
};

const percent = (part: number, whole: number): number => Math.round((100 * part) / Math.max(1, whole));
const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;
