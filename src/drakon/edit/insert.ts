import { routeFlow } from "../compare/route-flow.ts";
import { routeGraph } from "../compare/route-graph.ts";
import type { Icon } from "../diagram/diagram.ts";
import { isKnownType, roleOf } from "../diagram/icon-types.ts";
import { encodeText } from "../diagram/rich-text.ts";
import type { IconId } from "../icon-id.ts";
import type { DiagramSurvey } from "../structure/survey.ts";
import type { Draft } from "./draft.ts";
import { type EditLine, type EditOperationOf, refuseEdit } from "./operation.ts";

/** A text encoded for the file; refused if the file format cannot hold it. */
export const iconContent = (text: string, like?: string): string =>
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
  const upper = secondary === undefined ? {} : { secondary: iconContent(secondary) };
  onLine(draft, operation, (content, target) => draft.add(type, { content, ...upper, one: target }));
}

export const insertQuestion = (draft: Draft, operation: EditOperationOf<"insert-question">): void =>
  onLine(draft, operation, (content, target) => draft.add("question", { content, one: target, two: target, flag1: 1 }));

export function insertSelect(draft: Draft, operation: EditOperationOf<"insert-select">): void {
  if (operation.cases.length === 0) refuseEdit("a select needs a case", "вибору потрібен варіант");
  const contents = operation.cases.map((text) => iconContent(text));
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
  const otherwise = operation.otherwise ?? defaultExit(draft, operation.at);
  if (otherwise === undefined)
    refuseEdit("the diagram has no end that the guard could lead to", "діаграма не має кінця, куди йти");
  expectEnterable(draft, otherwise);
  onLine(draft, operation, (content, target) =>
    draft.add("question", { content, one: target, two: otherwise, flag1: 1 }),
  );
}

/**
 * The end of what the line is in: inside a for-each its lower end, so that "no" goes on with the next item; inside a parallel
 * process the end of the block; else the end. In a silhouette the end is drawn in the last branch only, so a guard in another
 * branch leads to the address of the branch that holds nothing but the end, if there is one.
 */
function defaultExit(draft: Draft, at: EditLine): IconId | undefined {
  const around = at[0] && constructAround(draft, at[0].icon, draft.target(at));
  if (around !== undefined) return around;
  return procedureEnd(draft.icons, draft.survey(), at[0]?.icon);
}

/** The icon that a line in this branch leads to in order to end the procedure. */
export function procedureEnd(
  all: ReadonlyMap<IconId, Icon>,
  { branches, reached }: DiagramSurvey,
  from: IconId | undefined,
): IconId | undefined {
  const icons = [...all.values()];
  const end = icons.find(({ type }) => type === "end")?.id;
  const exit = icons.find(({ type, one }) => type === "branch" && one === end)?.id;
  if (exit === undefined || branches.length < 2 || from === undefined) return end;
  return (reached.get(from)?.branch ?? exit) === exit ? end : exit;
}

/** The lower end of the innermost for-each or parallel process around a line. */
function constructAround(draft: Draft, from: IconId, to: IconId): IconId | undefined {
  const survey = draft.survey();
  const routes = routeGraph({ ...draft.before, icons: draft.icons }, survey);
  const flow = routeFlow(routes);
  const isLower = draft.icons.get(to)?.type === "loopend";
  const begin = isLower ? [...routes.loopEnds].find(([, lower]) => lower === to)?.[0] : undefined;
  const inside = begin ?? flow.loopsAround(to).find((head) => routes.loopEnds.has(head));
  const process = routes.blocks.has(from) ? from : survey.reached.get(from)?.process?.head;
  const loopProcess = inside === undefined ? undefined : survey.reached.get(inside)?.process?.head;
  const block = process === undefined ? undefined : routes.blocks.get(process);
  if (inside === undefined || (block !== undefined && block !== routes.blocks.get(loopProcess ?? ""))) return block;
  return routes.loopEnds.get(inside);
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
  draft.redirect(at, make(iconContent(text), target));
}
