import { type PassedLine, yesOrNo } from "../../domain/run/passed-lines.ts";
import type { IconId } from "../icon-id.ts";
import type { Tree } from "../tree.ts";
import { type CompiledTree, compiledTree, type Instruction } from "./compiled-tree.ts";

/**
 * Checks the lines that a model claims to have passed against the possible paths of a diagram. Nothing is computed: an answer
 * that was not stated may be any. Lines without work (heads of branches, cases, processes and loops, comments) may be stated or
 * omitted; all others must be stated in order. Parallel processes may be stated in any order.
 */
interface LinePath {
  /** Advances along these lines; returns the first that no path allows here. After that, nothing more is checked. */
  pass(lines: readonly PassedLine[]): PassedLine | undefined;
}

/** A thread; with inner ones, it waits for them. */
interface Strand {
  readonly pc: number;
  readonly inner: readonly Strand[];
}

/** With more possible positions than this, checking stops and every line is accepted. */
const MOST_PLACES = 400;
const DEEPEST = 40;

/** `turned`: the questions whose line asks the opposite of the tree. */
export function linePath(
  tree: Tree,
  lineOf: (icon: IconId) => number | undefined,
  turned: ReadonlySet<IconId>,
): LinePath {
  const code = compiledTree(tree);
  const lines = new Set(code.instructions.flatMap((one) => ("icon" in one ? (lineOf(one.icon) ?? []) : [])));
  const at = (pc: number): number | undefined => {
    const one = code.instructions[pc]!;
    return "icon" in one ? lineOf(one.icon) : undefined;
  };
  let positions: readonly Strand[] | undefined = withSilentMoves(code, [{ pc: 0, inner: [] }]);
  return {
    pass(claimed) {
      for (const passed of claimed) {
        // A line of another diagram, or one without an icon (`ІНАКШЕ`, `→ НАСТУПНА`), cannot be checked.
        if (!positions || !lines.has(passed.line)) continue;
        const next = positions.flatMap((target) => steps(target, (pc) => movesOnLine(code, pc, at, passed, turned)));
        if (next.length === 0) {
          positions = undefined;
          return passed;
        }
        positions = withSilentMoves(code, next);
      }
      return undefined;
    },
  };
}

/** Every move of one strand that is not waiting. */
function steps(strand: Strand, move: (pc: number) => readonly number[]): Strand[] {
  if (strand.inner.length === 0) return move(strand.pc).map((pc) => ({ pc, inner: [] }));
  return strand.inner.flatMap((one, index) =>
    steps(one, move).map((moved) => ({ pc: strand.pc, inner: strand.inner.with(index, moved) })),
  );
}

/** The addresses after passing this line at an instruction; none if the instruction is on another line. */
function movesOnLine(
  code: CompiledTree,
  pc: number,
  at: (pc: number) => number | undefined,
  { line, answer }: PassedLine,
  turned: ReadonlySet<IconId>,
): number[] {
  const one = code.instructions[pc]!;
  if (at(pc) !== line) return [];
  const stated = yesOrNo(answer);
  switch (one.op) {
    case "pass":
    case "step":
      return [pc + 1];
    case "enter":
      return rounds(code, pc + 1, stated);
    case "round":
      return rounds(code, pc, stated);
    case "select": {
      const label = answer?.trim().toLowerCase();
      const named = one.select.cases.findIndex(({ text }) => text.trim().toLowerCase() === label);
      if (named >= 0) return [one.cases[named]!.at];
      return [...one.cases.map((target) => target.at), ...(one.otherwise ? [one.otherwise.at] : [])];
    }
    case "ask": {
      const yes = yesOf(code, pc, at);
      const exits = conditionExits(code, pc, at);
      const asked = !turned.has(one.icon);
      if (stated !== undefined) return exits.filter((exit) => (exit === yes) === (stated === asked));
      // A question that calls a tool is stated with that call, and the questions joined to it with the next one: the same line again.
      return [...exits, ...span(pc + 1, yes)];
    }
    default:
      return [];
  }
}

function rounds(code: CompiledTree, pc: number, stated: boolean | undefined): number[] {
  const one = code.instructions[pc] as Extract<Instruction, { op: "round" }>;
  return [...(stated === false ? [] : [pc + 1]), ...(stated === true ? [] : [one.done.at])];
}

