import { isKnownType, roleOf } from "../diagram/icon-types.ts";
import { encodeText } from "../diagram/rich-text.ts";
import type { IconId } from "../icon-id.ts";
import type { Draft } from "./draft.ts";
import { type EditOperationOf, refuseEdit } from "./operation.ts";

/** A text encoded for the file; refused if the file format cannot hold it. */
export const contentOf = (text: string, like?: string): string =>
  encodeText(text, like) ??
  refuseEdit(
    "a text that looks like HTML cannot begin with a space",
    "текст, схожий на HTML, не може починатися з пробілу",
  );

const TWO_STOREYS = new Set(["shelf", "process", "input", "output"]);
export const hasUpperText = (type: string): boolean => TWO_STOREYS.has(type);

export function insertIcon(draft: Draft, operation: EditOperationOf<"insert-icon">): void {
  const { type, secondary } = operation;
  if (roleOf(type) !== "step" || !isKnownType(type))
    refuseEdit(`an icon of type ${type} cannot be inserted`, `ікону типу ${type} не можна вставити`);
  if (secondary !== undefined && !hasUpperText(type))
    refuseEdit(`an icon of type ${type} has no upper text`, `ікона типу ${type} не має верхнього тексту`);
  const upper = secondary === undefined ? {} : { secondary: contentOf(secondary) };
  onLine(draft, operation, (content, target) => draft.add(type, { content, ...upper, one: target }));
}

export const insertQuestion = (draft: Draft, operation: EditOperationOf<"insert-question">): void =>
  onLine(draft, operation, (content, target) => draft.add("question", { content, one: target, two: target, flag1: 1 }));

export function insertSelect(draft: Draft, operation: EditOperationOf<"insert-select">): void {
  if (operation.cases.length === 0) refuseEdit("a select needs a case", "вибору потрібен варіант");
  const contents = operation.cases.map((text) => contentOf(text));
  onLine(draft, operation, (content, target) => {
    const select = draft.add("select", { content });
    const cases = contents.map((one) => draft.add("case", { content: one, one: target }));
    for (const [index, id] of cases.entries()) if (index > 0) draft.set(cases[index - 1]!, { two: id });
    draft.set(select, { one: cases[0]! });
    return select;
  });
}

export const insertForEach = (draft: Draft, operation: EditOperationOf<"insert-for-each">): void =>
  onLine(draft, operation, (content, target) => {
    const end = draft.add("loopend", { one: target });
    return draft.add("loopbegin", { content, one: end });
  });

const MAX_PROCESSES = 100;

export function insertParallel(draft: Draft, operation: EditOperationOf<"insert-parallel">): void {
  const { processes = 2 } = operation;
  if (!Number.isInteger(processes) || processes < 1 || processes > MAX_PROCESSES)
    refuseEdit(`there can be 1 to ${MAX_PROCESSES} processes`, `процесів може бути від 1 до ${MAX_PROCESSES}`);
  onLine(draft, { at: operation.at, text: "" }, (_, target) => {
    const end = draft.add("parend", { one: target });
    let right: IconId | undefined;
    for (let i = 0; i < processes; i++) right = draft.add("parbegin", { one: end, ...(right && { two: right }) });
    return right!;
  });
}

/** Inserts a question whose "no" leads to the right, to `otherwise`. */
export function insertGuard(draft: Draft, operation: EditOperationOf<"insert-guard">): void {
  const otherwise = operation.otherwise ?? defaultExit(draft, operation.at[0]?.icon);
  if (otherwise === undefined)
    refuseEdit("the diagram has no end that the guard could lead to", "діаграма не має кінця, куди йти");
  expectEnterable(draft, otherwise);
  onLine(draft, operation, (content, target) =>
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

/** Refuses if no line may lead to this icon. */
export function expectEnterable(draft: Draft, id: IconId): void {
  const role = roleOf(draft.expectIcon(id).type);
  const inChain =
    role === "parbegin" && [...draft.icons.values()].some((one) => one.type === "parbegin" && one.two === id);
  if (inChain || role === "none" || role === "duration" || role === "case")
    refuseEdit(`no line can lead to icon ${id}`, `жодна лінія не може вести до ікони ${id}`);
}

function onLine(
  draft: Draft,
  { at, text }: { readonly at: EditOperationOf<"insert-icon">["at"]; readonly text: string },
  make: (content: string, target: IconId) => IconId,
): void {
  const target = draft.target(at);
  draft.redirect(at, make(contentOf(text), target));
}
