import type { IconId } from "../icon-id.ts";
import { type DraftIcon, type DraftQuestion, type ExitTarget, resolveTarget } from "./exit-targets.ts";

/**
 * Decides for every question which answer goes down. The line straight down from the head of a loop must reach its end, because
 * the two are paired by it; back edges and exits go to the right. Otherwise `prefers` decides, by icon of the tree, else "yes" goes down.
 */
export function orient(
  drawn: readonly DraftIcon[],
  questions: readonly DraftQuestion[],
  prefers: ReadonlyMap<IconId, boolean>,
): void {
  const homes = new Homes(drawn);
  const [straight, somehow] = [
    iconsReachingEnd(drawn, questions, homes, true),
    iconsReachingEnd(drawn, questions, homes, false),
  ];
  for (const question of questions) {
    const icon = homes.icon(question.id)!;
    const directness = (place: ExitTarget): number => {
      const line = homes.line(icon, place);
      if (line.kind !== "inside") return line.kind === "end" ? 2 : 0;
      return straight.has(line.to) ? 2 : somehow.has(line.to) ? 1 : 0;
    };
    const [yes, no] = [directness(question.whenYes), directness(question.whenNo)];
    const wholeYesDown = yes === no ? !question.yesRight : yes > no;
    const [down, right] = wholeYesDown ? [question.whenYes, question.whenNo] : [question.whenNo, question.whenYes];
    const preferred = yes === no ? prefers.get(icon.of!) : undefined;
    const yesIsDown =
      preferred ??
      (leadsTo(question.no, right) ||
        leadsTo(question.yes, down) ||
        !(leadsTo(question.yes, right) || leadsTo(question.no, down)));
    icon.item["flag1"] = yesIsDown ? 1 : 0;
    const [one, two] = yesIsDown ? [question.yes, question.no] : [question.no, question.yes];
    icon.exits = [["one", one], ["two", two], ...icon.exits];
  }
}

const leadsTo = (from: ExitTarget, to: ExitTarget): boolean => resolveTarget(from) === resolveTarget(to);

/** A line relative to the branch, for-each or process that it starts in. */
type RelativeLine = { readonly kind: "end" | "elsewhere" } | { readonly kind: "inside"; readonly to: IconId };

class Homes {
  readonly #icons: ReadonlyMap<IconId, DraftIcon>;

  constructor(drawn: readonly DraftIcon[]) {
    this.#icons = new Map(drawn.map((one) => [one.id, one]));
  }

  icon(id: IconId): DraftIcon | undefined {
    return this.#icons.get(id);
  }

  line(from: DraftIcon, place: ExitTarget): RelativeLine {
    const { icon, back } = resolveTarget(place);
    const to = icon === undefined ? undefined : this.#icons.get(icon);
    if (!to || back) return { kind: "elsewhere" };
    const last = this.#icons.get(from.home)!.past;
    const type = to.item["type"];
    if (last === undefined ? type === "branch" || type === "end" : to.id === last) return { kind: "end" };
    return to.home === from.home ? { kind: "inside", to: to.id } : { kind: "elsewhere" };
  }
}

/**
 * Icons with a path to the end of their branch, for-each or process, without a back edge and without leaving it. `straight`: of a
 * select only the first case counts, because the others go to the right and cannot be swapped.
 */
function iconsReachingEnd(
  drawn: readonly DraftIcon[],
  questions: readonly DraftQuestion[],
  homes: Homes,
  straight: boolean,
): ReadonlySet<IconId> {
  const before = new Map<IconId, IconId[]>();
  const arrived = new Set<IconId>();
  const work: IconId[] = [];
  const arrive = (id: IconId): void => {
    if (arrived.has(id)) return;
    arrived.add(id);
    work.push(id);
  };
  const follow = (from: DraftIcon, place: ExitTarget): void => {
    const line = homes.line(from, place);
    if (line.kind === "end") arrive(from.id);
    if (line.kind !== "inside") return;
    const known = before.get(line.to);
    if (known) known.push(from.id);
    else before.set(line.to, [from.id]);
  };
  for (const one of drawn) {
    const { exits } = one.past === undefined ? one : homes.icon(one.past)!;
    for (const [field, place] of exits) if (field === "one" || (field === "two" && !straight)) follow(one, place);
  }
  for (const { id, yes, no } of questions) for (const place of [yes, no]) follow(homes.icon(id)!, place);
  for (let id = work.pop(); id !== undefined; id = work.pop())
    for (const earlier of before.get(id) ?? []) arrive(earlier);
  return arrived;
}
