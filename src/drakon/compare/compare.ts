import type { Text } from "../../base/text.ts";
import { canonicalForm } from "../canonical.ts";
import type { Diagram } from "../diagram/diagram.ts";
import type { ChangeMark } from "../draw/paint/overlay.ts";
import type { IconId } from "../icon-id.ts";
import { type Changes, changesBetween } from "./changes.ts";
import { type Fact, type RiskLevel, riskLevels } from "./fact.ts";
import { changeFacts } from "./facts.ts";
import { matchIcons } from "./match-icons.ts";
import { type DiagramOutline, outlineDiagram } from "./outline.ts";
import { changeSummary } from "./summary.ts";

/** Two versions of a diagram, icon by icon and fact by fact (D-8, L-5). */
export interface DiagramComparison {
  readonly matched: readonly { readonly before: IconId; readonly after: IconId }[];
  readonly added: readonly IconId[];
  readonly removed: readonly IconId[];
  readonly changed: readonly {
    readonly before: IconId;
    readonly after: IconId;
    readonly textBefore: string;
    readonly textAfter: string;
  }[];
  readonly moved: readonly { readonly before: IconId; readonly after: IconId }[];
  /** True if both have the same canonical form. */
  readonly sameMeaning: boolean;
  /** Riskiest first. */
  readonly facts: readonly Fact[];
  readonly summary: Text;
  readonly riskLevel: RiskLevel;
  /** Texts of the facts with the highest risk level. */
  readonly reasons: readonly Text[];
  /** Marks for the two drawings. */
  readonly marks: { readonly before: ReadonlyMap<IconId, ChangeMark>; readonly after: ReadonlyMap<IconId, ChangeMark> };
}

/** Compares two versions. Never throws; a new diagram with errors is compared as far as possible and rated high risk. */
export function compareDiagrams(before: Diagram, after: Diagram): DiagramComparison {
  const [old, now] = [outlineDiagram(before), outlineDiagram(after)];
  const changes = changesBetween(old, now, matchIcons(old.entries, now.entries));
  const sameMeaning = equalMeaning(old, now);
  const facts = sameMeaning ? [] : changeFacts(old, now, changes).toSorted((a, b) => rank(b.level) - rank(a.level));
  const riskLevel = facts[0]?.level ?? "low";
  const ids = (pairs: Changes["pairs"]): { before: IconId; after: IconId }[] =>
    pairs.map(([a, b]) => ({ before: old.entries[a]!.icon.id, after: now.entries[b]!.icon.id }));
  const added = changes.added.map((index) => now.entries[index]!.icon.id);
  const removed = changes.removed.map((index) => old.entries[index]!.icon.id);
  const changedPairs = changes.pairs.filter(([a]) => changes.changed.has(a));
  const moved = ids(changes.pairs.filter(([a]) => changes.moved.has(a)));
  const changed = changedPairs.map(([a, b]) => ({
    ...ids([[a, b]])[0]!,
    textBefore: old.entries[a]!.icon.text,
    textAfter: now.entries[b]!.icon.text,
  }));
  return {
    matched: ids(changes.pairs),
    added,
    removed,
    changed,
    moved,
    sameMeaning,
    facts,
    summary: changeSummary({ added, removed, changed, moved, sameMeaning, facts }),
    riskLevel,
    reasons: facts.filter(({ level }) => level === riskLevel).map(({ text }) => text),
    marks: {
      before: marksOf(
        [removed, "removed"],
        [changed.map((one) => one.before), "changed"],
        [moved.map((one) => one.before), "moved"],
      ),
      after: marksOf(
        [added, "added"],
        [changed.map((one) => one.after), "changed"],
        [moved.map((one) => one.after), "moved"],
      ),
    },
  };
}

const rank = (level: RiskLevel): number => riskLevels.indexOf(level);

function equalMeaning(a: DiagramOutline, b: DiagramOutline): boolean {
  if (!a.tree || !b.tree) return false;
  const [x, y] = [canonicalForm(a.tree), canonicalForm(b.tree)];
  return x.length === y.length && x.every((word, index) => word === y[index]);
}

/** Earlier groups win: an icon both changed and moved is marked as changed. */
function marksOf(...groups: readonly (readonly [readonly IconId[], ChangeMark])[]): Map<IconId, ChangeMark> {
  return new Map(groups.toReversed().flatMap(([ids, mark]) => ids.map((id): [IconId, ChangeMark] => [id, mark])));
}
