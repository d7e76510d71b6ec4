import { blockWords } from "../canonical.ts";
import type { IconId } from "../icon-id.ts";
import { not } from "../structure/conditions.ts";
import type { Block, Branch, Exit, If, Tree, TreeNode } from "../tree.ts";
import { questionsIn } from "../tree-icons.ts";
import {
  blocksInside,
  diverges,
  exitAfterSteps,
  isExit,
  isExitOnly,
  isSteps,
  mostEnteredExit,
  sameExit,
} from "./exits.ts";

/**
 * Guards (D-4a). A tree nests what follows a question into the arm that does not leave; a text puts it behind the question:
 *
 *     IF NOT c              IF c
 *       work        ⇔         → NEXT
 *                           work
 *
 * `withGuards` makes the second form for a text, `nestGuards` the first one from a text. Neither changes the meaning, and neither
 * recurses.
 */
export function nestGuards(tree: Tree): Tree {
  const { branches, silhouette } = tree;
  return { ...tree, branches: branches.map((branch) => ({ ...branch, body: nestedBody(branch.body, silhouette) })) };
}

/** A branch is left as it is if its guards would not be read back as the same tree. */
export function withGuards(tree: Tree): Tree {
  const { branches, silhouette } = tree;
  const numbers = new Map(branches.map(({ icon }, index) => [icon, index]));
  const guarded = (branch: Branch): Branch => ({ ...branch, body: guardedBody(branch, silhouette, numbers) });
  return { ...tree, branches: branches.map(guarded) };
}

/**
 * Questions that two forms of one tree ask the other way round: "yes" on the line of one is "no" in the other. All questions of a
 * condition count.
 */
export function turnedQuestions(one: Tree, other: Tree): ReadonlySet<IconId> {
  const [first, second] = [negatedQuestions(one), negatedQuestions(other)];
  return new Set([...first, ...second].filter((icon) => first.has(icon) !== second.has(icon)));
}

function negatedQuestions({ branches }: Tree): Set<IconId> {
  const found = new Set<IconId>();
  const open: Block[] = branches.map(({ body }) => body);
  for (let block = open.pop(); block; block = open.pop())
    for (const node of block) {
      if (node.node === "if" && node.condition.is === "not")
        for (const { icon } of questionsIn(node.condition)) found.add(icon);
      for (const inner of blocksInside(node)) open.push(inner);
    }
  return found;
}

function guardedBody({ body }: Branch, silhouette: boolean, numbers: ReadonlyMap<IconId, number>): Block {
  const meant = blockWords(body, numbers);
  const isSame = (made: Block): boolean => {
    const words = blockWords(nestedBody(made, silhouette), numbers);
    return words.length === meant.length && words.every((word, index) => word === meant[index]);
  };
  const last = body.at(-1);
  const final = last && isExit(last) ? last : undefined;
  for (const falls of [final ?? endOfText(silhouette), undefined]) {
    const made = new GuardMaker().run(body, final, falls);
    if (isSame(made)) return made;
  }
  return body;
}

const NEXT: Exit = { node: "next" };

/** A primitive ends with its text. A branch of a silhouette states its target; one that does not is never at its end. */
const endOfText = (silhouette: boolean): Exit | undefined => (silhouette ? undefined : { node: "return" });

/** A place in a block, and where to go on after its end. */
interface Cursor {
  readonly block: Block;
  at: number;
  readonly next: Cursor | undefined;
}

interface BlockWork {
  readonly from: Cursor;
  readonly out: TreeNode[];
  /** The exit that the end of the block is equal to; undefined where a text has no word for it, or something follows. */
  readonly falls: Exit | undefined;
  /** It is one question, the "no" of another: a text says "else if". */
  readonly isElseIf?: boolean;
}

/** The place of the next node; undefined at the end. */
function onward(from: Cursor | undefined): Cursor | undefined {
  let at = from;
  while (at && at.at >= at.block.length) at = at.next;
  return at;
}

/** Takes the next node out. */
function take(rest: { from: Cursor | undefined }): TreeNode | undefined {
  rest.from = onward(rest.from);
  return rest.from?.block[rest.from.at++];
}

const isDone = (from: Cursor | undefined): boolean => onward(from) === undefined;

/** Finished blocks are not kept: a chain of guards would make the list as long as itself. */
const begin = (block: Block, next?: Cursor): Cursor => ({ block, at: 0, next: onward(next) });

/** The exit of the one arm that leaves at once, or for "yes" after some steps, if the other one can go on with what follows. */
function leavingArms(
  { yes, no }: If,
  rest: Cursor | undefined,
): readonly [yes: Exit | undefined, no: Exit | undefined] {
  const [left, right] = [exitAfterSteps(yes), isExitOnly(no)];
  if ((left && right) || (!isDone(rest) && diverges(left ? no : yes))) return [undefined, undefined];
  return [left, right];
}

/** Copies blocks with changed questions. A work list instead of recursion: each output array is filled later. */
abstract class BlockCopy {
  protected readonly work: BlockWork[] = [];

  /** Copies a question, or puts several nodes for it; `rest` is what follows in the block. */
  protected abstract question(node: If, rest: { from: Cursor | undefined }, work: BlockWork): void;

  protected copy(): void {
    for (let next = this.work.pop(); next; next = this.work.pop()) this.#block(next);
  }

