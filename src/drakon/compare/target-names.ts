import type { Text } from "../../base/text.ts";
import type { IconId } from "../icon-id.ts";
import type { RouteFlow } from "./route-flow.ts";
import { blockEnding, END, type ExitLabel, NOWHERE, type Place, type RouteGraph, START } from "./route-graph.ts";

const MAX_QUOTED = 80;

/** A text in quotation marks, in one line and shortened. A text that has them already gets no second pair. */
export function quotedInBoth(text: string, max = MAX_QUOTED): Text {
  const line = text.replace(/\s+/g, " ").trim();
  const letters = [...line];
  const short = letters.length > max ? `${letters.slice(0, max).join("")}…` : line;
  if (/^(?:".*"|«.*»)$/.test(short)) return { en: short, uk: short };
  return { en: `"${short}"`, uk: `«${short}»` };
}

/** The text of an icon, or its number if it has none. */
export function iconName(routes: RouteGraph, icon: IconId): Text {
  const found = routes.diagram.icons.get(icon);
  const text = found?.text.trim() || found?.secondary?.trim() || "";
  if (text !== "") return quotedInBoth(text);
  const process = processes(routes, icon).indexOf(icon) + 1;
  if (process > 0) return { en: `parallel process ${process}`, uk: `паралельний процес ${process}` };
  return { en: `icon ${icon}`, uk: `ікона ${icon}` };
}

/** The processes of the block that a process belongs to. */
const processes = ({ blocks, exits }: RouteGraph, icon: IconId): IconId[] =>
  (exits.get(blocks.get(icon) ?? "") ?? []).flatMap(({ label, to }) => (label === "process" ? [to] : []));

const MAX_NAMED = 3;

/** The first three names, and the number of the rest. */
export function nameList(names: readonly Text[]): Text {
  const rest = names.length - MAX_NAMED;
  const line = (language: "en" | "uk", more: string): string =>
    names
      .slice(0, MAX_NAMED)
      .map((name) => name[language])
      .join(", ") + (rest > 0 ? more : "");
  return { en: line("en", ` and ${rest} more`), uk: line("uk", ` і ще ${rest}`) };
}

/** A place as the target of a way. Ukrainian in the genitive, after "до" and "замість". */
export function targetName(routes: RouteGraph, place: Place): Text {
  if (place === END || place === START) return { en: "the end", uk: "кінця" };
  if (place === NOWHERE) return { en: "nowhere", uk: "місця, якого немає" };
  if (blockEnding(place) !== undefined) return { en: "the end of the process", uk: "кінця процесу" };
  const icon = routes.diagram.icons.get(place);
  const of = (en: string, uk: string, named: IconId = place): Text => {
    const name = iconName(routes, named);
    return { en: `${en} ${name.en}`, uk: `${uk} ${name.uk}` };
  };
  switch (icon?.type) {
    case "branch":
      return icon.text.trim() === "" ? { en: "the beginning", uk: "початку" } : of("the branch", "гілки");
    case "loopbegin":
      return of("the loop", "циклу");
    case "loopend":
      return of("the next item of", "наступного елемента", loopOf(routes, place) ?? place);
    case "parend":
    case "parbegin":
      return { en: "the parallel block", uk: "паралельного блоку" };
    default: {
      const name = iconName(routes, place);
      return name.en.startsWith("icon ") ? { en: `the ${name.en}`, uk: `ікони ${place}` } : name;
    }
  }
}

export const loopOf = ({ loopEnds }: RouteGraph, end: IconId): IconId | undefined =>
  [...loopEnds].find(([, lower]) => lower === end)?.[0];

/** One exit as the subject of a sentence. */
export function exitName(routes: RouteGraph, icon: Place, label: ExitLabel): Text {
  if (label === "start") return { en: "the procedure", uk: "процедура" };
  const name = iconName(routes, icon);
  const of = (en: string, uk: string): Text => ({ en: `${en} ${name.en}`, uk: `${uk} ${name.uk}` });
  const type = routes.diagram.icons.get(icon)?.type;
  switch (label) {
    case "yes":
      return of('the answer "yes" to', "відповідь «так» на");
    case "no":
      return of('the answer "no" to', "відповідь «ні» на");
    case "item":
      return of("a round of the loop", "оберт циклу");
    case "done":
      return of("the end of the loop", "кінець циклу");
    default:
      if (type === "case") return isDefault(routes, icon) ? defaultCase(routes, icon) : of("the case", "варіант");
      if (type === "branch")
        return name.en.startsWith('"') ? of("the branch", "гілка") : { en: "the beginning", uk: "початок" };
      if (type === "parbegin") return name;
      if (type === "parend") return { en: "the parallel block", uk: "паралельний блок" };
      return name;
  }
}

const isDefault = ({ diagram }: RouteGraph, icon: IconId): boolean => diagram.icons.get(icon)?.text.trim() === "";
const defaultCase = (routes: RouteGraph, icon: IconId): Text => {
  const name = iconName(routes, routes.selects.get(icon) ?? icon);
  return { en: `every other case of ${name.en}`, uk: `кожен інший варіант ${name.uk}` };
};

/** Where an exit leads: with "back" if the way is a loop, and with the for-each loops that it leaves. */
export function destination(
  routes: RouteGraph,
  flow: RouteFlow,
  { from, to, inside }: { readonly from: Place; readonly to: Place; readonly inside: readonly IconId[] },
): { readonly name: Text; readonly isBack: boolean; readonly leaving: Text | undefined } {
  const [source, target] = [flow.numberOf(from), flow.numberOf(to)];
  const isLower = routes.diagram.icons.get(to)?.type === "loopend";
  const isIn = (loop: IconId): boolean => {
    const head = flow.numberOf(loop);
    return head !== undefined && target !== undefined && flow.order.inLoop(head, target);
  };
  const left = inside.filter((loop) => !isIn(loop)).map((loop) => iconName(routes, loop));
  const list = nameList(left);
  return {
    name: targetName(routes, to),
    isBack: source !== undefined && target !== undefined && !isLower && flow.order.dominates(target, source),
    leaving: left.length === 0 ? undefined : { en: `leaving the loop ${list.en}`, uk: `з виходом із циклу ${list.uk}` },
  };
}

/** The for-each loops around an icon, innermost first. */
export const loopsAround = ({ loopEnds }: RouteGraph, flow: RouteFlow, icon: Place): IconId[] =>
  flow.loopsAround(icon).filter((head) => loopEnds.has(head));

/** True if an icon stands in the body of a for-each: only rounds of the loop lead to it, even if no way leads from it to the next one. */
export function inBody({ exits }: RouteGraph, flow: RouteFlow, loop: IconId, icon: Place): boolean {
  const [head, number] = [flow.numberOf(loop), flow.numberOf(icon)];
  if (head === undefined || number === undefined || !flow.order.dominates(head, number)) return false;
  const passed = new Set<Place>([loop]);
  const work = (exits.get(loop) ?? []).flatMap(({ label, to }) => (label === "done" ? [to] : []));
  for (let at = work.pop(); at !== undefined; at = work.pop()) {
    if (at === icon) return false;
    if (passed.has(at)) continue;
    passed.add(at);
    for (const { to } of exits.get(at) ?? []) work.push(to);
  }
  return true;
}
