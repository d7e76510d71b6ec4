import type { Diagram } from "../diagram/diagram.ts";
import type { IconId } from "../icon-id.ts";
import { changesBetween } from "./changes.ts";
import { editFacts } from "./facts.ts";
import { type DiagramOutline, outlineDiagram } from "./outline.ts";

/**
 * Fingerprint of an edit: the same edit made in another version of the diagram has the same marks. Icon ids, layout and the
 * untouched parts do not count. An edit whose marks include all marks of another contains that edit. Empty if the edit has
 * no facts.
 */
export function editMarks(before: Diagram, after: Diagram): ReadonlySet<string> {
  const [old, now] = [outlineDiagram(before), outlineDiagram(after)];
  const changes = changesBetween(old, now);
  const touched = new Set([
    ...changes.moved.flat().map(([a]) => a),
    ...changes.changed.map(([a]) => old.entries[a]!.icon.id),
  ]);
  const kept = new Set([...changes.partners.after.keys()].filter((icon) => !touched.has(icon)));
  const stays = new Set([...kept].map((icon) => changes.partners.after.get(icon)!));
  return new Set(
    editFacts(old, now, changes).map(({ kind, text, before: was, after: is }) => {
      const place = is === undefined ? anchorBefore(old, was, kept) : anchorBefore(now, is, stays);
      // A new check names the icons that follow it, a value one that reads it; they differ between versions.
      const said = /^(?:guard-(?:added|evaded)|value-)/.test(kind) ? "" : text.en;
      return JSON.stringify([kind, said, textOf(before, was), textOf(after, is), place]);
    }),
  );
}

/** Fact sentences quote only the beginning of a text; the full text tells edits apart. */
const textOf = ({ icons }: Diagram, icon: IconId | undefined): string =>
  icon === undefined ? "" : oneLine(icons.get(icon)?.text ?? "");

/** Text of the last untouched icon before this one. */
function anchorBefore({ entries }: DiagramOutline, icon: IconId | undefined, alone: ReadonlySet<IconId>): string {
  const at = entries.findIndex((entry) => entry.icon.id === icon);
  const last = entries.slice(0, Math.max(0, at)).findLast((entry) => alone.has(entry.icon.id));
  return oneLine(last?.icon.text ?? "");
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** True if `within` contains all of `marks`. False for an edit without marks. */
export const holdsEdit = (marks: ReadonlySet<string>, within: ReadonlySet<string>): boolean =>
  marks.size > 0 && [...marks].every((mark) => within.has(mark));
