import type { Language, Text } from "../../base/text.ts";
import type { Diagram, Icon } from "../diagram/diagram.ts";
import type { EditLine, EditOperation } from "../edit/operation.ts";
import { sockets } from "../edit/sockets.ts";
import type { IconId } from "../icon-id.ts";
import type { Tree } from "../tree.ts";
import type { Program } from "../walk/frame.ts";
import { type Evidence, siteKey } from "./evidence.ts";
import type { LogicFinding } from "./finding.ts";
import { type DrawnIcon, drawnIcons } from "./icon-dataflow.ts";
import { observe, type Sign, signsOf } from "./observation.ts";
import type { RepairKind } from "./repair.ts";
import type { OnlyReads } from "./smells.ts";

/** Input of the repair generators. */
export interface RepairContext {
  readonly finding: LogicFinding;
  readonly diagram: Diagram;
  readonly tree: Tree;
  readonly program: Program;
  readonly runs: readonly Evidence[];
  readonly onlyReads: OnlyReads;
  readonly language: Language;
}

/** A possible repair, not yet tried on the recorded runs. */
export interface RepairCandidate {
  readonly kind: RepairKind;
  readonly operations: readonly EditOperation[];
  /** If the recording cannot tell: probability that a bad run turns good, and that a good one stays good. */
  readonly mends: number;
  readonly keeps: number;
  readonly words: Text;
}

export const contextIcons = ({ tree }: RepairContext): ReadonlyMap<IconId, DrawnIcon> => drawnIcons(tree);
export const blamedIcon = (context: RepairContext): DrawnIcon | undefined =>
  contextIcons(context).get(context.finding.icon);
export const diagramIcon = ({ diagram }: RepairContext, id: IconId | undefined): Icon | undefined =>
  id === undefined ? undefined : diagram.icons.get(id);

/** The line into an icon, with all exits that join before it. */
export function lineInto({ diagram }: RepairContext, icon: IconId): EditLine | undefined {
  const into = sockets(diagram).filter(({ target }) => target === icon);
  return (into.find(({ joined }) => joined) ?? into[0])?.line;
}

/** Steps directly below an icon, up to the first question or loop. */
export function stepsBehind(context: RepairContext, from: IconId, most: number): DrawnIcon[] {
  const found: DrawnIcon[] = [];
  for (
    let next = diagramIcon(context, from)?.one;
    next !== undefined && found.length < most;
    next = diagramIcon(context, next)?.one
  ) {
    const drawn = contextIcons(context).get(next);
    if (drawn?.does !== "step") break;
    found.push(drawn);
  }
  return found;
}

/** The size sign of a finding for one term. */
export function sizeSign({ finding, program }: RepairContext, key: string): Sign | undefined {
  return signsOf(program).all.find(
    (sign) =>
      sign.is === "size" &&
      siteKey(sign) === siteKey(finding) &&
      sign.term?.key === key &&
      (!sign.asked || sign.answer === finding.answer),
  );
}

/** Sizes of a sign in all runs, and whether each run has the trouble of the finding. */
export function measuredAt(
  { finding, program, runs }: RepairContext,
  sign: Sign,
  side: "low" | "high",
): { size: number; bad: boolean }[] {
  return runs.flatMap((run) => {
    const { sizes, trouble } = observe(run, program);
    const size = sizes.get(sign.id);
    // A run with another kind of trouble says nothing about this one.
    if (!size || (trouble !== undefined && trouble !== finding.kind)) return [];
    return [{ size: side === "low" ? size[0] : size[1], bad: trouble === finding.kind }];
  });
}
