import type { Value } from "../expression/value.ts";
import type { IconId } from "../icon-id.ts";
import type { IconWork } from "./call-scope.ts";
import type { Instruction } from "./compiled-tree.ts";
import type { Frame } from "./frame.ts";
import type { Rounds } from "./icon-work.ts";
import type { TraceEntry } from "./walk-end.ts";

/** One line of execution: the main one, or a process of a parallel block. */
export interface Thread {
  /** Calls of diagrams, the innermost last. */
  readonly activations: Activation[];
  readonly parent: Thread | undefined;
  /** How many processes it waits for. */
  processes: number;
  /** What it was answered, until it takes it. */
  answer: Value | undefined;
}

export interface Activation {
  readonly frame: Frame;
  readonly depth: number;
  pc: number;
  active: ActiveIcon | undefined;
}

/** An icon that is being worked on. */
export interface ActiveIcon {
  readonly instruction: Instruction;
  readonly icon: IconId;
  readonly number: number;
  readonly visit: number;
  readonly trace: TraceEntry;
  readonly work: IconWork<WorkResult>;
  /** How much it has asked for in this visit. */
  asked: number;
}

/** What the work on an icon comes to; each instruction knows what to expect. */
export type WorkResult = boolean | number | undefined | Rounds;

export const newThread = (frame: Frame, pc: number, parent?: Thread, depth = 0): Thread => ({
  activations: [{ frame, pc, depth, active: undefined }],
  parent,
  processes: 0,
  answer: undefined,
});
