import type { ArgumentNames } from "../expression/argument-names.ts";
import { boundNames } from "../expression/bound-names.ts";
import { oneSpelling } from "../expression/lexer.ts";
import { parametersOf } from "../expression/parameters.ts";
import { diagramName } from "../expression/read-step.ts";
import type { Value } from "../expression/value.ts";
import type { Tree } from "../tree.ts";
import type { CallScope } from "./call-scope.ts";
import { type CompiledTree, compiledTree } from "./compiled-tree.ts";
import type { Rounds } from "./icon-work.ts";
import { type WalkProblem, walkProblem } from "./walk-end.ts";

/** The diagrams of a procedure by name. Insertions call them. */
export interface Program {
  readonly trees: ReadonlyMap<string, Tree>;
  readonly main: string;
}

/** One call of one diagram: its variables, loops and visit counts. */
export interface Frame {
  readonly diagram: string;
  readonly proc: string;
  readonly code: CompiledTree;
  readonly scope: CallScope;
  readonly currentItems: Map<string, Value>;
  readonly rounds: Map<number, Rounds>;
  /** Number of visits per icon number. */
  readonly visits: Uint32Array;
}

interface Call {
  readonly diagram: string;
  readonly proc: string;
  readonly positional: readonly Value[];
  readonly named: readonly (readonly [string, Value])[];
  /** Accepts names that are no parameters; only for the input of the whole walk. */
  readonly open: boolean;
}

/** By the names of the input beyond those of the tree. */
const boundSets = new WeakMap<Tree, Map<string, ReadonlySet<string>>>();
const MOST_SETS = 64;

/** One set for equal names, because it is the cache key of parsed texts: a report replays thousands of runs of one program. */
function boundIn(tree: Tree, input: Iterable<string>): ReadonlySet<string> {
  const known = boundSets.get(tree) ?? new Map([["", boundNames(tree)]]);
  boundSets.set(tree, known);
  const inside = known.get("")!;
  const more = [...input].filter((name) => !inside.has(name)).toSorted();
  const key = more.join("\0");
  const bound = known.get(key) ?? new Set([...inside, ...more]);
  if (known.size < MOST_SETS) known.set(key, bound);
  return bound;
}

const namedTrees = new WeakMap<Program, ReadonlyMap<string, Tree>>();

function treesByName(program: Program): ReadonlyMap<string, Tree> {
  const known = namedTrees.get(program) ?? new Map([...program.trees].map(([name, tree]) => [diagramName(name), tree]));
  namedTrees.set(program, known);
  return known;
}

/** Makes the frames for calls of a program's diagrams. Names are compared as `diagramName` normalizes them. */
export function frameMaker(
  program: Program,
  argumentNames: ArgumentNames,
  onRead: (value: Value | undefined) => void = () => undefined,
): { hasDiagram: (name: string) => boolean; frameOf: (call: Call) => Frame | WalkProblem } {
  const trees = treesByName(program);
  const hasDiagram = (name: string): boolean => trees.has(name);
  return { hasDiagram, frameOf };

  function frameOf({ diagram, proc, positional, named, open }: Call): Frame | WalkProblem {
    const tree = trees.get(diagramName(diagram));
    if (!tree) return walkProblem("missing-diagram", diagram, { proc });
    const parameters = parametersOf(tree.params);
    const where = { diagram, proc };
    const names = new Map<string, Value>();
    for (const [index, value] of positional.entries()) {
      const name = parameters[index];
      if (name === undefined) return walkProblem("input", extra(`#${index + 1}`), where);
      names.set(name, value);
    }
    for (const [written, value] of named) {
      const name = oneSpelling(written);
      if (names.has(name) || (!open && !parameters.includes(name))) return walkProblem("input", extra(name), where);
      names.set(name, value);
    }
    const missing = parameters.find((name) => !names.has(name));
    if (missing !== undefined) return walkProblem("missing-input", missing, where);
    const bound = boundIn(tree, open ? names.keys() : []);
    const currentItems = new Map<string, Value>();
    const code = compiledTree(tree);
    const scope: CallScope = {
      names,
      bound,
      argumentNames,
      currentItems,
      hasDiagram,
      valueOf: (name) => {
        const value = names.get(name);
        onRead(value);
        return value;
      },
      isUnset: (name) => bound.has(name),
    };
    return { diagram, proc, code, scope, currentItems, rounds: new Map(), visits: new Uint32Array(code.icons) };
  }
}

const extra = (name: string): { en: string; uk: string } => ({
  en: `${name} is given twice or is not a parameter`,
  uk: `${name} задано двічі, або це не параметр`,
});

const RESULT = ["результат", "result"];

/** The return value of a call: the variable `результат` or `result`. */
export const procedureResult = ({ scope }: Frame): Value | undefined =>
  RESULT.map((name) => scope.valueOf(name)).find((value) => value !== undefined);
