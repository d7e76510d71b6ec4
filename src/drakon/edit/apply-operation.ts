import type { Text } from "../../base/text.ts";
import type { Diagram } from "../diagram/diagram.ts";
import { withChanges, withSplices } from "../diagram/file-changes.ts";
import { invertSplices } from "../diagram/json-text.ts";
import { type Finding, hasErrors } from "../finding.ts";
import type { IconId } from "../icon-id.ts";
import { pairLoops } from "../structure/loop-pairs.ts";
import { structure } from "../structure/structure.ts";
import { surveyDiagram } from "../structure/survey.ts";
import { deleteIcon } from "./delete-icon.ts";
import { Draft } from "./draft.ts";
import { insertBranch, toPrimitive, toSilhouette } from "./edit-branches.ts";
import { editHeader, editText, swapAnswers, turnQuestion } from "./edit-texts.ts";
import { insertForEach, insertGuard, insertIcon, insertParallel, insertQuestion, insertSelect } from "./insert.ts";
import { addCase, addProcess, insertDuration } from "./insert-beside.ts";
import { makeLoop, moveLine, redirectAddress } from "./move-lines.ts";
import { moveStep, removeStep } from "./move-steps.ts";
import {
  type EditOperation,
  type EditOperationOf,
  EditRefusal,
  type EditRefused,
  type EditResult,
  refuseEdit,
} from "./operation.ts";
import { dropIdleArrows } from "./remove-unreachable.ts";

/**
 * Applies one operation. A valid diagram stays valid and loses no other icons, or the operation is refused with a reason. A
 * diagram with errors may be edited freely, so that it can be repaired. The inverse restores the file byte by byte.
 */
export function applyOperation(diagram: Diagram, operation: EditOperation): EditResult {
  try {
    const done = operation.op === "restore" ? withSplices(diagram, operation.splices) : edit(diagram, operation);
    if (!done) refuseEdit("the diagram has changed in the meantime", "діаграма відтоді змінилася");
    const problem = operation.op === "restore" ? undefined : harm(diagram, done.diagram);
    if (problem) return { kind: "refused", reason: problem };
    return { kind: "edited", diagram: done.diagram, inverse: { op: "restore", splices: invertSplices(done.splices) } };
  } catch (thrown) {
    if (thrown instanceof EditRefusal) return { kind: "refused", reason: thrown.reason };
    throw thrown;
  }
}

/** Applies operations in order, all or none. The inverses are in the order in which to apply them. */
export function applyOperations(
  diagram: Diagram,
  operations: readonly EditOperation[],
):
  | { readonly kind: "edited"; readonly diagram: Diagram; readonly inverses: readonly EditOperation[] }
  | (EditRefused & { readonly index: number }) {
  const inverses: EditOperation[] = [];
  let current = diagram;
  for (const [index, operation] of operations.entries()) {
    const applied = applyOperation(current, operation);
    if (applied.kind === "refused") return { ...applied, index };
    inverses.unshift(applied.inverse);
    current = applied.diagram;
  }
  return { kind: "edited", diagram: current, inverses };
}

type Edits = {
  readonly [Op in Exclude<EditOperation["op"], "restore">]: (draft: Draft, operation: EditOperationOf<Op>) => void;
};

const edits: Edits = {
  start: (draft) => {
    if (draft.icons.size > 0) refuseEdit("the diagram is not empty", "діаграма не порожня");
    const end = draft.add("end", {});
    draft.add("branch", { branchId: 0, one: end });
  },
  "insert-icon": insertIcon,
  "insert-question": insertQuestion,
  "insert-select": insertSelect,
  "insert-for-each": insertForEach,
  "insert-parallel": insertParallel,
  "insert-guard": insertGuard,
  "add-case": addCase,
  "add-process": addProcess,
  "insert-branch": insertBranch,
  "insert-duration": insertDuration,
  delete: deleteIcon,
  "edit-text": editText,
  "edit-header": editHeader,
  "swap-answers": swapAnswers,
  "turn-question": turnQuestion,
  "redirect-address": redirectAddress,
  "move-line": moveLine,
  "make-loop": makeLoop,
  "to-silhouette": toSilhouette,
  "to-primitive": toPrimitive,
  "remove-step": removeStep,
  "move-step": moveStep,
};

function edit(diagram: Diagram, operation: Exclude<EditOperation, { op: "restore" }>): ReturnType<typeof withChanges> {
  const { text, json } = diagram.source;
  if (text.trim() !== "" && Object.keys(json).length === 0 && text.trim() !== "{}")
    refuseEdit("the file cannot be read", "файл не вдається прочитати");
  const draft = new Draft(diagram);
  const run = edits[operation.op] as (draft: Draft, operation: EditOperation) => void;
  run(draft, operation);
  dropIdleArrows(draft);
  return withChanges(diagram, draft.changes());
}

/** The reason to refuse the new diagram; undefined if it is acceptable, or if the old one had errors. */
function harm(before: Diagram, after: Diagram): Text | undefined {
  const found = structure(after).findings.filter(isHarm);
  const own = [...after.icons.values()].find(({ id, one, two, final }) => !final && (one === id || two === id));
  const loops = [...before.icons.values()].filter(({ type }) => type === "loopbegin");
  if (found.length === 0 && !own && loops.length === 0) return undefined;
  const { findings } = structure(before);
  if (hasErrors(findings)) return undefined;
  if (own) return { en: `icon ${own.id} would lead to itself`, uk: `ікона ${own.id} вела б до самої себе` };
  const known = new Set(findings.filter(isHarm).map(({ icon }) => icon));
  const [first] = found.filter(({ code, icon }) => code !== "W-UNREACHABLE" || !known.has(icon));
  if (first) return sentence(first);
  const ends = pairLoops(before, surveyDiagram(before)).ends;
  const now = loops.length === 0 ? ends : pairLoops(after, surveyDiagram(after)).ends;
  const torn = loops.find(({ id }) => differs(ends.get(id)?.id, now.get(id)?.id));
  return torn && { en: `the loop ${torn.id} would get another end`, uk: `цикл ${torn.id} дістав би інший кінець` };
}

/** An icon that becomes unreachable is an unintended loss. */
const isHarm = ({ code, severity }: Finding): boolean => severity === "error" || code === "W-UNREACHABLE";

const differs = (before: IconId | undefined, after: IconId | undefined): boolean =>
  before !== undefined && after !== undefined && before !== after;

function sentence({ icon, iconText, message }: Finding): Text {
  const name = icon === undefined ? "" : `${icon}${iconText ? ` "${iconText}"` : ""}`;
  return { en: `icon ${name}: ${message.en}`, uk: `ікона ${name}: ${message.uk}` };
}
