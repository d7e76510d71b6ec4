import type { Diagram } from "../diagram/diagram.ts";
import { type Finding, finding } from "../finding.ts";
import type { IconId } from "../icon-id.ts";
import { assemble } from "./assemble/assemble.ts";
import { withBridges } from "./crossings/bridges.ts";
import { type Flaw, flawsOf } from "./crossings/find-flaws.ts";
import { questionsNear } from "./crossings/turn-candidates.ts";
import type { DrawingWords } from "./drawing-words.ts";
import type { Picture } from "./picture.ts";
import { nodeSizes } from "./place/node-sizes.ts";

export interface Layout {
  readonly picture: Picture;
  /** Questions drawn with swapped exits, to avoid a crossing. */
  readonly turned: ReadonlySet<IconId>;
  /** `W-CROSSING` for every icon with a line that still crosses another. */
  readonly findings: readonly Finding[];
}

export interface LayoutOptions {
  readonly name: string;
  readonly words: DrawingWords;
  readonly maxWidth: number;
}

/** Limits of the search: layouts tried, and icons times layouts. The worst case costs a few times the usual one. */
const MAX_TRIES = 120;
const MAX_TRIED_ICONS = 6_000;

interface Attempt {
  readonly turned: ReadonlySet<IconId>;
  readonly picture: Picture;
  readonly flaws: readonly Flaw[];
}

/**
 * Computes the positions of all icons and lines. If lines cross, questions near the crossing are turned until none cross. If
 * the search fails, icons are aligned in common rows: then a line can cross only lines, and the horizontal one gets a bridge.
 */
export function layOut(diagram: Diagram, { name, words, maxWidth }: LayoutOptions): Layout {
  const sizeOf = nodeSizes(diagram, maxWidth, words);
  const draw = (turned: ReadonlySet<IconId>, aligned = false): Attempt => {
    const picture = assemble({ diagram, name, words, maxWidth, sizeOf, turned, aligned });
    return { turned, picture, flaws: flawsOf(picture) };
  };
  const { turned, picture, flaws } = withFewestCrossings(diagram, draw);
  if (flaws.length === 0) return { picture, turned, findings: [] };
  const apart = draw(turned, true);
  const findings = crossingFindings(diagram, apart.picture, apart.flaws);
  return { picture: withBridges(apart.picture, apart.flaws), turned, findings };
}

/** Best-first search over sets of turned questions. Returns the attempt with the fewest flaws. */
function withFewestCrossings(diagram: Diagram, draw: (turned: ReadonlySet<IconId>) => Attempt): Attempt {
  let best = draw(new Set());
  let tries = Math.min(MAX_TRIES, Math.ceil(MAX_TRIED_ICONS / (1 + diagram.icons.size)));
  const open = best.flaws.length > 0 ? [best] : [];
  const seen = new Set([""]);
  for (let from = open.shift(); from && tries > 0 && best.flaws.length > 0; from = open.shift()) {
    for (const question of questionsNear(diagram, from.picture, from.flaws)) {
      const turned = new Set(from.turned);
      if (!turned.delete(question)) turned.add(question);
      const name = [...turned].toSorted().join("\n");
      if (seen.has(name)) continue;
      seen.add(name);
      const attempt = draw(turned);
      if (attempt.flaws.length < best.flaws.length) best = attempt;
      open.push(attempt);
      if (--tries <= 0 || best.flaws.length === 0) break;
      // Better than its parent: expand it next.
      if (attempt.flaws.length < from.flaws.length) break;
    }
    open.sort((a, b) => a.flaws.length - b.flaws.length || a.turned.size - b.turned.size);
  }
  return best;
}

/** One finding per icon at an end of a crossing line. */
function crossingFindings(diagram: Diagram, picture: Picture, flaws: readonly Flaw[]): Finding[] {
  const iconOf = new Map(picture.icons.map(({ key, icon, refersTo }) => [key, icon ?? refersTo]));
  const named = new Set<IconId>();
  for (const { a, b } of flaws) {
    for (const key of [...a, ...b]) {
      const id = iconOf.get(key);
      if (id !== undefined) named.add(id);
    }
  }
  return [...named].map((id) => finding("W-CROSSING", { icon: id, iconText: diagram.icons.get(id)?.text ?? "" }));
}