  protected inside(block: Block, falls: Exit | undefined, next?: Cursor, isElseIf = false): TreeNode[] {
    const out: TreeNode[] = [];
    this.work.push({ from: begin(block, next), out, falls, isElseIf });
    return out;
  }

  #block(work: BlockWork): void {
    const rest: { from: Cursor | undefined } = { from: work.from };
    for (let node = take(rest); node; node = take(rest)) {
      if (node.node === "if") this.question(node, rest, work);
      else work.out.push(this.#node(node, isDone(rest.from) ? work.falls : undefined));
    }
  }

  #node(node: Exclude<TreeNode, If>, falls: Exit | undefined): TreeNode {
    switch (node.node) {
      case "select": {
        const arm = <Arm extends { readonly body: Block }>(one: Arm): Arm => ({
          ...one,
          body: this.inside(one.body, falls),
        });
        const { otherwise, ...rest } = node;
        return { ...rest, cases: node.cases.map(arm), ...(otherwise && { otherwise: arm(otherwise) }) };
      }
      case "for-each":
      case "loop":
        return { ...node, body: this.inside(node.body, NEXT) };
      case "block":
        return { ...node, body: this.inside(node.body, undefined) };
      case "parallel": {
        const processes = node.processes.map((one) => ({ ...one, body: this.inside(one.body, undefined) }));
        return { ...node, processes };
      }
      default:
        return node;
    }
  }
}

const repeats = ({ node }: TreeNode): boolean => node === "for-each" || node === "loop";

class GuardMaker extends BlockCopy {
  /** `final`: the exit at the end of the body, which a text omits where it cannot be reached. */
  run(body: Block, final: Exit | undefined, falls: Exit | undefined): Block {
    const out = this.inside(final ? body.slice(0, -1) : body, falls);
    this.copy();
    if (final && (out.length === 0 || !diverges(out))) out.push(final);
    return out;
  }

  protected question(node: If, rest: { from: Cursor | undefined }, { out, falls, isElseIf }: BlockWork): void {
    const { condition, yes, no } = node;
    const ends = isDone(rest.from) ? falls : undefined;
    const guard = (asked: If["condition"], leaving: Block, other: Block): void => {
      out.push({ node: "if", condition: asked, yes: leaving, no: [] });
      rest.from = begin(other, rest.from);
    };
    const [left, right] = leavingArms(node, rest.from);
    if (left && no.length > 0) return guard(condition, yes, no);
    if (right && yes.length > 0 && !isElseIf) return guard(not(condition), no, yes);
    if (ends && condition.is === "not" && no.length === 0 && yes.length > 0 && !isExitOnly(yes))
      return guard(condition.of, [ends], yes);
    // A few steps before the end, and a loop otherwise: the steps belong to the guard.
    if (ends && yes.length > 0 && isSteps(yes) && no.some(repeats) && !isElseIf)
      return guard(condition, [...yes, ends], no);
    out.push({ ...node, yes: this.inside(yes, ends), no: this.inside(no, ends, undefined, no.length === 1) });
  }
}

class GuardNester extends BlockCopy {
  #fellThrough = false;
  #last: Exit | undefined;

  run(body: Block, silhouette: boolean): Block {
    const last = body.at(-1);
    const ending = last && isExit(last) ? last : undefined;
    const isLeft = diverges(body);
    this.#last = isLeft ? (mostEnteredExit(body) ?? ending) : endOfText(silhouette);
    const isApart = ending !== undefined && this.#last !== undefined && sameExit(ending, this.#last);
    const out = this.inside(isApart ? body.slice(0, -1) : body, this.#last);
    this.copy();
    if (isApart) out.push(ending);
    else if (this.#fellThrough && isLeft) out.push(this.#last!);
    return out;
  }

  protected question(node: If, rest: { from: Cursor | undefined }, { out, falls }: BlockWork): void {
    const { condition, yes, no } = node;
    const [left, right] = leavingArms(node, rest.from);
    const leaving = left ?? right;
    if (!leaving) {
      const ends = isDone(rest.from) ? falls : undefined;
      const [first, second] = [this.inside(yes, ends), this.inside(no, ends)];
      if (condition.is === "not" && no.length > 0)
        out.push({ node: "if", condition: condition.of, yes: second, no: first });
      else out.push({ node: "if", condition, yes: first, no: second });
      return;
    }
    const asked = left ? condition : not(condition);
    const other = this.inside(left ? no : yes, falls, rest.from);
    const isEmpty = (left ? no : yes).length === 0 && isDone(rest.from);
    rest.from = undefined;
    const isRedundant = falls !== undefined && sameExit(leaving, falls);
    if (isRedundant && falls === this.#last) this.#fellThrough = true;
    const arm = left ? yes : no;
    const kept = isRedundant ? arm.slice(0, -1) : arm;
    if (isEmpty) out.push({ node: "if", condition: asked, yes: kept, no: [] });
    else if (kept.length === 0) out.push({ node: "if", condition: not(asked), yes: other, no: [] });
    else if (asked.is === "not") out.push({ node: "if", condition: asked.of, yes: other, no: kept });
    else out.push({ node: "if", condition: asked, yes: kept, no: other });
  }
}

const nestedBody = (body: Block, silhouette: boolean): Block => new GuardNester().run(body, silhouette);
