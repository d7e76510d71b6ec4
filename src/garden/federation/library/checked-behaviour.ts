import { canonicalId } from "../../../base/canonical.ts";
import type { Text } from "../../../base/text.ts";
import { statisticsOf } from "../../../domain/library/evidence-record.ts";
import {
  type BehaviourFiles,
  type BehaviourReading,
  readTravelling,
  type TravellingBehaviour,
} from "../../../domain/library/travelling-behaviour.ts";
import { checkText } from "../../../drakon/check.ts";
import { splitDiagrams } from "../../../drakon/diagram/called-diagrams.ts";
import { readProgram } from "../../../drakon/diagram-program.ts";
import { fileDiagramName } from "../../../drakon/insertions.ts";
import { renderPseudocode } from "../../../drakon/text/render.ts";
import { MAIN_DIAGRAM } from "../../records/agents/agent-diagrams.ts";
import { textBehaviour } from "../../records/logic/proposed-logic.ts";
import { type EvidenceOutcome, replayEvidence } from "./replay-evidence.ts";

/** Reads the files of a behaviour: signed, whole, and with logic that has the behaviour id of the head. */
export function checkedBehaviour(files: BehaviourFiles): BehaviourReading {
  const reading = readTravelling(files);
  if (reading.kind === "refused") return reading;
  const { head, logic } = reading.value;
  const id = head.kind === "prompt" ? textBehaviour(logic) : readProgram(logic).behaviour;
  if (id === undefined) return { kind: "refused", why: "broken-logic" };
  return id === head.behaviour ? reading : { kind: "refused", why: "other-behaviour", subject: id };
}

/** The instructions of a behaviour as text: the pseudocode of its main diagram, or the prompt. */
export function procedureText({ head, logic }: Pick<TravellingBehaviour, "head" | "logic">): string {
  if (head.kind === "prompt") return logic;
  const { tree } = checkText(splitDiagrams(logic).main);
  const name = tree?.name || fileDiagramName(MAIN_DIAGRAM);
  return tree ? renderPseudocode({ ...tree, name }, { language: head.language }).text : "";
}

/** The evidence of a behaviour as this garden finds it. */
export interface EvidenceReport {
  readonly outcomes: readonly EvidenceOutcome[];
  readonly agrees: number;
  readonly differs: number;
  readonly verdictOnly: number;
  /** Empty if the evidence holds: else what it claims and what it gives. */
  readonly lies: readonly Text[];
}

const remembered = new Map<string, EvidenceReport>();
const MOST_REMEMBERED = 256;

/** Replays the evidence, and compares the statistics with it. The result depends on the behaviour's bytes alone and is cached by them. */
export function evidenceReport(value: TravellingBehaviour): EvidenceReport {
  const id = canonicalId(value.head);
  const known = remembered.get(id) ?? reportOf(value);
  remembered.delete(id);
  remembered.set(id, known);
  if (remembered.size > MOST_REMEMBERED) remembered.delete(remembered.keys().next().value!);
  return known;
}

function reportOf(value: TravellingBehaviour): EvidenceReport {
  const outcomes = replayEvidence(value);
  const count = (kind: EvidenceOutcome["kind"]): number => outcomes.filter((one) => one.kind === kind).length;
  const first = outcomes.findIndex(({ kind }) => kind === "differs");
  const wrong = outcomes[first];
  const claimed = value.head.statistics;
  const given = statisticsOf(value.records);
  return {
    outcomes,
    agrees: count("agrees"),
    differs: count("differs"),
    verdictOnly: count("verdict-only"),
    lies: [
      ...(canonicalId(claimed) === canonicalId(given) ? [] : [otherFigures(claimed, given)]),
      ...(wrong?.kind === "differs" ? [otherDecisions(count("differs"), first, wrong.why)] : []),
    ],
  };
}

type Counts = { readonly good: number; readonly bad: number; readonly runs: number };
const told = ({ good, bad, runs }: Counts): string => `${good}/${good + bad} (${runs})`;

const otherFigures = (claimed: Counts, given: Counts): Text => ({
  en: `its figures are not those of its records: it says ${told(claimed)} good of judged (all runs), its records give ${told(given)}`,
  uk: `її числа не відповідають її записам: сказано ${told(claimed)} добрих з оцінених (усіх), записи дають ${told(given)}`,
});
const otherDecisions = (count: number, first: number, why: Text): Text => ({
  en: `${count} of its recorded runs do not follow from its diagram; the first is ${first + 1}: ${why.en}`,
  uk: `її записаних запусків, що не випливають із її діаграми: ${count}; перший — ${first + 1}: ${why.uk}`,
});
