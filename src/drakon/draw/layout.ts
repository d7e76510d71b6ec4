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
  /** Questions that are drawn with their exits exchanged, because lines would cross otherwise. */
  readonly turned: ReadonlySet<IconId>;
  /** `W-CROSSING` for every place where lines cross all the same. */
  readonly findings: readonly Finding[];
}

export interface LayoutOptions {
  readonly name: string;
  readonly words: DrawingWords;
  readonly maxWidth: number;
}

/** How much is tried: pictures times icons. Keeps the worst case at a few times the usual one. */
const MAX_TRIES = 120;
const MAX_TRIED_ICONS = 6_000;

interface Attempt {
  readonly turned: ReadonlySet<IconId>;
  readonly picture: Picture;
  readonly flaws: readonly Flaw[];
}

/**
 * Places everything. If lines cross, questions nearby are turned until they do not; if none of what is tried helps, icons are
 * put in common rows, where a line can cross lines only, never an icon, and the horizontal one gets a bridge.
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

/** Goes on from the best attempt so far, whether or not it was better than the one before it. */
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
      // Much better than where it came from: go on there at once.
      if (attempt.flaws.length < from.flaws.length) break;
    }
    open.sort((a, b) => a.flaws.length - b.flaws.length || a.turned.size - b.turned.size);
  }
  return best;
}

/** One finding per icon that a crossing line leaves. */
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
