import { type Diagram, readDiagram } from "../diagram/diagram.ts";
import type { EditLine } from "../edit/operation.ts";

/** Icons in short: `type text >one >>two |side #branchId yes`. */
export type Short = Readonly<Record<string, string>>;

export function drawn(short: Short): Diagram {
  const items = Object.entries(short).map(([id, line]) => {
    const [, type, content] = /^(\S+)(?: ([^>|#]*?))?(?= [>|#]|$)/.exec(line)!;
    const [, one] = / >(\S+)/.exec(line) ?? [];
    const [, two] = / >>(\S+)/.exec(line) ?? [];
    const [, side] = / \|(\S+)/.exec(line) ?? [];
    const [, branchId] = / #(\S+)/.exec(line) ?? [];
    return [
      id,
      {
        type,
        ...(content && { content }),
        ...(one && !one.startsWith(">") && { one }),
        ...(two && { two }),
        ...(side && { side }),
        ...(branchId && { branchId: Number(branchId) }),
        ...(type === "question" && { flag1: 1 }),
      },
    ];
  });
  return readDiagram(JSON.stringify({ items: Object.fromEntries(items) })).diagram;
}

export const short = (diagram: Diagram): Short =>
  Object.fromEntries(
    [...diagram.icons.values()].map(({ id, type, text, one, two, side, branchId }) => [
      id,
      [
        type,
        ...(text ? [text] : []),
        ...(one ? [`>${one}`] : []),
        ...(two ? [`>>${two}`] : []),
        ...(side ? [`|${side}`] : []),
        ...(branchId === undefined ? [] : [`#${branchId}`]),
      ].join(" "),
    ]),
  );

export const one = (icon: string): EditLine => [{ icon, exit: "one" }];
export const two = (icon: string): EditLine => [{ icon, exit: "two" }];

export const simple: Short = { 1: "branch >2 #0", 2: "action a >3", 3: "end" };
export const asked: Short = { 1: "branch >2 #0", 2: "question q >3 >>4", 3: "action a >5", 4: "action b >5", 5: "end" };
export const chosen: Short = {
  1: "branch >2 #0",
  2: "select s >3",
  3: "case x >6 >>4",
  4: "case y >7 >>5",
  5: "case z >6",
  6: "end",
  7: "action b >6",
};
export const each: Short = { 1: "branch >2 #0", 2: "loopbegin x; xs >3", 3: "action a >4", 4: "loopend >5", 5: "end" };
export const par: Short = {
  1: "branch >2 #0",
  2: "parbegin >4 >>3",
  3: "parbegin >5",
  4: "action a >5",
  5: "parend >6",
  6: "end",
};
export const sil: Short = { 1: "branch A >4 #1", 2: "branch B >3 #2", 3: "branch C >5 #3", 4: "action a >2", 5: "end" };
export const loop: Short = {
  1: "branch >2 #0",
  2: "arrow-loop >3",
  3: "action a >4",
  4: "question q >5 >>2",
  5: "end",
};
