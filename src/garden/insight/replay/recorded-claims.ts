import { type PassedLine, readPassed, yesOrNo } from "../../../domain/run/passed-lines.ts";
import type { PassedIcon } from "../../../domain/run/run-path.ts";
import type { StepRecord } from "../../../domain/run/run-step.ts";
import { compiledTree, type Instruction } from "../../../drakon/walk/compiled-tree.ts";
import { isPlainIcon, linePath } from "../../../drakon/walk/line-path.ts";
import type { ProcedurePart } from "../../runs/execute/procedure.ts";
import { addRecord, type Tallied } from "./path-tally.ts";
import type { RecordedJournal } from "./recorded-journal.ts";
import { turnsOf } from "./recorded-turns.ts";

/** The path that a model with the whole procedure claims to have taken (R-1a). */
export interface ClaimedPath {
  readonly passed: readonly PassedIcon[];
  /** Every call came with lines that form a path. Otherwise `passed` ends before the first gap. */
  readonly whole: boolean;
}

type Passing = { readonly line: PassedLine; readonly icon: string } & Tallied;

export function claimedPath({ procedure: { main }, calls, manifest }: RecordedJournal): ClaimedPath {
  const path = linePath(main.tree, (icon) => main.lineOf(icon), main.turned);
  const passed: Passing[] = [];
  let whole = true;
  const at = (record: StepRecord): void => {
    const last = passed.at(-1);
    if (last) addRecord(last, record);
  };
  for (const { model, calls: made } of turnsOf(calls)) {
    const done = made.filter((call) => call.record !== undefined);
    // A reply counts at the icon of its first call; the last reply, without calls, at the last icon.
    for (const [index, { claim, record }] of done.entries()) {
      const lines = readPassed(claim);
      const again = Array.isArray(claim) && claim.length === 0 && passed.length > 0;
      if (whole && lines.length === 0 && !again) whole = false;
      const wrong = whole ? path.pass(lines) : undefined;
      if (wrong) whole = false;
      if (whole) passed.push(...lines.flatMap((line) => passing(main, line)));
      if (index === 0) at(model);
      at(record!);
    }
    if (done.length === 0) at(model);
  }
  const last = passed.at(-1);
  if (last && manifest.status === "failed") last.failed = true;
  const diagram = main.file ?? main.name;
  return {
    whole: whole && passed.length > 0,
    passed: passed.map(({ line, icon, ...tallied }) => ({
      diagram,
      icon,
      ...answerOf(main, icon, line),
      ...tallied,
    })),
  };
}

/** Lines without an icon (`ELSE`, `END`) are skipped. */
function passing(main: ProcedurePart, line: PassedLine): Passing[] {
  const icon = main.iconAt(line.line);
  if (icon === undefined || !instructionsOf(main).has(icon)) return [];
  return [{ line, icon, calls: 0, tokens: 0, ms: 0, failed: false, proposals: [] }];
}

/** The answer at a single question, a loop or a select; unknown for several questions joined in one line. */
function answerOf(main: ProcedurePart, icon: string, { answer }: PassedLine): Pick<PassedIcon, "answer"> {
  const one = instructionsOf(main).get(icon);
  if (one?.op === "select") {
    const label = answer?.trim().toLowerCase();
    const found = one.select.cases.findIndex(({ text }) => text.trim().toLowerCase() === label);
    return found >= 0 ? { answer: found } : {};
  }
  const said = isPlainIcon(main.tree, icon, main.turned) ? yesOrNo(answer) : undefined;
  return said === undefined ? {} : { answer: said };
}

const instructions = new WeakMap<ProcedurePart, ReadonlyMap<string, Instruction>>();

function instructionsOf(main: ProcedurePart): ReadonlyMap<string, Instruction> {
  const known = instructions.get(main);
  if (known) return known;
  const made = new Map(
    compiledTree(main.tree).instructions.flatMap((one) => ("icon" in one ? [[one.icon, one] as const] : [])),
  );
  instructions.set(main, made);
  return made;
}
