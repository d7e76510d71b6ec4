import type { Diagram } from "../diagram.ts";
import { type Finding, finding } from "../finding.ts";
import type { IconId } from "../icon-id.ts";
import { assemble } from "./assemble.ts";
import { bridged } from "./bridges.ts";
import { type Flaw, flawsOf } from "./crossings.ts";
import type { Picture } from "./picture.ts";
import { sizes } from "./sizes.ts";
import { questionsNear } from "./turn-candidates.ts";
import type { Words } from "./words.ts";

export interface Layout {
  readonly picture: Picture;
  /** Questions that are drawn with their exits exchanged, because lines would cross otherwise. */
  readonly turned: ReadonlySet<IconId>;
  /** `W-CROSSING` for every place where lines cross all the same. */
  readonly findings: readonly Finding[];
}

export interface LayoutOptions {
  readonly name: string;
  readonly words: Words;
  readonly maxWidth: number;
}

/** How much is tried: pictures times icons. Keeps the worst case at a few times the usual one. */
const MAX_TRIES = 40;
const MAX_TRIED_ICONS = 12_000;

/**
 * Places everything. If lines cross, questions nearby are turned as long as that helps; if they still cross, icons are put in
 * common rows, where a line can cross lines only, never an icon, and the horizontal one gets a bridge.
 */
export function layOut(diagram: Diagram, { name, words, maxWidth }: LayoutOptions): Layout {
  const sizeOf = sizes(diagram, maxWidth, words);
  const draw = (turned: ReadonlySet<IconId>, aligned = false): Picture =>
    assemble({ diagram, name, words, maxWidth, sizeOf, turned, aligned });
  let turned: ReadonlySet<IconId> = new Set();
  let picture = draw(turned);
  let flaws = flawsOf(picture);
  let tries = Math.min(MAX_TRIES, Math.ceil(MAX_TRIED_ICONS / (1 + diagram.icons.size)));
  while (flaws.length > 0 && tries > 0) {
    let better = false;
    for (const question of questionsNear(diagram, picture, flaws)) {
      if (tries-- <= 0) break;
      const attempt = new Set(turned);
      if (!attempt.delete(question)) attempt.add(question);
      const drawn = draw(attempt);
      const left = flawsOf(drawn);
      if (left.length >= flaws.length) continue;
      [turned, picture, flaws, better] = [attempt, drawn, left, true];
      break;
    }
    if (!better) break;
  }
  if (flaws.length === 0) return { picture, turned, findings: [] };
  const apart = draw(turned, true);
  const remaining = flawsOf(apart);
  return { picture: bridged(apart, remaining), turned, findings: crossingFindings(diagram, apart, remaining) };
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
