import { roleOf } from "../diagram/icon-types.ts";
import { deleteIcon } from "./delete-icon.ts";
import type { Draft } from "./draft.ts";
import { type EditOperationOf, refuseEdit } from "./operation.ts";

export function removeStep(draft: Draft, { icon: id }: EditOperationOf<"remove-step">): void {
  const icon = draft.expectIcon(id);
  if (roleOf(icon.type) !== "step") refuseEdit(`icon ${id} is not a step`, `ікона ${id} не є кроком`);
  deleteIcon(draft, { op: "delete", icon: id });
}

/** Moves a step to another line, with its duration, link and style. */
export function moveStep(draft: Draft, { icon: id, at }: EditOperationOf<"move-step">): void {
  const icon = draft.expectIcon(id);
  if (roleOf(icon.type) !== "step" || icon.final) refuseEdit(`icon ${id} is not a step`, `ікона ${id} не є кроком`);
  const next = icon.one;
  if (next === undefined) refuseEdit(`nothing follows icon ${id}`, `за іконою ${id} нічого немає`);
  const target = draft.target(at);
  if (target === id || at.some((link) => link.icon === id))
    refuseEdit("the icon is already there", "вона вже стоїть там");
  draft.redirect(draft.linksTo(id), next);
  draft.redirect(at, id);
  draft.set(id, { one: target });
}
