import type { EditOperation } from "../../../../src/drakon/edit/operation.ts";
import type { Text } from "../../i18n/use-t.ts";
import type { DiagramPlace } from "./places.ts";

/** Something that can be done at a place. `needs` says what comes first: nothing, a text, or a second place. */
export type EditorCommand = {
  readonly id: string;
  readonly name: Text;
  /** The shortcut while the drawing has the focus. */
  readonly key?: string;
  /** Rarely wanted: listed under "More icons". */
  readonly rare?: boolean;
  /** Tried on a copy beforehand, so that the panel can say why a command is not possible. */
  readonly attempt?: EditOperation;
  /** Hardly ever refused: tried when it is run, not beforehand. */
  readonly sure?: boolean;
} & (
  | { readonly needs: "nothing"; readonly operation: EditOperation }
  | { readonly needs: "text"; readonly prompt: TextPrompt }
  | {
      readonly needs: "place";
      readonly hint: Text;
      readonly operationAt: (place: DiagramPlace) => EditOperation | undefined;
    }
  | { readonly needs: "jump"; readonly to: string }
  | { readonly needs: "several"; readonly operations: readonly EditOperation[] }
  | { readonly needs: "copy"; readonly icons: readonly CopiedIcon[]; readonly operations: readonly EditOperation[] }
);

export type TextCommand = Extract<EditorCommand, { needs: "text" }>;
export type PlaceCommand = Extract<EditorCommand, { needs: "place" }>;

/** A copied step. It can be pasted in this diagram, in another tab or into another agent. */
export interface CopiedIcon {
  readonly type: string;
  readonly text: string;
  readonly secondary?: string;
}

/** Asks for texts and makes operations of them. */
export interface TextPrompt {
  readonly title: Text;
  readonly fields: readonly PromptField[];
  readonly operations: (texts: Readonly<Record<string, string>>) => readonly EditOperation[];
  /** The kind of expression in the first field: it decides how a run interprets the text. */
  readonly reads: "action" | "question" | "words";
  readonly isNew: boolean;
}

export interface PromptField {
  readonly name: string;
  readonly label: Text;
  readonly now: string;
  readonly lines?: number;
}

/** Stands for a text that is not written yet, in operations that are only tried. */
export const SAMPLE_TEXT = "x";

/** Icon types with a second, upper text. */
export const TWO_STOREYS: ReadonlySet<string> = new Set(["shelf", "process", "input", "output"]);

export const promptField = (name: string, label: Text): PromptField => ({ name, label, now: "" });

export const immediateCommand = (
  id: string,
  name: Text,
  key: string | undefined,
  operation: EditOperation,
): EditorCommand => ({
  id,
  name,
  ...(key !== undefined && { key }),
  needs: "nothing",
  operation,
  attempt: operation,
});

export const promptCommand = (
  id: string,
  name: Text,
  key: string | undefined,
  attempt: EditOperation,
  fields: readonly PromptField[],
  rest: Pick<TextPrompt, "reads" | "operations">,
): EditorCommand => ({
  id,
  name,
  ...(key !== undefined && { key }),
  needs: "text",
  attempt,
  prompt: { title: name, fields, isNew: true, ...rest },
});
