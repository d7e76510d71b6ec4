import { roleOf } from "../diagram/icon-types.ts";
import { deleteIcon } from "./delete-icon.ts";
import type { Draft } from "./draft.ts";
import { type EditOperationOf, type EditRefused, editRefused, noSuchIcon } from "./operation.ts";

export function removeStep(draft: Draft, { icon: id }: EditOperationOf<"remove-step">): EditRefused | undefined {
  const icon = draft.icon(id);
  if (!icon) return noSuchIcon(id);
  if (roleOf(icon.type) !== "step") return editRefused(`icon ${id} is not a step`, `ікона ${id} не є кроком`);
  return deleteIcon(draft, { op: "delete", icon: id });
}

/** Moves a step to another line, with its duration, link and style. */
export function moveStep(draft: Draft, { icon: id, at }: EditOperationOf<"move-step">): EditRefused | undefined {
  const icon = draft.icon(id);
  if (!icon) return noSuchIcon(id);
  if (roleOf(icon.type) !== "step" || icon.final)
    return editRefused(`icon ${id} is not a step`, `ікона ${id} не є кроком`);
  const next = icon.one;
  if (next === undefined) return editRefused(`nothing follows icon ${id}`, `за іконою ${id} нічого немає`);
  const target = draft.target(at);
  if (typeof target !== "string") return target;
  if (target === id || at.some((link) => link.icon === id))
    return editRefused("the icon is already there", "вона вже стоїть там");
  draft.redirect(draft.linksTo(id), next);
  draft.redirect(at, id);
  draft.set(id, { one: target });
  return undefined;
}
