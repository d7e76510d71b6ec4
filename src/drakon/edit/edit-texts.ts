import type { Icon, JsonObject } from "../diagram/diagram.ts";
import type { Draft } from "./draft.ts";
import { hasUpperText, iconContent } from "./insert.ts";
import { type EditOperationOf, refuseEdit } from "./operation.ts";

const WORDLESS = new Set(["end", "arrow-loop", "header", "params", "image", "address"]);

export function editText(draft: Draft, { icon: id, field, text }: EditOperationOf<"edit-text">): void {
  const icon = draft.expectIcon(id);
  if (field === "secondary" ? !hasUpperText(icon.type) : WORDLESS.has(icon.type))
    refuseEdit(`icon ${id} has no such text`, `ікона ${id} не має такого тексту`);
  if ((field === "secondary" ? icon.secondary : icon.text) === text) return;
  draft.set(id, { [field]: iconContent(text, rawField(draft, id, field)) });
}

/** The name is stored in the diagram, in its envelope, or in both; equal copies stay equal. */
export function editHeader(draft: Draft, { field, text }: EditOperationOf<"edit-header">): void {
  const { json, enveloped } = draft.before.source;
  const body = enveloped ? (json["diagram"] as JsonObject) : json;
  const [inner, outer] = [stringIn(body, field), enveloped && field === "name" ? stringIn(json, field) : undefined];
  if (draft.before[field] === text) return;
  const content = iconContent(text, inner ?? outer);
  if (inner !== undefined || outer === undefined) draft.setHeader(field, content);
  if (outer !== undefined && (inner === undefined || inner === outer)) draft.setEnvelope(field, content);
}

/** A text of an icon as it is written in the file, HTML included. */
export const rawField = (draft: Draft, id: string, field: string): string | undefined =>
  stringIn(itemOf(draft, id), field);

function itemOf(draft: Draft, id: string): JsonObject | undefined {
  const { json, enveloped } = draft.before.source;
  const items = (enveloped ? (json["diagram"] as JsonObject) : json)["items"] as JsonObject | undefined;
  return items && Object.hasOwn(items, id) ? (items[id] as JsonObject) : undefined;
}

function stringIn(object: JsonObject | undefined, field: string): string | undefined {
  const value = object?.[field];
  return typeof value === "string" ? value : undefined;
}

export function swapAnswers(draft: Draft, { icon: id }: EditOperationOf<"swap-answers">): void {
  draft.set(id, { flag1: turnedFlag(draft, expectQuestion(draft, id)) });
}

export function turnQuestion(draft: Draft, { icon: id }: EditOperationOf<"turn-question">): void {
  const icon = expectQuestion(draft, id);
  draft.set(id, { one: icon.two, two: icon.one, flag1: turnedFlag(draft, icon) });
}

function expectQuestion(draft: Draft, id: string): Icon {
  const icon = draft.expectIcon(id);
  return icon.type === "question" ? icon : refuseEdit(`icon ${id} is not a question`, `ікона ${id} не є питанням`);
}

/** The opposite of the current flag, of the same JSON type as in the file. */
const turnedFlag = (draft: Draft, { id, yesIsDown }: Icon): boolean | number =>
  typeof itemOf(draft, id)?.["flag1"] === "boolean" ? !yesIsDown : Number(!yesIsDown);
