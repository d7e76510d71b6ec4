import type { Json } from "../../../base/canonical.ts";
import type { Program } from "../frame.ts";
import { type WalkInput, WalkMachine, type WalkOptions } from "../machine.ts";
import { answerTo, type JournalEntry, type Request } from "../request.ts";
import type { TraceEntry, WalkEnd } from "../walk-end.ts";

export interface Replayed {
  /** Open requests, the oldest first; empty exactly if there is an end. */
  readonly requests: readonly Request[];
  readonly trace: readonly TraceEntry[];
  readonly end?: WalkEnd;
}

/**
 * The state of a procedure after these answers, in time linear in the journal and the steps. A journal that does not belong to
 * this program and input ends as `failed` with the position of the first entry that does not fit.
 */
export function replay(
  program: Program,
  input: WalkInput,
  journal: readonly JournalEntry[],
  options: WalkOptions = {},
): Replayed {
  const machine = new WalkMachine(program, input, options);
  for (const [position, entry] of journal.entries()) {
    machine.answer(entry, position);
    if (machine.end?.kind === "failed") break;
  }
  return shown(machine);
}

const shown = (machine: WalkMachine): Replayed => ({
  requests: machine.requests,
  trace: machine.trace,
  ...(machine.end && { end: machine.end }),
});

export interface Walked extends Replayed {
  readonly journal: readonly JournalEntry[];
}

/** Walks to the end with an oracle that answers every request at once, the oldest first. */
export function walkAll(
  program: Program,
  input: WalkInput,
  oracle: (request: Request) => Json,
  options: WalkOptions = {},
): Walked {
  const machine = new WalkMachine(program, input, options);
  const journal = eachNew(machine, oracle);
  return { ...shown(machine), journal };
}

/** Offers every request once, the oldest first, to a caller that may leave it open. */
function eachNew(machine: WalkMachine, answer: (request: Request) => Json | undefined): JournalEntry[] {
  const journal: JournalEntry[] = [];
  const left = new Set<string>();
  // Iterating a map visits entries that are added meanwhile, and deleting visited ones is safe, so this is linear.
  for (const [id, { request }] of machine.pending) {
    if (left.has(id)) continue;
    const value = answer(request);
    if (value === undefined) {
      left.add(id);
      continue;
    }
    const entry = answerTo(request, value);
    journal.push(entry);
    machine.answer(entry, journal.length - 1);
  }
  return journal;
}
