import type { Icon } from "../diagram/diagram.ts";
import { roleOf } from "../diagram/icon-types.ts";
import type { IconId } from "../icon-id.ts";
import { surveyDiagram } from "../structure/survey.ts";
import type { Draft } from "./draft.ts";

/** Removes icons that the operation made unreachable. The end stays: losing it is reported by the validation. */
export function removeUnreachable(draft: Draft): void {
  const before = surveyDiagram(draft.before).reached;
  const after = draft.survey().reached;
  for (const id of before.keys()) {
    const icon = draft.icon(id);
    if (icon && !after.has(id) && icon.type !== "end") draft.remove(id);
  }
}

/** Removes loop arrows that lost their last back edge (FORMAT §8). An arrow that never had one stays. */
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

/** True if a path leads from an icon to one of the targets. */
export function isReachable(icons: ReadonlyMap<IconId, Icon>, from: IconId, to: readonly IconId[]): boolean {
  const wanted = new Set(to);
  const passed = new Set<IconId>([from]);
  const work = [from];
  for (let id = work.pop(); id !== undefined; id = work.pop()) {
    if (wanted.has(id)) return true;
    const icon = icons.get(id);
    // An address leads to another branch, which cannot contain this arrow.
    if (!icon || icon.final || (roleOf(icon.type) === "branch" && id !== from)) continue;
    for (const next of [icon.one, icon.two]) {
      if (next === undefined || passed.has(next)) continue;
      passed.add(next);
      work.push(next);
    }
  }
  return false;
}
