import type { Diagram, Icon } from "../diagram/diagram.ts";
import type { EditLine, EditOperation } from "../edit/operation.ts";
import { sockets } from "../edit/sockets.ts";

type Chance = () => number;

const STEPS = ["action", "comment", "insertion", "output", "shelf", "pause", "simpleinput"];

/** A random edit of a diagram, mostly sensible; some are refused. */
export function arbitraryEdit(diagram: Diagram, chance: Chance): EditOperation {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(chance() * from.length)]!;
  const icons = [...diagram.icons.values()];
  const lines = sockets(diagram);
  const text = `t${Math.floor(chance() * 1e6)}`;
  const line = (): EditLine => (lines.length === 0 ? [] : pick(lines).line);
  const icon = (fits: (one: Icon) => boolean = () => true): string => {
    const fitting = icons.filter(fits);
    return fitting.length === 0 || chance() < 0.03 ? "no such icon" : pick(fitting).id;
  };
  const of =
    (...types: string[]) =>
    ({ type }: Icon): boolean =>
      types.includes(type);
  const side = pick(["left", "right"] as const);
  const choices: (() => EditOperation)[] = [
    () => ({ op: "insert-icon", at: line(), type: pick(STEPS), text }),
    () => ({ op: "insert-question", at: line(), text }),
    () => ({ op: "insert-select", at: line(), text, cases: pick([["a", "b", "c"], ["a", "b", ""], ["a"]]) }),
    () => ({ op: "insert-for-each", at: line(), text }),
    () => ({ op: "insert-parallel", at: line(), processes: 1 + Math.floor(chance() * 3) }),
    () => ({ op: "insert-guard", at: line(), text, ...(chance() < 0.5 && { otherwise: icon() }) }),
    () => ({ op: "add-case", beside: icon(of("case")), side, text, ...(chance() < 0.3 && { to: icon() }) }),
    () => ({ op: "add-process", beside: icon(of("parbegin")), side, ...(chance() < 0.5 && { text }) }),
    () => ({ op: "insert-branch", beside: icon(of("branch")), side }),
    () => ({ op: "insert-duration", beside: icon(), text }),
    () => ({ op: "delete", icon: icon(of("question", "select", "case", "loopbegin", "parbegin")) }),
    () => ({ op: "delete", icon: icon() }),
    () => ({
      op: "edit-text",
      icon: icon(),
      field: chance() < 0.8 ? "content" : "secondary",
      text: pick([text, "<p>x</p>", "a\nb", ""]),
    }),
    () => ({ op: "edit-header", field: pick(["name", "params", "description"]), text }),
    () => ({ op: "swap-answers", icon: icon(of("question")) }),
    () => ({ op: "turn-question", icon: icon(of("question")) }),
    () => ({ op: "redirect-address", at: line(), to: icon(of("branch")) }),
    () => ({ op: "move-line", at: line(), to: icon() }),
    () => ({ op: "make-loop", at: line(), above: line() }),
    () => ({ op: "make-loop", at: line(), above: line() }),
    () => ({ op: "to-silhouette" }),
    () => ({ op: "to-primitive" }),
    () => ({ op: "remove-step", icon: icon(of(...STEPS)) }),
    () => ({ op: "move-step", icon: icon(of(...STEPS)), at: line() }),
  ];
  return pick(choices)();
}
