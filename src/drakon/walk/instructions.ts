import { assert } from "../../base/assert.ts";
import type { IconWork } from "./call-scope.ts";
import type { Instruction } from "./compiled-tree.ts";
import { enterWork, questionWork, roundWork, selectWork, stepWork } from "./icon-work.ts";
import { type Activation, type ActiveIcon, newThread, type Thread, type WorkResult } from "./thread.ts";
import type { OnEnter, TraceEntry } from "./walk-end.ts";

type Moved = "go-on" | "parked" | "over";
type Worked = Extract<Instruction, { op: "step" | "ask" | "select" | "enter" | "round" }>;

/** Executes single instructions on a thread. */
export class Instructions {
  readonly #trace: TraceEntry[];
  readonly #wake: (thread: Thread) => void;

  readonly #onEnter: OnEnter | undefined;

  constructor(trace: TraceEntry[], wake: (thread: Thread) => void, onEnter?: OnEnter) {
    this.#trace = trace;
    this.#wake = wake;
    this.#onEnter = onEnter;
  }

  /** Executes an instruction that needs no icon work, or sets up the work and returns "work". */
  begin(thread: Thread, activation: Activation): Moved | "work" {
    const { frame } = activation;
    const instruction = frame.code.instructions[activation.pc];
    assert(instruction, "the code ends with a return");
    switch (instruction.op) {
      case "pass":
        this.#enter(activation, instruction);
        activation.pc++;
        return "go-on";
      case "jump":
        activation.pc = instruction.to.at;
        return "go-on";
      case "fork": {
        activation.pc = instruction.next.at;
        for (const { at } of instruction.processes) {
          thread.processes++;
          this.#wake(newThread(frame, at, thread, activation.depth));
        }
        return instruction.processes.length === 0 ? "go-on" : "parked";
      }
      case "join": {
        const { parent } = thread;
        assert(parent, "a process has somebody who waits for it");
        if (--parent.processes === 0) this.#wake(parent);
        return "parked";
      }
      case "return":
        return "over";
      default:
        activation.active = this.#doing(activation, instruction);
        return "work";
    }
  }

  /** Moves to the instruction that the result of the work selects. */
  finish(activation: Activation, doing: ActiveIcon, done: WorkResult): "go-on" | "no-case" {
    const { instruction, trace } = doing;
    const { rounds } = activation.frame;
    switch (instruction.op) {
      case "ask":
        trace.answer = done as boolean;
        activation.pc = done === true ? instruction.yes.at : instruction.no.at;
        return "go-on";
      case "select": {
        trace.answer = (done as number | undefined) ?? null;
        const to = done === undefined ? instruction.otherwise : instruction.cases[done as number];
        if (!to) return "no-case";
        activation.pc = to.at;
        return "go-on";
      }
      case "enter":
        assert(typeof done === "object", "a loop is entered with its rounds");
        rounds.set(instruction.number, done);
        activation.pc++;
        return "go-on";
      case "round":
        trace.answer = done as boolean;
        activation.pc = done === true ? activation.pc + 1 : instruction.done.at;
        return "go-on";
      default:
        activation.pc++;
        return "go-on";
    }
  }

  #enter(activation: Activation, { icon, number }: { icon: string; number: number }): TraceEntry {
    const { diagram, proc, visits, scope } = activation.frame;
    const entry: TraceEntry = { diagram, proc, icon, visit: visits[number]!++ };
    this.#trace.push(entry);
    this.#onEnter?.(entry, scope.names);
    return entry;
  }

  #doing(activation: Activation, instruction: Worked): ActiveIcon {
    const { icon, number } = instruction;
    const { diagram, proc, visits } = activation.frame;
    // Entering a loop is not a visit, only its rounds are. Its requests still need ids that differ from those of rounds.
    const entering = instruction.op === "enter";
    const trace = entering ? { diagram, proc, icon, visit: visits[number]! } : this.#enter(activation, instruction);
    const work = workOf(instruction, activation);
    const asked = instruction.op === "round" ? ROUND_STATEMENTS : 0;
    return { instruction, icon, number, visit: trace.visit, trace, work, asked };
  }
}

/** First statement number of a round; statements of entering the loop are numbered from 0. */
const ROUND_STATEMENTS = 1_000_000;

function workOf(instruction: Worked, { frame }: Activation): IconWork<WorkResult> {
  const { scope, rounds, currentItems } = frame;
  switch (instruction.op) {
    case "step":
      return withoutResult(stepWork(instruction.step, scope));
    case "ask":
      return questionWork(instruction.question, scope);
    case "select": {
      const { cases } = instruction.select;
      const labels = cases.map(({ text }) => text);
      return selectWork(instruction.select, labels, instruction.otherwise !== undefined, scope);
    }
    case "enter":
      return enterWork(instruction.loop.text, scope);
    case "round": {
      const open = rounds.get(instruction.number);
      assert(open, "a round belongs to a loop that was entered");
      return roundWork(open, instruction.loop.text, scope, currentItems);
    }
  }
}

function* withoutResult(work: IconWork<void>): IconWork<undefined> {
  yield* work;
  return undefined;
}
