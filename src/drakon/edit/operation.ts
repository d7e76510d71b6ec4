import type { Text } from "../../base/text.ts";
import type { Diagram } from "../diagram/diagram.ts";
import type { Splice } from "../diagram/json-text.ts";
import type { IconId } from "../icon-id.ts";

/** One exit of one icon. */
export interface ExitRef {
  readonly icon: IconId;
  readonly exit: "one" | "two";
}

/** A drawn line as the set of exits that it carries; all lead to the same icon. A line after a join carries several. */
export type EditLine = readonly ExitRef[];

/** An edit of a diagram as data: it can be stored, sent, proposed and undone (FORMAT §8). */
export type EditOperation =
  /** Adds the first two icons of an empty diagram. */
  | { readonly op: "start" }
  /** `type` is a step with one exit: action, insertion, comment, output … */
  | {
      readonly op: "insert-icon";
      readonly at: EditLine;
      readonly type: string;
      readonly text: string;
      readonly secondary?: string;
    }
  | { readonly op: "insert-question"; readonly at: EditLine; readonly text: string }
  /** Only the last case may be empty. */
  | { readonly op: "insert-select"; readonly at: EditLine; readonly text: string; readonly cases: readonly string[] }
  | { readonly op: "insert-for-each"; readonly at: EditLine; readonly text: string }
  | { readonly op: "insert-parallel"; readonly at: EditLine; readonly processes?: number }
  /** "Yes" continues; "no" goes to `otherwise` (default: the next item of the for-each around it, else the end). */
  | { readonly op: "insert-guard"; readonly at: EditLine; readonly text: string; readonly otherwise?: IconId }
  /** The new case leads to `to` (default: the target of its neighbour). */
  | {
      readonly op: "add-case";
      readonly beside: IconId;
      readonly side: BesideSide;
      readonly text: string;
      readonly to?: IconId;
    }
  | { readonly op: "add-process"; readonly beside: IconId; readonly side: BesideSide; readonly text?: string }
  | { readonly op: "insert-branch"; readonly beside: IconId; readonly side: BesideSide; readonly name?: string }
  | { readonly op: "insert-duration"; readonly beside: IconId; readonly text: string }
  /** Deletes the construct: with a question also the icons that only its right exit reached, with a loop both ends. */
  | { readonly op: "delete"; readonly icon: IconId }
  | { readonly op: "edit-text"; readonly icon: IconId; readonly field: "content" | "secondary"; readonly text: string }
  | { readonly op: "edit-header"; readonly field: "name" | "params" | "description"; readonly text: string }
  /** Swaps "yes" and "no"; the lines stay. Changes the meaning. */
  | { readonly op: "swap-answers"; readonly icon: IconId }
  /** Swaps the lines together with their answers. Keeps the meaning. */
  | { readonly op: "turn-question"; readonly icon: IconId }
  | { readonly op: "redirect-address"; readonly at: EditLine; readonly to: IconId }
  | { readonly op: "move-line"; readonly at: EditLine; readonly to: IconId }
  /** Leads the end of a line back into a line above it. */
  | { readonly op: "make-loop"; readonly at: EditLine; readonly above: EditLine }
  | { readonly op: "to-silhouette"; readonly names?: readonly [first: string, second: string, exit: string] }
  | { readonly op: "to-primitive" }
  | { readonly op: "remove-step"; readonly icon: IconId }
  | { readonly op: "move-step"; readonly icon: IconId; readonly at: EditLine }
  /** Undo or redo. Applies only to the exact text that it was made for, and is not validated: it restores an earlier state. */
  | { readonly op: "restore"; readonly splices: readonly Splice[] };

export type BesideSide = "left" | "right";

export type EditOperationOf<Op extends EditOperation["op"]> = Extract<EditOperation, { op: Op }>;

export type EditResult =
  | { readonly kind: "edited"; readonly diagram: Diagram; readonly inverse: EditOperation }
  | EditRefused;

export interface EditRefused {
  readonly kind: "refused";
  readonly reason: Text;
}

/** Carries a refusal out of an operation, only inside this folder: `applyOperation` returns it as a value. */
export class EditRefusal extends Error {
  readonly reason: Text;

  constructor(reason: Text) {
    super(reason.en);
    this.reason = reason;
  }
}

export function refuseEdit(en: string, uk: string): never {
  throw new EditRefusal({ en, uk });
}
