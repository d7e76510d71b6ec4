import type { Diagram, Icon } from "../../diagram/diagram.ts";
import { roleOf } from "../../diagram/icon-types.ts";
import type { IconId } from "../../icon-id.ts";
import type { Port } from "./skeleton.ts";

/** An exit of an icon as it is drawn. */
export interface DrawnExit {
  readonly port: Port;
  readonly to: IconId | undefined;
  readonly exit: "one" | "two" | undefined;
  readonly label: "yes" | "no" | undefined;
}

/** Exits of an icon from left to right. A turned question has its exits swapped with their labels: the meaning is the same. */
export function drawnExits(diagram: Diagram, icon: Icon, turned: ReadonlySet<IconId>): DrawnExit[] {
  const plain = (port: Port, exit: "one" | "two"): DrawnExit => ({ port, exit, to: icon[exit], label: undefined });
  if (icon.final) return [];
  switch (roleOf(icon.type)) {
    case "end":
    case "duration":
      return [];
    case "question": {
      const turn = turned.has(icon.id);
      const downIsYes = icon.yesIsDown !== turn;
      return [
        { ...plain("down", turn ? "two" : "one"), label: downIsYes ? "yes" : "no" },
        { ...plain("right", turn ? "one" : "two"), label: downIsYes ? "no" : "yes" },
      ];
    }
    case "select":
      return casesOf(diagram, icon);
    case "parbegin": {
      const next = icon.two === undefined ? undefined : diagram.icons.get(icon.two);
      return next?.type === "parbegin" ? [plain("down", "one"), plain("right", "two")] : [plain("down", "one")];
    }
    default:
      return [plain("down", "one")];
  }
}

/** The cases of a select, from left to right. */
function casesOf(diagram: Diagram, select: Icon): DrawnExit[] {
  const exits: DrawnExit[] = [{ port: "down", to: select.one, exit: "one", label: undefined }];
  const seen = new Set<IconId>();
  let last = select.one === undefined ? undefined : diagram.icons.get(select.one);
  while (last?.type === "case" && last.two !== undefined && !seen.has(last.id)) {
    seen.add(last.id);
    const next = diagram.icons.get(last.two);
    if (next?.type !== "case" || seen.has(next.id)) break;
    exits.push({ port: "fan", to: next.id, exit: undefined, label: undefined });
    last = next;
  }
  return exits;
}
