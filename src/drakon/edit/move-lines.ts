import type { Draft } from "./draft.ts";
import { enterableIcon } from "./insert.ts";
import { type EditOperationOf, type EditRefused, editRefused, noSuchIcon } from "./operation.ts";
import { isReachable } from "./remove-unreachable.ts";

export function redirectAddress(
  draft: Draft,
  { at, to }: EditOperationOf<"redirect-address">,
): EditRefused | undefined {
  const target = draft.target(at);
  if (typeof target !== "string") return target;
  if (!draft.icon(to)) return noSuchIcon(to);
  if (draft.icon(target)?.type !== "branch" || draft.icon(to)?.type !== "branch")
    return editRefused("an address leads to a branch", "адреса веде до гілки");
  draft.redirect(at, to);
  return undefined;
}

/** The new path is validated with the finished diagram. */
export function moveLine(draft: Draft, { at, to }: EditOperationOf<"move-line">): EditRefused | undefined {
  const target = draft.target(at);
  if (typeof target !== "string") return target;
  const problem = enterableIcon(draft, to);
  if (problem) return problem;
  draft.redirect(at, to);
  return undefined;
}

export function makeLoop(draft: Draft, { at, above }: EditOperationOf<"make-loop">): EditRefused | undefined {
  const [from, to] = [draft.target(at), draft.target(above)];
  if (typeof from !== "string") return from;
  if (typeof to !== "string") return to;
  const shared = at.some((link) => above.some(({ icon, exit }) => icon === link.icon && exit === link.exit));
  const target = draft.icon(to)!;
  if (
    shared ||
    target.type === "branch" ||
    target.type === "end" ||
    !isReachable(
      draft.icons,
      to,
      at.map(({ icon }) => icon),
    )
  )
    return editRefused("the second line does not lie above the first", "друга лінія не лежить над першою");
  const arrow = target.type === "arrow-loop" ? to : draft.add("arrow-loop", { one: to });
  if (arrow !== to) draft.redirect(above, arrow);
  draft.redirect(at, arrow);
  return undefined;
}
