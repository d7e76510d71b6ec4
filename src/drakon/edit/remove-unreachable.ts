import type { Icon } from "../diagram/diagram.ts";
import { roleOf } from "../diagram/icon-types.ts";
import type { IconId } from "../icon-id.ts";
import { survey } from "../structure/survey.ts";
import type { Draft } from "./draft.ts";

/** Takes away what could be reached before and cannot any more. The end stays: whether it may be cut off is not ours to say. */
export function removeUnreachable(draft: Draft): void {
  const before = survey(draft.before).reached;
  const after = draft.survey().reached;
  for (const id of before.keys()) {
    const icon = draft.icon(id);
    if (icon && !after.has(id) && icon.type !== "end") draft.remove(id);
  }
}

/** An arrow goes when nothing leads back to it any more (FORMAT §8). One that never had a way back is left alone. */
export function dropIdleArrows(draft: Draft): void {
  const before = arrowEntries(draft.before.icons);
  const after = arrowEntries(draft.icons);
  for (const [arrow, entries] of before) {
    const icon = draft.icon(arrow);
    const now = after.get(arrow) ?? [];
    if (!icon || icon.one === undefined || now.length === entries.length) continue;
    if (isReachable(draft.before.icons, arrow, entries) && !isReachable(draft.icons, arrow, now)) {
      draft.redirect(draft.linksTo(arrow), icon.one);
      draft.remove(arrow);
    }
  }
}

function arrowEntries(icons: ReadonlyMap<IconId, Icon>): Map<IconId, IconId[]> {
  const entries = new Map<IconId, IconId[]>();
  for (const { id, type } of icons.values()) if (type === "arrow-loop") entries.set(id, []);
  for (const icon of icons.values())
    for (const to of new Set([icon.one, icon.two])) entries.get(to ?? "")?.push(icon.id);
  return entries;
}

/** Whether a way leads from an icon to one of these. */
export function isReachable(icons: ReadonlyMap<IconId, Icon>, from: IconId, to: readonly IconId[]): boolean {
  const wanted = new Set(to);
  const passed = new Set<IconId>([from]);
  const work = [from];
  for (let id = work.pop(); id !== undefined; id = work.pop()) {
    if (wanted.has(id)) return true;
    const icon = icons.get(id);
    // An address begins another branch, where no arrow of this one is.
    if (!icon || icon.final || (roleOf(icon.type) === "branch" && id !== from)) continue;
    for (const next of [icon.one, icon.two]) {
      if (next === undefined || passed.has(next)) continue;
      passed.add(next);
      work.push(next);
    }
  }
  return false;
}
