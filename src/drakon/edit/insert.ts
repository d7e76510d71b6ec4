import { isKnownType, roleOf } from "../diagram/icon-types.ts";
import { encodeText } from "../diagram/rich-text.ts";
import type { IconId } from "../icon-id.ts";
import type { Draft } from "./draft.ts";
import { type EditOperationOf, type EditRefused, editRefused, noSuchIcon } from "./operation.ts";

/** A text encoded for the file; refused if the file format cannot hold it. */
export function contentOf(text: string, like?: string): { readonly content: string } | EditRefused {
  const content = encodeText(text, like);
  if (content !== undefined) return { content };
  return editRefused(
    "a text that looks like HTML cannot begin with a space",
    "текст, схожий на HTML, не може починатися з пробілу",
  );
}

const TWO_STOREYS = new Set(["shelf", "process", "input", "output"]);
export const hasUpperText = (type: string): boolean => TWO_STOREYS.has(type);

export function insertIcon(draft: Draft, operation: EditOperationOf<"insert-icon">): EditRefused | undefined {
  const { type, secondary } = operation;
  if (roleOf(type) !== "step" || !isKnownType(type))
    return editRefused(`an icon of type ${type} cannot be inserted`, `ікону типу ${type} не можна вставити`);
  if (secondary !== undefined && !hasUpperText(type))
    return editRefused(`an icon of type ${type} has no upper text`, `ікона типу ${type} не має верхнього тексту`);
  const upper = secondary === undefined ? undefined : contentOf(secondary);
  if (upper && "kind" in upper) return upper;
  return onLine(draft, operation, (content, target) =>
    draft.add(type, { content, ...(upper && { secondary: upper.content }), one: target }),
  );
}

export const insertQuestion = (draft: Draft, operation: EditOperationOf<"insert-question">): EditRefused | undefined =>
  onLine(draft, operation, (content, target) => draft.add("question", { content, one: target, two: target, flag1: 1 }));

export function insertSelect(draft: Draft, operation: EditOperationOf<"insert-select">): EditRefused | undefined {
  if (operation.cases.length === 0) return editRefused("a select needs a case", "вибору потрібен варіант");
  const contents: string[] = [];
  for (const text of operation.cases) {
    const dressed = contentOf(text);
    if ("kind" in dressed) return dressed;
    contents.push(dressed.content);
  }
  return onLine(draft, operation, (content, target) => {
    const select = draft.add("select", { content });
    const cases = contents.map((one) => draft.add("case", { content: one, one: target }));
    for (const [index, id] of cases.entries()) if (index > 0) draft.set(cases[index - 1]!, { two: id });
    draft.set(select, { one: cases[0]! });
    return select;
  });
}

export const insertForEach = (draft: Draft, operation: EditOperationOf<"insert-for-each">): EditRefused | undefined =>
  onLine(draft, operation, (content, target) => {
    const end = draft.add("loopend", { one: target });
    return draft.add("loopbegin", { content, one: end });
  });

const MAX_PROCESSES = 100;

export function insertParallel(draft: Draft, operation: EditOperationOf<"insert-parallel">): EditRefused | undefined {
  const { processes = 2 } = operation;
  if (!Number.isInteger(processes) || processes < 1 || processes > MAX_PROCESSES)
    return editRefused(`there can be 1 to ${MAX_PROCESSES} processes`, `процесів може бути від 1 до ${MAX_PROCESSES}`);
  return onLine(draft, { at: operation.at, text: "" }, (_, target) => {
    const end = draft.add("parend", { one: target });
    let right: IconId | undefined;
    for (let i = 0; i < processes; i++) right = draft.add("parbegin", { one: end, ...(right && { two: right }) });
    return right!;
  });
}

/** Inserts a question whose "no" leads to the right, to `otherwise`. */
export function insertGuard(draft: Draft, operation: EditOperationOf<"insert-guard">): EditRefused | undefined {
  const otherwise = operation.otherwise ?? defaultExit(draft, operation.at[0]?.icon);
  if (otherwise === undefined)
    return editRefused("the diagram has no end that the guard could lead to", "діаграма не має кінця, куди йти");
  const problem = enterableIcon(draft, otherwise);
  if (problem) return problem;
  return onLine(draft, operation, (content, target) =>
    draft.add("question", { content, one: target, two: otherwise, flag1: 1 }),
  );
}

/**
 * The end. In a silhouette the end is drawn in the last branch only, so a guard in another branch leads to the address of the
 * branch that holds nothing but the end, if there is one.
 */
function defaultExit(draft: Draft, from: IconId | undefined): IconId | undefined {
  const icons = [...draft.icons.values()];
  const end = icons.find(({ type }) => type === "end")?.id;
  const exit = icons.find(({ type, one }) => type === "branch" && one === end)?.id;
  const { branches, reached } = draft.survey();
  if (exit === undefined || branches.length < 2 || from === undefined) return end;
  return (reached.get(from)?.branch ?? exit) === exit ? end : exit;
}

/** Undefined if a line may lead to this icon, otherwise the refusal. */
export function enterableIcon(draft: Draft, id: IconId): EditRefused | undefined {
  const icon = draft.icon(id);
  if (!icon) return noSuchIcon(id);
  const role = roleOf(icon.type);
  const inChain =
    role === "parbegin" && [...draft.icons.values()].some((one) => one.type === "parbegin" && one.two === id);
  if (!inChain && role !== "none" && role !== "duration" && role !== "case") return undefined;
  return editRefused(`no line can lead to icon ${id}`, `жодна лінія не може вести до ікони ${id}`);
}

function onLine(
  draft: Draft,
  { at, text }: { readonly at: EditOperationOf<"insert-icon">["at"]; readonly text: string },
  make: (content: string, target: IconId) => IconId,
): EditRefused | undefined {
  const target = draft.target(at);
  if (typeof target !== "string") return target;
  const dressed = contentOf(text);
  if ("kind" in dressed) return dressed;
  draft.redirect(at, make(dressed.content, target));
  return undefined;
}
