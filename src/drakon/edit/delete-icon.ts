import type { Icon } from "../diagram/diagram.ts";
import { roleOf } from "../diagram/icon-types.ts";
import type { IconId } from "../icon-id.ts";
import { pairLoops } from "../structure/loop-pairs.ts";
import type { Draft } from "./draft.ts";
import { deleteBranch } from "./edit-branches.ts";
import { parallelBlock } from "./insert-beside.ts";
import { type EditOperationOf, refuseEdit } from "./operation.ts";
import { removeUnreachable } from "./remove-unreachable.ts";

export function deleteIcon(draft: Draft, { icon: id }: EditOperationOf<"delete">): void {
  const icon = draft.expectIcon(id);
  deletions[roleOf(icon.type)](draft, icon);
  removeUnreachable(draft);
}

type Deletion = (draft: Draft, icon: Icon) => void;

const never: Deletion = (_, { id, type }) =>
  refuseEdit(`icon ${id} (${type}) cannot be deleted`, `ікону ${id} (${type}) не можна видалити`);

const deletions: Readonly<Record<ReturnType<typeof roleOf>, Deletion>> = {
  step: (draft, icon) => bypass(draft, [[icon.id, nextOf(draft, icon)]]),
  question: (draft, icon) => bypass(draft, [[icon.id, icon.one]]),
  select: (draft, icon) => bypass(draft, [[icon.id, draft.icon(icon.one)?.one]]),
  case: deleteCase,
  loopbegin: deleteForEach,
  loopend: deleteForEach,
  parbegin: deleteProcess,
  parend: dissolveParallel,
  branch: deleteBranch,
  duration: (draft, icon) => {
    for (const host of draft.icons.values()) if (host.side === icon.id) draft.set(host.id, { side: undefined });
    draft.remove(icon.id);
  },
  end: never,
  "arrow-loop": never,
  none: never,
};

/** The successor of an icon. A final icon leads to the end, whatever its exit says. */
function nextOf(draft: Draft, icon: Icon): IconId | undefined {
  if (!icon.final) return icon.one;
  return [...draft.icons.values()].find(({ type }) => type === "end")?.id;
}

/** Removes icons from the flow: links to each are redirected to its replacement. Refuses if a linked icon has none. */
function bypass(draft: Draft, pairs: readonly (readonly [removed: IconId, replacement: IconId | undefined])[]): void {
  const replaced = new Map(pairs);
  const gone = new Set(replaced.keys());
  for (const id of gone) {
    let instead = replaced.get(id);
    for (let steps = 0; instead !== undefined && gone.has(instead) && steps < gone.size; steps++)
      instead = replaced.get(instead);
    const links = draft.linksTo(id).filter((link) => !gone.has(link.icon));
    if (links.length === 0) continue;
    if (instead === undefined || !draft.icon(instead) || gone.has(instead))
      refuseEdit(`nothing follows icon ${id}`, `за іконою ${id} нічого немає`);
    draft.redirect(links, instead);
  }
  for (const id of gone) {
    const side = draft.icon(id)?.side;
    draft.remove(id);
    if (side !== undefined && draft.icon(side)?.type === "duration" && !hosted(draft, side)) draft.remove(side);
  }
}

const hosted = (draft: Draft, duration: IconId): boolean =>
  [...draft.icons.values()].some(({ side }) => side === duration);

function deleteCase(draft: Draft, icon: Icon): void {
  const siblings = [...draft.survey().cases.values()].find((cases) => cases.some(({ id }) => id === icon.id)) ?? [];
  if (siblings.length < 3 || siblings[0]!.id === icon.id)
    refuseEdit(
      "the first case cannot be deleted, nor one of two cases",
      "перший варіант і один із двох не можна видалити",
    );
  const left = siblings[siblings.findIndex(({ id }) => id === icon.id) - 1]!;
  draft.set(left.id, { two: icon.two });
  draft.remove(icon.id);
}

/** Deletes both ends of a loop and keeps its body. */
function deleteForEach(draft: Draft, icon: Icon): void {
  const { ends } = pairLoops(draft.before, draft.survey());
  const pair = [...ends].find(([start, end]) => start === icon.id || end.id === icon.id);
  if (!pair) refuseEdit("the loop has no other end", "цикл не має іншого кінця");
  const [start, end] = pair;
  bypass(draft, [
    [start, draft.icon(start)?.one],
    [end.id, nextOf(draft, end)],
  ]);
}

function deleteProcess(draft: Draft, icon: Icon): void {
  const processes = parallelBlock(draft, icon.id)?.processes ?? [];
  if (processes.length < 3)
    refuseEdit(
      "one of two processes cannot be deleted; delete the block at its end",
      "один із двох процесів не можна видалити; видаліть блок у його кінці",
    );
  const left = processes[processes.findIndex(({ id }) => id === icon.id) - 1];
  if (left) draft.set(left.id, { two: icon.two });
  else draft.redirect(draft.linksTo(icon.id), icon.two!);
  draft.remove(icon.id);
}

/** Deletes a parallel block and keeps the body of its first process. */
function dissolveParallel(draft: Draft, icon: Icon): void {
  const { parallelEnds } = draft.survey();
  const head = [...parallelEnds].find(([, end]) => end.id === icon.id)?.[0];
  if (head === undefined) refuseEdit("the parallel block has no begin", "паралельний блок не має початку");
  const first = draft.icon(head)!;
  const outer = draft.linksTo(head);
  // The other processes become unreachable and are removed.
  if (first.one === icon.id) draft.redirect(outer, nextOf(draft, icon) ?? "");
  else draft.redirect(outer, first.one!);
  draft.remove(head);
  bypass(draft, [[icon.id, nextOf(draft, icon)]]);
}
