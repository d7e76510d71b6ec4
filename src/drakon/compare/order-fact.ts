import { joined, type Text } from "../../base/text.ts";
import type { IconId } from "../icon-id.ts";
import type { Changes } from "./changes.ts";
import type { MovedRun } from "./exit-changes.ts";
import { type Fact, fact } from "./fact.ts";
import type { DiagramOutline } from "./outline.ts";
import type { RouteFlow } from "./route-flow.ts";
import { behindArrows, type ExitLabel, type Place, type RouteGraph } from "./route-graph.ts";
import { iconName, loopsAround, nameList, targetName } from "./target-names.ts";

/**
 * Steps in a row that stand elsewhere. The place is named by icons whose order to them changed: a step behind them that was
 * behind them before says nothing about the move.
 */
export function orderFact(
  before: DiagramOutline,
  after: DiagramOutline,
  { partners }: Changes,
  flows: { readonly before: RouteFlow; readonly after: RouteFlow },
  run: MovedRun,
): Fact {
  const [old, now] = [before.routes, after.routes];
  const [first, last] = [run[0]!, run.at(-1)!];
  const names = nameList(run.map(([, b]) => iconName(now, b)));
  return fact("order-changed", [names, place()], {
    before: first[0],
    after: first[1],
    alsoBefore: run.map(([a]) => a),
    alsoAfter: run.map(([, b]) => b),
  });

  function place(): Text {
    const were = new Set(loopsAround(old, flows.before, first[0]).map((loop) => partners.after.get(loop)));
    const entered = loopsAround(now, flows.after, first[1]).find((loop) => !were.has(loop));
    if (entered !== undefined) return phrase("in the loop", "у циклі", iconName(now, entered));
    const next = behindArrows(now, now.exits.get(last[1])![0]!.to);
    const sources = sourcesOf(now, first[1]);
    const earlier = sources.filter(
      ({ from }) => !isHead(now, from) && (positionBefore(from) ?? -1) > positionBefore(first[1])!,
    );
    const ahead = phrase("before", "перед", asInstrumental(targetName(now, next)));
    if ((positionBefore(next) ?? Infinity) < positionBefore(first[1])!) return ahead;
    const behind = (of: readonly Source[]): Text =>
      phrase("after", "після", nameList(of.map((source) => sourceName(now, source))));
    if (earlier.length > 0 && earlier.length === sources.length) return behind(earlier);
    return sources.length === 1 ? joined([behind(sources), { en: "and", uk: "і" }, ahead]) : ahead;
  }

  /** The place of an icon of the new diagram in the order of the old one. */
  function positionBefore(icon: Place): number | undefined {
    const number = flows.before.numberOf(partners.before.get(icon) ?? icon);
    return number === undefined ? undefined : flows.before.order.position[number];
  }
}

const isHead = ({ diagram }: RouteGraph, place: Place): boolean =>
  ["branch", "case", "parbegin"].includes(diagram.icons.get(place)?.type ?? "");

interface Source {
  readonly from: Place;
  readonly label: ExitLabel;
}

/** The exits that lead to an icon, behind loop arrows; without the way back from the end of a loop. */
function sourcesOf(routes: RouteGraph, icon: IconId): Source[] {
  return [...routes.exits].flatMap(([from, out]) =>
    routes.reached.has(from) && routes.diagram.icons.get(from)?.type !== "arrow-loop"
      ? out.flatMap(({ label, to }) => (behindArrows(routes, to) === icon ? [{ from, label }] : []))
      : [],
  );
}

/** Ukrainian in the genitive, after "після". */
function sourceName(routes: RouteGraph, { from, label }: Source): Text {
  const name = iconName(routes, from);
  if (label === "done") return phrase("the loop", "циклу", name);
  switch (routes.diagram.icons.get(from)?.type) {
    case "branch":
      return name.en.startsWith('"') ? phrase("the head of the branch", "заголовка гілки", name) : BEGINNING;
    case "case":
      return phrase("the case", "варіанта", name);
    case "parend":
      return { en: "the parallel block", uk: "паралельного блоку" };
    case "parbegin":
      return { en: "the beginning of a parallel process", uk: "початку паралельного процесу" };
    default:
      return name;
  }
}

const BEGINNING: Text = { en: "the beginning", uk: "початку" };
const phrase = (en: string, uk: string, name: Text): Text => ({ en: `${en} ${name.en}`, uk: `${uk} ${name.uk}` });

/** After "перед" the nouns of places are in the instrumental. */
const INSTRUMENTAL: ReadonlyMap<string, string> = new Map([
  ["кінця", "кінцем"],
  ["кінця процесу", "кінцем процесу"],
  ["паралельного блоку", "паралельним блоком"],
]);
const asInstrumental = ({ en, uk }: Text): Text => ({ en, uk: INSTRUMENTAL.get(uk) ?? uk });
