import { diagramName } from "../expression/read-step.ts";
import type { IconId } from "../icon-id.ts";
import type { Tree } from "../tree.ts";
import { compiledTree, type Instruction } from "./compiled-tree.ts";
import type { Program } from "./frame.ts";
import type { Request } from "./request.ts";
import type { TraceEntry } from "./walk-end.ts";

/** An icon that was passed, as far as it matters for whether two walks went the same way. */
export interface Landmark {
  readonly diagram: string;
  readonly icon: IconId;
  /** What stands in it: walks of two diagrams are compared by what their icons say, not by what they are called. */
  readonly label: string;
  /** A question, a select, a loop: here ways part. */
  readonly decides: boolean;
  readonly answer: TraceEntry["answer"];
  /** What was asked of somebody there. */
  readonly asked: readonly string[];
}

interface IconSignature {
  readonly label: string;
  readonly decides: boolean;
}

const signs = new WeakMap<Tree, ReadonlyMap<IconId, IconSignature>>();

/** What stands in the icons of a diagram. Those that do nothing by themselves (heads of branches, comments) are left out. */
function iconSignatures(tree: Tree): ReadonlyMap<IconId, IconSignature> {
  const known = signs.get(tree);
  if (known) return known;
  const made = new Map(
    compiledTree(tree).instructions.flatMap((one) => {
      const sign = iconSignature(one);
      return sign && "icon" in one ? [[one.icon, sign] as const] : [];
    }),
  );
  signs.set(tree, made);
  return made;
}

/** What stands in an icon that does something; undefined for all others. */
export function iconSignature(one: Instruction): IconSignature | undefined {
  const label = (...words: readonly (string | undefined)[]): string =>
    [one.op, ...words.map((word) => word?.trim() ?? "")].join("\0");
  switch (one.op) {
    case "step": {
      const { kind, text, secondary, duration } = one.step;
      return IDLE.has(kind) ? undefined : { label: label(kind, text, secondary, duration?.text), decides: false };
    }
    case "ask":
      return { label: label(one.question.text, one.question.duration?.text), decides: true };
    case "select": {
      const { text, duration, cases } = one.select;
      return { label: label(text, duration?.text, ...cases.map((each) => each.text)), decides: true };
    }
    case "round":
      return { label: label(one.loop.text), decides: true };
    default:
      return undefined;
  }
}

const IDLE: ReadonlySet<string> = new Set(["comment", "ctrlstart", "ctrlend"]);

const labels = new WeakMap<Program, ReadonlySet<string>>();

/** Everything that stands anywhere in a program. */
function labelsOf(program: Program): ReadonlySet<string> {
  const known = labels.get(program);
  if (known) return known;
  const made = new Set(
    [...program.trees.values()].flatMap((tree) => [...iconSignatures(tree).values()].map((one) => one.label)),
  );
  labels.set(program, made);
  return made;
}

const whereOf = ({ proc, icon, visit }: Pick<TraceEntry, "proc" | "icon" | "visit">): string =>
  `${proc}\0${icon}\0${visit}`;

export function landmarksOf(program: Program, trace: readonly TraceEntry[], asked: readonly Request[]): Landmark[] {
  const requests = new Map<string, string[]>();
  for (const request of asked) {
    const where = whereOf(request);
    const known = requests.get(where);
    if (known) known.push(request.sem);
    else requests.set(where, [request.sem]);
  }
  const trees = new Map<string, ReadonlyMap<IconId, IconSignature>>();
  for (const [name, tree] of program.trees) trees.set(diagramName(name), iconSignatures(tree));
  return trace.flatMap((entry): Landmark[] => {
    const sign = trees.get(diagramName(entry.diagram))?.get(entry.icon);
    if (!sign) return [];
    const { diagram, icon, answer } = entry;
    return [{ diagram, icon, answer, ...sign, asked: requests.get(whereOf(entry)) ?? NONE }];
  });
}

const NONE: readonly string[] = [];

interface Alignment {
  /** Icons that only the second walk passed and that asked nobody anything. */
  readonly detours: readonly Landmark[];
  /** Undefined if both went the same way, detours apart. */
  readonly divergence: Divergence | undefined;
}

export interface Divergence {
  /** Where the ways part, in the second program: the decision before they differ, or the first icon that differs. */
  readonly at: Landmark | undefined;
  /** The first icon of each that is not the other's; undefined where one had come to its end. */
  readonly was: Landmark | undefined;
  readonly is: Landmark | undefined;
}

/**
 * Where two walks part. An icon that the other program does not have, and that asked nobody anything, is no parting by itself: a
 * question that was put in between and let the walk pass has changed nothing yet.
 */
export function align(
  was: { readonly program: Program; readonly way: readonly Landmark[] },
  is: { readonly program: Program; readonly way: readonly Landmark[] },
): Alignment {
  const [before, after] = [labelsOf(was.program), labelsOf(is.program)];
  const detours: Landmark[] = [];
  let [i, j] = [0, 0];
  let last: Landmark | undefined;
  for (;;) {
    const [a, b] = [was.way[i], is.way[j]];
    if (!a && !b) return { detours, divergence: undefined };
    if (a && b && sameLandmark(a, b)) {
      last = b;
      i++;
      j++;
    } else if (b && b.asked.length === 0 && !before.has(b.label)) {
      detours.push(b);
      last = b;
      j++;
    } else if (a && a.asked.length === 0 && !after.has(a.label)) i++;
    else return { detours, divergence: { at: divergenceIcon(last, a, b), was: a, is: b } };
  }
}

const sameLandmark = (a: Landmark, b: Landmark): boolean =>
  a.label === b.label &&
  a.answer === b.answer &&
  a.asked.length === b.asked.length &&
  a.asked.every((sem, index) => sem === b.asked[index]);

function divergenceIcon(
  last: Landmark | undefined,
  a: Landmark | undefined,
  b: Landmark | undefined,
): Landmark | undefined {
  if (b && a?.label === b.label) return b;
  return last?.decides ? last : (b ?? last);
}
