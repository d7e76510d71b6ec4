import type { Icon } from "../diagram/diagram.ts";
import type { IconId } from "../icon-id.ts";
import type { Draft } from "./draft.ts";
import { expectEnterable, iconContent } from "./insert.ts";
import { type EditOperationOf, refuseEdit } from "./operation.ts";

/** Inserts a case beside another one. */
export function addCase(draft: Draft, operation: EditOperationOf<"add-case">): void {
  const neighbour = draft.expectIcon(operation.beside);
  if (neighbour.type !== "case") refuseEdit("a case can be added only beside a case", "варіант стоїть біля варіанта");
  const to = operation.to ?? neighbour.one;
  if (to === undefined) refuseEdit("the neighbour leads nowhere", "сусід нікуди не веде");
  const content = iconContent(operation.text);
  expectEnterable(draft, to);
  insertBeside(draft, neighbour, operation.side, draft.add("case", { content, one: to }));
}

export function addProcess(draft: Draft, operation: EditOperationOf<"add-process">): void {
  const neighbour = draft.expectIcon(operation.beside);
  const end = neighbour.type === "parbegin" ? parallelBlock(draft, neighbour.id)?.end : undefined;
  if (end === undefined) refuseEdit("a process can be added only beside a process", "процес стоїть біля процесу");
  const fields = { ...(operation.text !== undefined && { content: iconContent(operation.text) }), one: end };
  insertBeside(draft, neighbour, operation.side, draft.add("parbegin", fields));
}

/** Inserts into the chain of `two` exits. On the left, links to the neighbour are redirected to the new icon. */
function insertBeside(draft: Draft, neighbour: Icon, side: "left" | "right", id: IconId): void {
  if (side === "left") {
    draft.redirect(draft.linksTo(neighbour.id), id);
    draft.set(id, { two: neighbour.id });
    return;
  }
  if (neighbour.two !== undefined) draft.set(id, { two: neighbour.two });
  draft.set(neighbour.id, { two: id });
}

/** Processes and end of the parallel block of a process. */
export function parallelBlock(draft: Draft, process: IconId): { processes: readonly Icon[]; end: IconId } | undefined {
  const { processes, parallelEnds } = draft.survey();
  for (const [head, all] of processes) {
    const end = parallelEnds.get(head);
    if (end && all.some(({ id }) => id === process)) return { processes: all, end: end.id };
  }
  return undefined;
}

const TIMED = /^(action|question|select|insertion|shelf|process|(simple)?(in|out)put)$/;

export function insertDuration(draft: Draft, operation: EditOperationOf<"insert-duration">): void {
  const host = draft.expectIcon(operation.beside);
  if (!TIMED.test(host.type))
    refuseEdit(`an icon of type ${host.type} takes no duration`, `ікона типу ${host.type} не має тривалості`);
  if (host.side !== undefined) refuseEdit("the icon already has a duration", "тривалість уже є");
  draft.set(host.id, { side: draft.add("duration", { content: iconContent(operation.text) }) });
}
