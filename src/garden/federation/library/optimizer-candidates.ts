import { rateInterval } from "../../../domain/logic/rate-interval.ts";
import { readDiagram } from "../../../drakon/diagram/diagram.ts";
import type { CandidateLogic } from "../../../drakon/learn/repair.ts";
import { type CandidateSource, inspectLogic } from "../../insight/learning/analyse-logic.ts";
import { learningSettings } from "../../insight/learning/logic-performance.ts";
import type { LogicInsight } from "../../runs/tools/logic/logic-insight.ts";
import { travellingProgram } from "./replay-evidence.ts";
import { relatedBehaviours } from "./suggestions.ts";

/** Tried on recorded runs, so their number is limited. */
const MOST_CANDIDATES = 5;

/**
 * S-9b: behaviours of followed gardens as candidates of the optimizer, best figures first. A run for which the recording cannot tell the
 * result counts as good with the lower end of the sender's interval: figures from elsewhere are taken at their worst.
 */
export const peerCandidates: CandidateSource = async (garden, slug) => {
  const { confidence } = learningSettings(garden);
  const found = (await relatedBehaviours(garden, slug)).flatMap(({ garden: from, value }): CandidateLogic[] => {
    const { head, logic } = value;
    const program = head.kind === "prompt" ? undefined : travellingProgram(logic);
    if (!program) return [];
    const { good, bad } = head.statistics;
    const [who, judged] = [`${from}, ${head.version}, ${head.behaviour.slice(0, 10)}`, `${good}/${good + bad}`];
    return [
      {
        diagram: readDiagram(logic).diagram,
        program,
        goodRate: rateInterval({ hits: good, of: good + bad }, confidence).low,
        // Without the sender's words: models read this.
        words: {
          en: `Take the behaviour of another garden (${who}; good runs there: ${judged}).`,
          uk: `Узяти поведінку іншого саду (${who}; добрих запусків там: ${judged}).`,
        },
      },
    ];
  });
  return found.toSorted((a, b) => b.goodRate - a.goodRate).slice(0, MOST_CANDIDATES);
};

/** The analysis of the optimizer, with candidates of followed gardens. */
export const inspectWithPeers: LogicInsight["inspectLogic"] = (garden, look) =>
  inspectLogic(garden, look, peerCandidates);
