import type { Text } from "../../base/text.ts";
import type { Diagram } from "../diagram.ts";
import { type Finding, hasErrors } from "../finding.ts";
import type { IconId } from "../icon-id.ts";
import { inverted } from "../json-text.ts";
import { pairLoops } from "../loop-pairs.ts";
import { structure } from "../structure.ts";
import { survey } from "../survey.ts";
import { edited, fromSplices } from "../write.ts";
import { addCase, addProcess, insertDuration } from "./beside.ts";
import { insertBranch, toPrimitive, toSilhouette } from "./branches.ts";
import { deleteIcon } from "./delete.ts";
import { Draft } from "./draft.ts";
import { insertForEach, insertGuard, insertIcon, insertParallel, insertQuestion, insertSelect } from "./insert.ts";
import { makeLoop, moveLine, redirectAddress } from "./lines.ts";
import { type Applied, type Operation, type OperationOf, type Refused, refused } from "./operation.ts";
import { moveStep, removeStep } from "./steps.ts";
import { dropIdleArrows } from "./sweep.ts";
import { editHeader, editText, swapAnswers, turnQuestion } from "./texts.ts";

/**
 * Does one thing to a diagram. A legal diagram stays legal and loses nothing that was not meant, or the operation is refused
 * and says why. A diagram that has errors may be edited freely: how else would it be mended? The inverse takes the file back
 * to the byte, errors included.
 */
export function apply(diagram: Diagram, operation: Operation): Applied {
  const done = operation.op === "restore" ? fromSplices(diagram, operation.splices) : edit(diagram, operation);
  if (!done) return refused("the diagram has changed since", "діаграма відтоді змінилася");
  if ("kind" in done) return done;
  const problem = operation.op === "restore" ? undefined : harm(diagram, done.diagram);
  if (problem) return { kind: "refused", reason: problem };
  return { kind: "edited", diagram: done.diagram, inverse: { op: "restore", splices: inverted(done.splices) } };
}

/** One after the other; the first that is refused refuses all. The inverses are in the order in which to apply them. */
export function applyAll(
  diagram: Diagram,
  operations: readonly Operation[],
):
  | { readonly kind: "edited"; readonly diagram: Diagram; readonly inverses: readonly Operation[] }
  | (Refused & { readonly index: number }) {
  const inverses: Operation[] = [];
  let current = diagram;
  for (const [index, operation] of operations.entries()) {
    const applied = apply(current, operation);
    if (applied.kind === "refused") return { ...applied, index };
    inverses.unshift(applied.inverse);
    current = applied.diagram;
  }
  return { kind: "edited", diagram: current, inverses };
}

type Edits = {
  readonly [Op in Exclude<Operation["op"], "restore">]: (
    draft: Draft,
    operation: OperationOf<Op>,
  ) => Refused | undefined;
};

const edits: Edits = {
  start: (draft) => {
    if (draft.icons.size > 0) return refused("the diagram is not empty", "діаграма не порожня");
    const end = draft.add("end", {});
    draft.add("branch", { branchId: 0, one: end });
    return undefined;
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

function edit(diagram: Diagram, operation: Exclude<Operation, { op: "restore" }>): ReturnType<typeof edited> | Refused {
  const { text, json } = diagram.source;
  if (text.trim() !== "" && Object.keys(json).length === 0 && text.trim() !== "{}")
    return refused("the file cannot be read", "файл не вдається прочитати");
  const draft = new Draft(diagram);
  const run = edits[operation.op] as (draft: Draft, operation: Operation) => Refused | undefined;
  const problem = run(draft, operation);
  if (problem) return problem;
  dropIdleArrows(draft);
  return edited(diagram, draft.changes());
}

/** Why the new diagram is not acceptable, if the old one was. */
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
  const ends = pairLoops(before, survey(before)).ends;
  const now = loops.length === 0 ? ends : pairLoops(after, survey(after)).ends;
  const torn = loops.find(({ id }) => differs(ends.get(id)?.id, now.get(id)?.id));
  return torn && { en: `the loop ${torn.id} would get another end`, uk: `цикл ${torn.id} дістав би інший кінець` };
}

/** An icon that nobody reaches any more is a loss that nobody asked for. */
const isHarm = ({ code, severity }: Finding): boolean => severity === "error" || code === "W-UNREACHABLE";

const differs = (before: IconId | undefined, after: IconId | undefined): boolean =>
  before !== undefined && after !== undefined && before !== after;

function sentence({ icon, iconText, message }: Finding): Text {
  const name = icon === undefined ? "" : `${icon}${iconText ? ` "${iconText}"` : ""}`;
  return { en: `icon ${name}: ${message.en}`, uk: `ікона ${name}: ${message.uk}` };
}
