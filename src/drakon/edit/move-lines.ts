import type { Draft } from "./draft.ts";
import { expectEnterable } from "./insert.ts";
import { type EditOperationOf, refuseEdit } from "./operation.ts";
import { isReachable } from "./remove-unreachable.ts";

export function redirectAddress(draft: Draft, { at, to }: EditOperationOf<"redirect-address">): void {
  const target = draft.target(at);
  if (draft.expectIcon(to).type !== "branch" || draft.icon(target)?.type !== "branch")
    refuseEdit("an address leads to a branch", "адреса веде до гілки");
  draft.redirect(at, to);
}

/** The new path is validated with the finished diagram. */
export function moveLine(draft: Draft, { at, to }: EditOperationOf<"move-line">): void {
  draft.target(at); // refuses a line that does not exist
  expectEnterable(draft, to);
  draft.redirect(at, to);
}

export function makeLoop(draft: Draft, { at, above }: EditOperationOf<"make-loop">): void {
  draft.target(at); // refuses a line that does not exist
  const to = draft.target(above);
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
    refuseEdit("the second line does not lie above the first", "друга лінія не лежить над першою");
  const arrow = target.type === "arrow-loop" ? to : draft.add("arrow-loop", { one: to });
  if (arrow !== to) draft.redirect(above, arrow);
  draft.redirect(at, arrow);
}
