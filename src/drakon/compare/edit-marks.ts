import type { Diagram } from "../diagram/diagram.ts";
import type { IconId } from "../icon-id.ts";
import { changesBetween } from "./changes.ts";
import { changeFacts } from "./facts.ts";
import { matchIcons } from "./match-icons.ts";
import { type DiagramOutline, outlineDiagram } from "./outline.ts";

/**
 * What an edit does and where, as words that the same edit has again in another version of the diagram: names of icons, layout and
 * everything else that the edit leaves alone do not count. Two edits with the same marks are one edit made twice; an edit
 * whose marks include all of another's holds it. Empty where nothing changes that a reviewer would name.
 */
export function editMarks(before: Diagram, after: Diagram): ReadonlySet<string> {
  const [old, now] = [outlineDiagram(before), outlineDiagram(after)];
  const changes = changesBetween(old, now, matchIcons(old.entries, now.entries));
  const [kept, stays] = [new Set<IconId>(), new Set<IconId>()];
  for (const [a, b] of changes.pairs) {
    if (changes.moved.has(a) || changes.changed.has(a)) continue;
    kept.add(old.entries[a]!.icon.id);
    stays.add(now.entries[b]!.icon.id);
  }
  return new Set(
    changeFacts(old, now, changes).map(({ kind, text, before: was, after: is }) => {
      const place = is === undefined ? behind(old, was, kept) : behind(now, is, stays);
      return JSON.stringify([kind, text.en, textOf(before, was), textOf(after, is), place]);
    }),
  );
}

/** Sentences quote the beginning of a text: what it says in full makes another edit of it. */
const textOf = ({ icons }: Diagram, icon: IconId | undefined): string =>
  icon === undefined ? "" : oneLine(icons.get(icon)?.text ?? "");

/** The text of the last icon before this one that the edit left alone. */
function behind({ entries }: DiagramOutline, icon: IconId | undefined, alone: ReadonlySet<IconId>): string {
  const at = entries.findIndex((entry) => entry.icon.id === icon);
  const last = entries.slice(0, Math.max(0, at)).findLast((entry) => alone.has(entry.icon.id));
  return oneLine(last?.icon.text ?? "");
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** Whether the second holds all that the first does. An edit without marks is held by none: nothing is known about it. */
export const holdsEdit = (marks: ReadonlySet<string>, within: ReadonlySet<string>): boolean =>
  marks.size > 0 && [...marks].every((mark) => within.has(mark));
