import type { Icon } from "../diagram/diagram.ts";
import type { Draft } from "./draft.ts";
import { contentOf } from "./insert.ts";
import { type EditOperationOf, type EditRefused, editRefused, noSuchIcon } from "./operation.ts";
import { removeUnreachable } from "./remove-unreachable.ts";

const branchesOf = (draft: Draft): Icon[] => [...draft.survey().branches];
const endOf = (draft: Draft): Icon | undefined => [...draft.icons.values()].find(({ type }) => type === "end");

export function insertBranch(draft: Draft, operation: EditOperationOf<"insert-branch">): EditRefused | undefined {
  const branches = branchesOf(draft);
  const at = branches.findIndex(({ id }) => id === operation.beside);
  if (!draft.icon(operation.beside)) return noSuchIcon(operation.beside);
  if (at < 0) return editRefused("a branch can be added only beside a branch", "гілка стоїть біля гілки");
  if (branches.length < 2) return editRefused("only a silhouette has branches", "гілки має лише силует");
  const dressed = contentOf(operation.name ?? freshName(branches));
  if ("kind" in dressed) return dressed;
  const following = branches[operation.side === "left" ? at : at + 1];
  if (!following) return appendBranch(draft, branches, dressed);
  const number = following.branchId ?? 0;
  for (const { id, branchId } of branches)
    if (branchId !== undefined && branchId >= number) draft.set(id, { branchId: branchId + 1 });
  const links = draft.linksTo(following.id);
  draft.redirect(links, draft.add("branch", { ...dressed, branchId: number, one: following.id }));
  return undefined;
}

/** Appends a branch with the end; refused if the diagram already has an end. */
function appendBranch(draft: Draft, branches: readonly Icon[], named: { content: string }): EditRefused | undefined {
  if (endOf(draft))
    return editRefused("no branch can follow the branch with the end", "праворуч від гілки з кінцем нічого немає");
  const end = draft.add("end", {});
  draft.add("branch", { ...named, branchId: (branches.at(-1)?.branchId ?? 0) + 1, one: end });
  return undefined;
}

/** "Branch" and a number not used yet. */
function freshName(branches: readonly Icon[]): string {
  const numbers = branches.map(({ text }) => Number(/(\d{1,6})\s*$/.exec(text)?.[1] ?? 0));
  return `Branch ${numbers.reduce((most, number) => Math.max(most, number), branches.length) + 1}`;
}

/** Links to the deleted branch go to the next one. */
export function deleteBranch(draft: Draft, icon: Icon): EditRefused | undefined {
  const branches = branchesOf(draft);
  const at = branches.findIndex(({ id }) => id === icon.id);
  const following = branches[at + 1];
  if (branches.length < 3 || !following)
    return editRefused(
      "the last branch cannot be deleted, nor one of two branches",
      "останню гілку й одну з двох не можна видалити",
    );
  draft.redirect(draft.linksTo(icon.id), following.id);
  for (const { id, branchId } of branches.slice(at + 1))
    if (branchId !== undefined) draft.set(id, { branchId: branchId - 1 });
  draft.remove(icon.id);
  return undefined;
}

export function toSilhouette(draft: Draft, operation: EditOperationOf<"to-silhouette">): EditRefused | undefined {
  const branches = branchesOf(draft);
  const [first, end] = [branches[0], endOf(draft)];
  if (!first || branches.length > 1) return editRefused("the diagram is already a silhouette", "це вже силует");
  const links = end ? draft.linksTo(end.id) : [];
  if (!end || links.length === 0) return editRefused("no path leads to an end", "жоден шлях не веде до кінця");
  const names = (operation.names ?? ["Branch 1", "Branch 2", "Exit"]).map((name) => contentOf(name));
  const [one, two, three] = names;
  for (const name of names) if ("kind" in name) return name;
  const exit = draft.add("branch", { ...(three as { content: string }), branchId: 3, one: end.id });
  const second = draft.add("branch", { ...(two as { content: string }), branchId: 2, one: exit });
  draft.redirect(links, second);
  draft.set(first.id, { branchId: 1, ...(first.text.trim() === "" && (one as { content: string })) });
  return undefined;
}

/** Keeps the first branch and removes the others; addresses become links to the end. */
export function toPrimitive(draft: Draft): EditRefused | undefined {
  const [first, ...others] = branchesOf(draft);
  if (!first || others.length === 0) return editRefused("the diagram is already a primitive", "це вже примітив");
  const end = endOf(draft)?.id ?? draft.add("end", {});
  for (const branch of [first, ...others]) draft.redirect(draft.linksTo(branch.id), end);
  for (const branch of others) draft.remove(branch.id);
  draft.set(first.id, { branchId: 0 });
  removeUnreachable(draft);
  return undefined;
}
