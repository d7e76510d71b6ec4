import type { Value } from "../expression/value.ts";
import type { IconId } from "../icon-id.ts";
import type { IconWork } from "./call-scope.ts";
import type { Instruction } from "./compiled-tree.ts";
import type { Frame } from "./frame.ts";
import type { Rounds } from "./icon-work.ts";
import type { TraceEntry } from "./walk-end.ts";

/** A thread of execution: the main one, or a process of a parallel block. */
export interface Thread {
  /** Call stack, the innermost call last. */
  readonly activations: Activation[];
  readonly parent: Thread | undefined;
  /** Number of child processes that have not ended. */
  processes: number;
  /** The answer to resume with. */
  answer: Value | undefined;
}

export interface Activation {
  readonly frame: Frame;
  readonly depth: number;
  pc: number;
  active: ActiveIcon | undefined;
}

/** The icon whose work is in progress. */
export interface ActiveIcon {
  readonly instruction: Instruction;
  readonly icon: IconId;
  readonly number: number;
  readonly visit: number;
  readonly trace: TraceEntry;
  readonly work: IconWork<WorkResult>;
  /** Number of requests and calls in this visit. */
  asked: number;
}

/** The result of an icon's work; its type depends on the instruction. */
export type WorkResult = boolean | number | undefined | Rounds;

export const newThread = (frame: Frame, pc: number, parent?: Thread, depth = 0): Thread => ({
  activations: [{ frame, pc, depth, active: undefined }],
  parent,
  processes: 0,
  answer: undefined,
});
