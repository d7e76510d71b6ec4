import type { Json } from "../../../base/canonical.ts";
import { parsePseudocode } from "../../text/parse.ts";
import type { Tree } from "../../tree.ts";
import type { Program } from "../frame.ts";
import type { WalkInput, WalkOptions } from "../machine.ts";
import { answerTo, type JournalEntry } from "../request.ts";
import { replay } from "./replay.ts";

export function treeOf(text: string): Tree {
  const { tree, findings } = parsePseudocode(text);
  if (!tree) throw new Error(JSON.stringify(findings));
  return tree;
}

/** A program with its one diagram. */
export const programOf = (tree: Tree): Program => ({ trees: new Map([[tree.name, tree]]), main: tree.name });

/** The first text is the main procedure. */
export const program = (...texts: string[]): Program => {
  const trees = texts.map(treeOf);
  return { trees: new Map(trees.map((tree) => [tree.name, tree])), main: trees[0]!.name };
};

/** The journal of answering what is open, the oldest first. */
export function answered(
  what: Program,
  input: WalkInput,
  values: readonly Json[],
  options?: WalkOptions,
): JournalEntry[] {
  const journal: JournalEntry[] = [];
  for (const value of values) {
    const [first] = replay(what, input, journal, options).requests;
    if (!first) throw new Error("nothing is asked");
    journal.push(answerTo(first, value));
  }
  return journal;
}
