import type { JsonObject } from "../diagram/diagram.ts";
import type { Draft } from "./draft.ts";
import { contentOf, hasUpperText } from "./insert.ts";
import { type EditOperationOf, type EditRefused, editRefused, noSuchIcon } from "./operation.ts";

const WORDLESS = new Set(["end", "arrow-loop", "header", "params", "image", "address"]);

export function editText(
  draft: Draft,
  { icon: id, field, text }: EditOperationOf<"edit-text">,
): EditRefused | undefined {
  const icon = draft.icon(id);
  if (!icon) return noSuchIcon(id);
  if (field === "secondary" ? !hasUpperText(icon.type) : WORDLESS.has(icon.type))
    return editRefused(`icon ${id} has no such text`, `ікона ${id} не має такого тексту`);
  if ((field === "secondary" ? icon.secondary : icon.text) === text) return undefined;
  const dressed = contentOf(text, stringIn(itemOf(draft, id), field));
  if ("kind" in dressed) return dressed;
  draft.set(id, { [field]: dressed.content });
  return undefined;
}

/** The name is stored in the diagram, in its envelope, or in both; equal copies stay equal. */
export function editHeader(draft: Draft, { field, text }: EditOperationOf<"edit-header">): EditRefused | undefined {
  const { json, enveloped } = draft.before.source;
  const body = enveloped ? (json["diagram"] as JsonObject) : json;
  const [inner, outer] = [stringIn(body, field), enveloped && field === "name" ? stringIn(json, field) : undefined];
  if (draft.before[field] === text) return undefined;
  const dressed = contentOf(text, inner ?? outer);
  if ("kind" in dressed) return dressed;
  if (inner !== undefined || outer === undefined) draft.setHeader(field, dressed.content);
  if (outer !== undefined && (inner === undefined || inner === outer)) draft.setEnvelope(field, dressed.content);
  return undefined;
}

function itemOf(draft: Draft, id: string): JsonObject | undefined {
  const { json, enveloped } = draft.before.source;
  const items = (enveloped ? (json["diagram"] as JsonObject) : json)["items"] as JsonObject | undefined;
  return items && Object.hasOwn(items, id) ? (items[id] as JsonObject) : undefined;
}

function stringIn(object: JsonObject | undefined, field: string): string | undefined {
  const value = object?.[field];
  return typeof value === "string" ? value : undefined;
}

export function swapAnswers(draft: Draft, { icon: id }: EditOperationOf<"swap-answers">): EditRefused | undefined {
  const icon = draft.icon(id);
  if (icon?.type !== "question") return icon ? notAQuestion(id) : noSuchIcon(id);
  draft.set(id, { flag1: flagLike(itemOf(draft, id)?.["flag1"], !icon.yesIsDown) });
  return undefined;
}

export function turnQuestion(draft: Draft, { icon: id }: EditOperationOf<"turn-question">): EditRefused | undefined {
  const icon = draft.icon(id);
  if (icon?.type !== "question") return icon ? notAQuestion(id) : noSuchIcon(id);
  draft.set(id, { one: icon.two, two: icon.one, flag1: flagLike(itemOf(draft, id)?.["flag1"], !icon.yesIsDown) });
  return undefined;
}

const notAQuestion = (id: string): EditRefused =>
  editRefused(`icon ${id} is not a question`, `ікона ${id} не є питанням`);
const flagLike = (before: unknown, value: boolean): boolean | number =>
  typeof before === "boolean" ? value : Number(value);
