import type { Text } from "../../base/text.ts";
import { canonicalForm } from "../canonical.ts";
import type { Diagram } from "../diagram/diagram.ts";
import type { ChangeMark } from "../draw/paint/overlay.ts";
import type { IconId } from "../icon-id.ts";
import { type Changes, changesBetween } from "./changes.ts";
import { arranged, type Fact, type FactKind, type RiskLevel } from "./fact.ts";
import { changeFacts } from "./facts.ts";
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

/**
 * Compares two versions. There are facts exactly if the meanings differ (D-8a). Never throws; a new diagram with errors is compared as far as possible and rated high risk.
 */
export function compareDiagrams(before: Diagram, after: Diagram): DiagramComparison {
  const [old, now] = [outlineDiagram(before), outlineDiagram(after)];
  const changes = changesBetween(old, now);
  const sameMeaning = equalMeaning(old, now);
  const facts = sameMeaning ? [] : arranged(changeFacts(old, now, changes));
  const riskLevel = facts[0]?.level ?? "low";
  const ids = (pairs: Changes["pairs"]): { before: IconId; after: IconId }[] =>
    pairs.map(([a, b]) => ({ before: old.entries[a]!.icon.id, after: now.entries[b]!.icon.id }));
  const added = changes.added.map((index) => now.entries[index]!.icon.id);
  const removed = changes.removed.map((index) => old.entries[index]!.icon.id);
  const moved = changes.moved.flat().map(([a, b]) => ({ before: a, after: b }));
  const changed = changes.changed.map(([a, b]) => ({
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
        [facts.flatMap((one) => (REROUTED.has(one.kind) ? (one.before ?? []) : [])), "rerouted"],
        [facts.flatMap(({ icons }) => icons.before), "concerned"],
      ),
      after: marksOf(
        [added, "added"],
        [changed.map((one) => one.after), "changed"],
        [moved.map((one) => one.after), "moved"],
        [facts.flatMap((one) => (REROUTED.has(one.kind) ? (one.after ?? []) : [])), "rerouted"],
        [facts.flatMap(({ icons }) => icons.after), "concerned"],
      ),
    },
  };
}

/** Facts about the exits of an icon itself. */
const REROUTED: ReadonlySet<FactKind> = new Set<FactKind>(["exit-changed", "guard-reversed", "answers-swapped"]);

function equalMeaning(a: DiagramOutline, b: DiagramOutline): boolean {
  if (!a.tree || !b.tree) return false;
  const [x, y] = [canonicalForm(a.tree), canonicalForm(b.tree)];
  return x.length === y.length && x.every((word, index) => word === y[index]);
}

/** Earlier groups win: an icon both changed and moved is marked as changed. */
function marksOf(...groups: readonly (readonly [readonly IconId[], ChangeMark])[]): Map<IconId, ChangeMark> {
  return new Map(groups.toReversed().flatMap(([ids, mark]) => ids.map((id): [IconId, ChangeMark] => [id, mark])));
}
