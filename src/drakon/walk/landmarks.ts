import { diagramName } from "../expression/read-step.ts";
import type { IconId } from "../icon-id.ts";
import type { Tree } from "../tree.ts";
import { compiledTree, type Instruction } from "./compiled-tree.ts";
import type { Program } from "./frame.ts";
import type { Request } from "./request.ts";
import type { TraceEntry } from "./walk-end.ts";

/** A passed icon, reduced to the facts that decide if two walks took the same path. */
export interface Landmark {
  readonly diagram: string;
  readonly icon: IconId;
  /** The content of the icon: walks of two diagrams are compared by content, because ids may differ. */
  readonly label: string;
  /** A question, a select or a loop. */
  readonly decides: boolean;
  readonly answer: TraceEntry["answer"];
  /** The `sem` of every request made there. */
  readonly asked: readonly string[];
}

interface IconSignature {
  readonly label: string;
  readonly decides: boolean;
}

const signatureCache = new WeakMap<Tree, ReadonlyMap<IconId, IconSignature>>();

/** The content of a diagram's icons. Icons without work (heads of branches, comments) are left out. */
function iconSignatures(tree: Tree): ReadonlyMap<IconId, IconSignature> {
  const known = signatureCache.get(tree);
  if (known) return known;
  const found = new Map(
    compiledTree(tree).instructions.flatMap((one) => {
      const signature = iconSignature(one);
      return signature && "icon" in one ? [[one.icon, signature] as const] : [];
    }),
  );
  signatureCache.set(tree, found);
  return found;
}

/** The content of an icon; undefined if it has no work. */
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

const labelCache = new WeakMap<Program, ReadonlySet<string>>();

/** The content of all icons of a program. */
function labelsOf(program: Program): ReadonlySet<string> {
  const known = labelCache.get(program);
  if (known) return known;
  const found = new Set(
    [...program.trees.values()].flatMap((tree) => [...iconSignatures(tree).values()].map((one) => one.label)),
  );
  labelCache.set(program, found);
  return found;
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
    const signature = trees.get(diagramName(entry.diagram))?.get(entry.icon);
    if (!signature) return [];
    const { diagram, icon, answer } = entry;
    return [{ diagram, icon, answer, ...signature, asked: requests.get(whereOf(entry)) ?? NONE }];
  });
}

const NONE: readonly string[] = [];

interface Alignment {
  /** Icons that only the second walk passed and that made no request. */
  readonly detours: readonly Landmark[];
  /** Undefined if both took the same path, except for detours. */
  readonly divergence: Divergence | undefined;
}

export interface Divergence {
  /** An icon of the second program: the decision before the paths differ, or the first icon that differs. */
  readonly at: Landmark | undefined;
  /** The first differing icon of each walk; undefined for a walk that had ended. */
  readonly was: Landmark | undefined;
  readonly is: Landmark | undefined;
}

/**
 * Finds the first divergence of two walks. An icon that the other program lacks and that made no request is skipped: an added
 * question that let the walk pass has changed nothing yet.
 */
export function align(
  was: { readonly program: Program; readonly path: readonly Landmark[] },
  is: { readonly program: Program; readonly path: readonly Landmark[] },
): Alignment {
  const [before, after] = [labelsOf(was.program), labelsOf(is.program)];
  const detours: Landmark[] = [];
  let [i, j] = [0, 0];
  let last: Landmark | undefined;
  for (;;) {
    const [a, b] = [was.path[i], is.path[j]];
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
