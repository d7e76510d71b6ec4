import { diagramFromJson } from "./diagram.ts";
import type { IconId } from "./icon-id.ts";
import { pairLoops } from "./loop-pairs.ts";
import { survey } from "./survey.ts";

type Items = Record<IconId, Record<string, unknown>>;

/** Each try costs a look at the whole diagram; where one is needed at all, a few are enough. */
const MAX_TRIES = 40;

/**
 * A loop whose first case leaves it has no straight way down to its own end, and the way that leaves may run straight into
 * the end of the loop around it. Which ends are found then hangs on how questions outside are turned; so those are turned
 * until every loop has its own end. Turning a question means nothing else.
 */
export function settleLoops(items: Items, ends: ReadonlyMap<IconId, IconId>): void {
  let wrong = mispaired(items, ends);
  let tries = MAX_TRIES;
  for (let turned = true; wrong.length > 0 && turned && tries > 0; ) {
    turned = false;
    for (const question of questionsBelow(items, ends, wrong[0]!).slice(0, tries)) {
      tries--;
      turn(items[question]!);
      const now = mispaired(items, ends);
      turned = now.length < wrong.length;
      if (!turned) turn(items[question]!);
      else wrong = now;
      if (turned) break;
    }
  }
}

function mispaired(items: Items, ends: ReadonlyMap<IconId, IconId>): IconId[] {
  const { diagram } = diagramFromJson({ items });
  const found = pairLoops(diagram, survey(diagram)).ends;
  return [...ends].flatMap(([start, end]) => {
    const other = found.get(start);
    return other !== undefined && other.id !== end ? [start] : [];
  });
}

/** Questions on the way straight down, the farthest first: what lies outside the loop is turned before what is inside. */
function questionsBelow(items: Items, ends: ReadonlyMap<IconId, IconId>, start: IconId): IconId[] {
  const questions = new Set<IconId>();
  const passed = new Set<IconId>();
  for (let id = items[start]!["one"] as IconId | undefined; id !== undefined && !passed.has(id); ) {
    passed.add(id);
    if (items[id]!["type"] === "question") questions.add(id);
    id = items[ends.get(id) ?? id]!["one"] as IconId | undefined;
  }
  return [...questions].toReversed();
}

function turn(question: Record<string, unknown>): void {
  [question["one"], question["two"]] = [question["two"], question["one"]];
  question["flag1"] = question["flag1"] === 1 ? 0 : 1;
}
