import { programBehaviourId } from "./canonical.ts";
import { type Checked, checkText } from "./check.ts";
import { splitDiagrams } from "./diagram/called-diagrams.ts";
import { calledFrom, fileDiagramName } from "./insertions.ts";
import type { Tree } from "./tree.ts";

/** A diagram file with the diagrams that it calls, each checked. */
export interface DiagramProgram {
  readonly main: Checked;
  /** By file name; only those that a call leads to. */
  readonly called: ReadonlyMap<string, Checked>;
  /** Undefined if one of the diagrams has errors. */
  readonly behaviour: string | undefined;
}

/** Reads a diagram file and the called diagrams inside it. Never throws. */
export function readProgram(text: string): DiagramProgram {
  const parts = splitDiagrams(text);
  const main = checkText(parts.main);
  if (parts.called.size === 0) return { main, called: new Map(), behaviour: behaviourOf(main, new Map()) };
  const held = new Map([...parts.called].map(([file, one]) => [file, checkText(one)]));
  const named = [...held].map(([file, { diagram }]) => ({ file, diagram }));
  const called = new Map(
    calledFrom("", [{ file: "", diagram: main.diagram }, ...named]).map((file) => [file, held.get(file)!]),
  );
  return { main, called, behaviour: behaviourOf(main, called) };
}

function behaviourOf(main: Checked, called: ReadonlyMap<string, Checked>): string | undefined {
  const trees = new Map<string, Tree>();
  for (const [file, { tree }] of called) {
    if (!tree) return undefined;
    trees.set(fileDiagramName(file), tree);
  }
  return main.tree && programBehaviourId(main.tree, trees);
}
