import { printExpression } from "../expression/printer.ts";
import type { Program } from "../walk/frame.ts";
import { treeNamed } from "../walk/icon-statements.ts";
import { logSum } from "./betting-score.ts";
import { type Evidence, type Site, siteKey } from "./evidence.ts";
import type { LogicFinding, Smell } from "./finding.ts";
import { findingText } from "./finding-text.ts";
import { drawnIcons } from "./icon-dataflow.ts";
import { observe, type Signs } from "./observation.ts";
import type { Suspect } from "./suspects.ts";
import { comparedKeys } from "./terms.ts";

const MOST_FINDINGS = 5;
export const MOST_EVIDENCE = 20;

/** Runs and program that findings are made from. */
export interface BlameInput {
  readonly judged: readonly Evidence[];
  readonly program: Program;
  readonly signs: Signs;
  readonly smells: ReadonlyMap<string, Smell>;
}

/** The most likely suspect of each icon and kind as findings, most likely icon first. */
export function blame(suspects: readonly Suspect[], seen: BlameInput): LogicFinding[] {
  const found: { suspect: Suspect; logScore: number; logFortune: number; confidence: number }[] = [];
  for (const kind of ["failure", "rejection"] as const) {
    const ofKind = suspects.filter((one) => one.kind === kind);
    const total = logSum(ofKind.map(({ logScore }) => logScore));
    const bySite = Map.groupBy(ofKind, siteKey);
    for (const group of bySite.values()) {
      const suspect = group.reduce((best, one) => (one.logScore > best.logScore ? one : best));
      const logScore = logSum(group.map((one) => one.logScore));
      const logFortune = logSum(group.map((one) => one.logStake + one.logFortune));
      found.push({ suspect, logScore, logFortune, confidence: Math.exp(logScore - total) });
    }
  }
  // Failures and rejections are explained by different suspects; the kind with the larger total fortune comes first.
  const won = new Map(
    (["failure", "rejection"] as const).map((kind) => [
      kind,
      logSum(found.filter(({ suspect }) => suspect.kind === kind).map(({ logFortune }) => logFortune)),
    ]),
  );
  return found
    .toSorted((a, b) => won.get(b.suspect.kind)! - won.get(a.suspect.kind)! || b.logScore - a.logScore)
    .slice(0, MOST_FINDINGS)
    .map(({ suspect, logFortune, confidence }) => findingOf(suspect, logFortune, confidence, seen));
}

function findingOf(suspect: Suspect, logFortune: number, confidence: number, seen: BlameInput): LogicFinding {
  const { judged, program, signs, smells } = seen;
  const { kind, when, all, bad, restAll, restBad } = suspect;
  const rate = bad / all;
  const restRate = restAll === 0 ? 0 : restBad / restAll;
  const showing = judged.filter((run) => shows(suspect, run, program));
  const evidence = showing.filter((run) => observe(run, program).trouble === kind).map(({ path }) => path.run);
  const { diagram, icon, answer } = decidedAt(suspect, showing, program);
  const smell = smells.get(siteKey({ diagram, icon }));
  const found = {
    diagram,
    icon,
    kind,
    ...(answer !== undefined && { answer }),
    ...(when && { when }),
    ...(smell && { smell }),
    visits: all,
    bad,
    rate,
    restRate,
    effect: rate - restRate,
    pValue: Math.min(1, Math.exp(-logFortune)),
    confidence,
    evidence: evidence.slice(-MOST_EVIDENCE),
  };
  return { ...found, words: findingText(found, signs.icon(found)?.text ?? "") };
}

/**
 * If a step goes wrong for large or small values of a term and a question before it compares the same term, the question is
 * to blame: it let those values through.
 */
function decidedAt(
  { diagram, icon, sign, when }: Suspect,
  showing: readonly Evidence[],
  program: Program,
): Site & { readonly answer?: boolean | number | null } {
  const own = { diagram, icon, ...(sign?.answer !== undefined && { answer: sign.answer }) };
  const tree = treeNamed(program.trees, diagram);
  if (!tree || !sign || sign.asked || !when || !("bound" in when)) return own;
  const key = printExpression(when.term, "en");
  for (const question of drawnIcons(tree).values()) {
    if (question.does !== "question" || !comparedKeys(question).includes(key)) continue;
    const answers = new Set(
      showing.flatMap(({ path }) =>
        path.passed.flatMap((one) => (one.icon === question.icon && one.diagram === diagram ? [one.answer] : [])),
      ),
    );
    const [answer] = answers;
    if (answers.size === 1 && answer !== undefined) return { diagram, icon: question.icon, answer };
  }
  return own;
}

/** True if a run has the sign of a suspect. */
function shows({ sign, when }: Pick<Suspect, "sign" | "when">, run: Evidence, program: Program): boolean {
  if (!sign) return true;
  const { signs, places, sizes } = observe(run, program);
  if (sign.is === "place") return places.includes(sign.id);
  if (sign.is !== "size") return signs.includes(sign.id);
  const size = sizes.get(sign.id);
  if (!size || !when || !("bound" in when)) return false;
  return when.is === "at-most" ? size[0] <= when.bound : size[1] > when.bound;
}
