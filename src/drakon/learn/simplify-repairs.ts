import type { Icon } from "../diagram/diagram.ts";
import type { EditOperation } from "../edit/operation.ts";
import type { IconId } from "../icon-id.ts";
import { surveyDiagram } from "../structure/survey.ts";
import { siteKey } from "./evidence.ts";
import { answerText, quotedText } from "./finding-text.ts";
import { observe, signsOf } from "./observation.ts";
import { blamedIcon, diagramIcon, type RepairCandidate, type RepairContext } from "./repair-context.ts";

/** Removes an answer or a case that goes wrong: all runs take the other path. */
export function simplifyRepairs(context: RepairContext): RepairCandidate[] {
  const { finding, diagram } = context;
  const drawn = blamedIcon(context);
  // Where most runs with the answer go well, sending all of them elsewhere does more harm than good.
  if (!drawn || finding.rate < 0.5) return [];
  if (finding.answer !== undefined && drawn.does === "question")
    return withoutAnswer(context, finding.icon, finding.answer === true);
  if (finding.answer !== undefined && drawn.does === "select")
    return withoutCase(context, finding.icon, finding.answer);
  const decider = decidedBy(context);
  if (!decider) return [];
  const { icon, answer } = decider;
  if (typeof answer === "boolean" && diagram.icons.get(icon)?.type === "question")
    return withoutAnswer(context, icon, answer);
  return withoutCase(context, icon, answer);
}

/** The last question before the blamed icon that all runs through it answered alike, and other runs did not. */
function decidedBy({ finding, runs }: RepairContext): { icon: IconId; answer: boolean | number | null } | undefined {
  const here = siteKey(finding);
  let shared: Map<string, { icon: IconId; answer: boolean | number | null; at: number }> | undefined;
  for (const { path } of runs) {
    const at = path.passed.findIndex((one) => siteKey(one) === here);
    if (at < 0) continue;
    const before = new Map(
      path.passed
        .slice(0, at)
        .flatMap((one, index) =>
          one.answer === undefined || one.diagram !== finding.diagram
            ? []
            : [[`${one.icon}\0${one.answer}`, { icon: one.icon, answer: one.answer, at: index }]],
        ),
    );
    shared = shared ? new Map([...shared].filter(([key]) => before.has(key))) : before;
  }
  const others = [...(shared?.values() ?? [])].filter(({ icon, answer }) =>
    runs.some(({ path }) =>
      path.passed.some((one) => one.icon === icon && one.answer !== undefined && one.answer !== answer),
    ),
  );
  return others.toSorted((a, b) => b.at - a.at)[0];
}

/** Smoothed success rate of runs with another answer. */
function otherwiseWell(
  { program, runs, finding }: RepairContext,
  icon: IconId,
  answer: boolean | number | null,
): number {
  const signs = signsOf(program);
  const others = new Set(
    signs.all.flatMap((sign) =>
      sign.is === "answer" && sign.icon === icon && sign.diagram === finding.diagram && sign.answer !== answer
        ? [sign.id]
        : [],
    ),
  );
  const mine = signs.all.find((sign) => sign.is === "answer" && sign.icon === icon && sign.answer === answer)?.id;
  const seen = runs
    .map((run) => observe(run, program))
    .filter((one) => one.signs.some((id) => others.has(id)) && !one.signs.includes(mine ?? -1));
  const bad = seen.filter(({ trouble }) => trouble !== undefined).length;
  return 1 - (bad + 0.5) / (seen.length + 4);
}

function withoutAnswer(context: RepairContext, id: IconId, answer: boolean): RepairCandidate[] {
  const icon = diagramIcon(context, id);
  if (icon?.type !== "question") return [];
  // Deleting a question removes its right exit.
  const down = icon.yesIsDown === answer;
  const operations: EditOperation[] = [
    ...(down ? [{ op: "turn-question" as const, icon: id }] : []),
    { op: "delete", icon: id },
  ];
  const well = otherwiseWell(context, id, answer);
  // If only some values go wrong with this answer, the other values were right to take it.
  const kept = context.finding.when ? well / 2 : well;
  const said = answerText(answer);
  return [
    {
      kind: "simplify",
      operations,
      mends: well * DOUBT,
      keeps: kept * DOUBT,
      words: {
        uk: `Прибрати питання ${quotedText(icon.text)}: відповідь «${said.uk}» веде до хиби, тож усі йдуть іншим шляхом.`,
        en: `Remove the question ${quotedText(icon.text)}: runs with the answer «${said.en}» go wrong, so all runs take the other path.`,
      },
    },
  ];
}

/** Discount: the other path is likely, but not certain, to work for these runs too. */
const DOUBT = 0.95;

function withoutCase(context: RepairContext, select: IconId, answer: boolean | number | null): RepairCandidate[] {
  const { diagram } = context;
  const cases = surveyDiagram(diagram).cases.get(select) ?? [];
  const at = answer === null ? cases.length - 1 : typeof answer === "number" ? answer : -1;
  const odd = cases[at];
  if (!odd) return [];
  const well = otherwiseWell(context, select, answer) * DOUBT;
  const hasRest = cases.at(-1)?.text.trim() === "";
  const ways: EditOperation[][] = [
    ...(hasRest && at > 0 && at < cases.length - 1 ? [[{ op: "delete", icon: odd.id } as const]] : []),
    ...cases.flatMap((other) => joined(odd, other)),
  ];
  return ways.map(
    (operations): RepairCandidate => ({
      kind: "simplify",
      operations,
      mends: well,
      keeps: well,
      words: {
        uk: `Не вирізняти варіант ${quotedText(odd.text)}: він веде до хиби, тож робити з ним те саме, що з іншими.`,
        en: `Handle the case ${quotedText(odd.text)} like the others: runs on its own path go wrong.`,
      },
    }),
  );
}

/** Redirects one case to the target of another. */
const joined = (odd: Icon, other: Icon): EditOperation[][] =>
  other.id === odd.id || other.one === undefined || other.one === odd.one
    ? []
    : [[{ op: "move-line", at: [{ icon: odd.id, exit: "one" }], to: other.one }]];
