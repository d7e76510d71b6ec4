import type { Icon } from "../diagram/diagram.ts";
import type { Draft } from "./draft.ts";
import { iconContent } from "./insert.ts";
import { type EditOperationOf, refuseEdit } from "./operation.ts";
import { removeUnreachable } from "./remove-unreachable.ts";

const branchesOf = (draft: Draft): Icon[] => [...draft.survey().branches];
const endOf = (draft: Draft): Icon | undefined => [...draft.icons.values()].find(({ type }) => type === "end");

export function insertBranch(draft: Draft, operation: EditOperationOf<"insert-branch">): void {
  const branches = branchesOf(draft);
  const at = branches.findIndex(({ id }) => id === operation.beside);
  draft.expectIcon(operation.beside);
  if (at < 0) refuseEdit("a branch can be added only beside a branch", "гілка стоїть біля гілки");
  if (branches.length < 2) refuseEdit("only a silhouette has branches", "гілки має лише силует");
  const content = iconContent(operation.name ?? freshName(branches));
  const following = branches[operation.side === "left" ? at : at + 1];
  if (!following) {
    appendBranch(draft, branches, content);
    return;
  }
  const number = following.branchId ?? 0;
  for (const { id, branchId } of branches)
    if (branchId !== undefined && branchId >= number) draft.set(id, { branchId: branchId + 1 });
  const links = draft.linksTo(following.id);
  draft.redirect(links, draft.add("branch", { content, branchId: number, one: following.id }));
}

/** Appends a branch with the end; refused if the diagram already has an end. */
function appendBranch(draft: Draft, branches: readonly Icon[], content: string): void {
  if (endOf(draft))
    refuseEdit("no branch can follow the branch with the end", "праворуч від гілки з кінцем нічого немає");
  const end = draft.add("end", {});
  draft.add("branch", { content, branchId: (branches.at(-1)?.branchId ?? 0) + 1, one: end });
}

/** "Branch" and a number not used yet. */
function freshName(branches: readonly Icon[]): string {
  const numbers = branches.map(({ text }) => Number(/(\d{1,6})\s*$/.exec(text)?.[1] ?? 0));
  return `Branch ${numbers.reduce((most, number) => Math.max(most, number), branches.length) + 1}`;
}

/** Links to the deleted branch go to the next one. */
export function deleteBranch(draft: Draft, icon: Icon): void {
  const branches = branchesOf(draft);
  const at = branches.findIndex(({ id }) => id === icon.id);
  const following = branches[at + 1];
  if (branches.length < 3 || !following)
    refuseEdit(
      "the last branch cannot be deleted, nor one of two branches",
      "останню гілку й одну з двох не можна видалити",
    );
  draft.redirect(draft.linksTo(icon.id), following.id);
  for (const { id, branchId } of branches.slice(at + 1))
    if (branchId !== undefined) draft.set(id, { branchId: branchId - 1 });
  draft.remove(icon.id);
}

export function toSilhouette(draft: Draft, operation: EditOperationOf<"to-silhouette">): void {
  const branches = branchesOf(draft);
  const [first, end] = [branches[0], endOf(draft)];
  if (!first || branches.length > 1) refuseEdit("the diagram is already a silhouette", "це вже силует");
  const links = end ? draft.linksTo(end.id) : [];
  if (!end || links.length === 0) refuseEdit("no path leads to an end", "жоден шлях не веде до кінця");
  const names = operation.names ?? ["Branch 1", "Branch 2", "Exit"];
  const [one, two, three] = names.map((name) => iconContent(name)) as [string, string, string];
  const exit = draft.add("branch", { content: three, branchId: 3, one: end.id });
  const second = draft.add("branch", { content: two, branchId: 2, one: exit });
  draft.redirect(links, second);
  draft.set(first.id, { branchId: 1, ...(first.text.trim() === "" && { content: one }) });
}

/** Keeps the first branch and removes the others; addresses become links to the end. */
export function toPrimitive(draft: Draft): void {
  const [first, ...others] = branchesOf(draft);
  if (!first || others.length === 0) refuseEdit("the diagram is already a primitive", "це вже примітив");
  const end = endOf(draft)?.id ?? draft.add("end", {});
  for (const branch of [first, ...others]) draft.redirect(draft.linksTo(branch.id), end);
  for (const branch of others) draft.remove(branch.id);
  draft.set(first.id, { branchId: 0 });
  removeUnreachable(draft);
}
