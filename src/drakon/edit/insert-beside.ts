import type { Icon } from "../diagram/diagram.ts";
import type { IconId } from "../icon-id.ts";
import type { Draft } from "./draft.ts";
import { contentOf, enterableIcon } from "./insert.ts";
import { type EditOperationOf, type EditRefused, editRefused, noSuchIcon } from "./operation.ts";

/** Inserts a case beside another one. */
export function addCase(draft: Draft, operation: EditOperationOf<"add-case">): EditRefused | undefined {
  const neighbour = draft.icon(operation.beside);
  if (!neighbour) return noSuchIcon(operation.beside);
  if (neighbour.type !== "case")
    return editRefused("a case can be added only beside a case", "варіант стоїть біля варіанта");
  const to = operation.to ?? neighbour.one;
  if (to === undefined) return editRefused("the neighbour leads nowhere", "сусід нікуди не веде");
  const dressed = contentOf(operation.text);
  const problem = "kind" in dressed ? dressed : enterableIcon(draft, to);
  if (problem) return problem;
  insertBeside(draft, neighbour, operation.side, draft.add("case", { ...(dressed as { content: string }), one: to }));
  return undefined;
}

export function addProcess(draft: Draft, operation: EditOperationOf<"add-process">): EditRefused | undefined {
  const neighbour = draft.icon(operation.beside);
  if (!neighbour) return noSuchIcon(operation.beside);
  const end = neighbour.type === "parbegin" ? parallelBlock(draft, neighbour.id)?.end : undefined;
  if (end === undefined)
    return editRefused("a process can be added only beside a process", "процес стоїть біля процесу");
  const dressed = contentOf(operation.text ?? "");
  if ("kind" in dressed) return dressed;
  const fields = { ...(operation.text !== undefined && dressed), one: end };
  insertBeside(draft, neighbour, operation.side, draft.add("parbegin", fields));
  return undefined;
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

export function insertDuration(draft: Draft, operation: EditOperationOf<"insert-duration">): EditRefused | undefined {
  const host = draft.icon(operation.beside);
  if (!host) return noSuchIcon(operation.beside);
  if (!TIMED.test(host.type))
    return editRefused(`an icon of type ${host.type} takes no duration`, `ікона типу ${host.type} не має тривалості`);
  if (host.side !== undefined) return editRefused("the icon already has a duration", "тривалість уже є");
  const dressed = contentOf(operation.text);
  if ("kind" in dressed) return dressed;
  draft.set(host.id, { side: draft.add("duration", dressed) });
  return undefined;
}
