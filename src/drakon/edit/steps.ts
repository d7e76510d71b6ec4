import { roleOf } from "../icon-types.ts";
import { deleteIcon } from "./delete.ts";
import type { Draft } from "./draft.ts";
import { notThere, type OperationOf, type Refused, refused } from "./operation.ts";

export function removeStep(draft: Draft, { icon: id }: OperationOf<"remove-step">): Refused | undefined {
  const icon = draft.icon(id);
  if (!icon) return notThere(id);
  if (roleOf(icon.type) !== "step") return refused(`icon ${id} is not a step`, `ікона ${id} не є кроком`);
  return deleteIcon(draft, { op: "delete", icon: id });
}

/** Takes a step out and puts it on another line, with its duration, link and dress. */
export function moveStep(draft: Draft, { icon: id, at }: OperationOf<"move-step">): Refused | undefined {
  const icon = draft.icon(id);
  if (!icon) return notThere(id);
  if (roleOf(icon.type) !== "step" || icon.final) return refused(`icon ${id} is not a step`, `ікона ${id} не є кроком`);
  const next = icon.one;
  if (next === undefined) return refused(`nothing follows icon ${id}`, `за іконою ${id} нічого немає`);
  const target = draft.target(at);
  if (typeof target !== "string") return target;
  if (target === id || at.some((link) => link.icon === id))
    return refused("it stands there already", "вона вже стоїть там");
  draft.redirect(draft.linksTo(id), next);
  draft.redirect(at, id);
  draft.set(id, { one: target });
  return undefined;
}