/** The address on "yes". Joined questions share one line and are adjacent; the "yes" block follows the last of them. */
function yesOf(code: CompiledTree, pc: number, at: (pc: number) => number | undefined): number {
  let last = pc;
  while (code.instructions[last + 1]?.op === "ask" && at(last + 1) === at(pc)) last++;
  return last + 1;
}

const span = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);

function conditionExits(code: CompiledTree, pc: number, at: (pc: number) => number | undefined): number[] {
  const after = yesOf(code, pc, at);
  const exits = new Set<number>();
  for (let each = pc; each < after; each++) {
    const one = code.instructions[each] as Extract<Instruction, { op: "ask" }>;
    for (const { at: to } of [one.yes, one.no]) if (to <= pc || to >= after) exits.add(to);
  }
  return [...exits];
}

/** All positions reachable without passing a line that must be stated; undefined if there are too many. */
function withSilentMoves(code: CompiledTree, from: readonly Strand[]): Strand[] | undefined {
  const seen = new Map<string, Strand>();
  const work = [...from];
  for (let next = work.pop(); next; next = work.pop()) {
    const key = JSON.stringify(next);
    if (seen.has(key)) continue;
    if (seen.size >= MOST_PLACES || depthOf(next) > DEEPEST) return undefined;
    seen.set(key, next);
    work.push(...silentMoves(code, next));
  }
  return [...seen.values()];
}

function silentMoves(code: CompiledTree, strand: Strand): Strand[] {
  if (strand.inner.length > 0)
    return strand.inner.flatMap((one, index) => {
      const isOver = one.inner.length === 0 && code.instructions[one.pc]!.op === "join";
      if (isOver) return [{ pc: strand.pc, inner: strand.inner.toSpliced(index, 1) }];
      return silentMoves(code, one).map((moved) => ({ pc: strand.pc, inner: strand.inner.with(index, moved) }));
    });
  const one = code.instructions[strand.pc]!;
  const to = (...pcs: readonly number[]): Strand[] => pcs.map((pc) => ({ pc, inner: [] }));
  switch (one.op) {
    case "pass":
      return to(strand.pc + 1);
    case "jump":
      return to(one.to.at);
    case "step":
      return ["comment", "ctrlstart", "ctrlend"].includes(one.step.kind) ? to(strand.pc + 1) : [];
    case "round":
      return to(strand.pc + 1, one.done.at);
    case "fork":
      return [{ pc: one.next.at, inner: one.processes.map(({ at }) => ({ pc: at, inner: [] })) }];
    default:
      return [];
  }
}

const depthOf = ({ inner }: Strand): number => (inner.length === 0 ? 0 : 1 + Math.max(...inner.map(depthOf)));

/** The answer to show for a line: of a plain question its answer, of a loop "yes" for another round. Undefined for other icons. */
export function lineAnswer(
  tree: Tree,
  icon: IconId,
  answer: boolean | number | null | undefined,
  turned: ReadonlySet<IconId>,
): string | undefined {
  if (typeof answer !== "boolean") return undefined;
  return isPlainIcon(tree, icon, turned) ? (answer ? "yes" : "no") : undefined;
}

/** A loop, or a question that is alone on its line and not negated there: the answer of the icon is that of the line. */
export function isPlainIcon(tree: Tree, icon: IconId, turned: ReadonlySet<IconId>): boolean {
  const kind = loneIcons(tree).get(icon);
  return kind === "loop" || kind === (turned.has(icon) ? "negated" : "plain");
}

type LoneIcon = "loop" | "plain" | "negated";
const lone = new WeakMap<Tree, ReadonlyMap<IconId, LoneIcon>>();

/** Loops, and questions that are a whole condition. */
function loneIcons(tree: Tree): ReadonlyMap<IconId, LoneIcon> {
  const known = lone.get(tree);
  if (known) return known;
  const found = new Map<IconId, LoneIcon>();
  const { instructions } = compiledTree(tree);
  for (const [pc, one] of instructions.entries()) {
    if (one.op === "round") found.set(one.icon, "loop");
    const alone = instructions[pc - 1]?.op !== "ask" && instructions[pc + 1]?.op !== "ask";
    if (one.op === "ask" && alone) found.set(one.icon, one.yes.at === pc + 1 ? "plain" : "negated");
  }
  lone.set(tree, found);
  return found;
}
