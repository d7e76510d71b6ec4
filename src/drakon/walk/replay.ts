import type { Json } from "../../base/canonical.ts";
import type { Program } from "./frame.ts";
import { type Input, Machine, type WalkOptions } from "./machine.ts";
import type { End, TraceEntry } from "./outcome.ts";
import { answerFault, answerTo, type JournalEntry, type Request } from "./request.ts";

export interface Replayed {
  /** What is waited for, the oldest first; empty exactly if there is an end. */
  readonly requests: readonly Request[];
  readonly trace: readonly TraceEntry[];
  readonly end?: End;
}

/**
 * Where a procedure stands after these answers: a pure function, linear in the journal and the steps. A journal that does not
 * belong to this program and input ends as `failed` with the position of the first entry that does not fit.
 */
export function replay(
  program: Program,
  input: Input,
  journal: readonly JournalEntry[],
  options: WalkOptions = {},
): Replayed {
  const machine = new Machine(program, input, options);
  for (const [position, entry] of journal.entries()) {
    machine.answer(entry, position);
    if (machine.end?.kind === "failed") break;
  }
  return shown(machine);
}

const shown = (machine: Machine): Replayed => ({
  requests: machine.requests,
  trace: machine.trace,
  ...(machine.end && { end: machine.end }),
});

export interface Counterfactual extends Replayed {
  /** Entries of the old journal that answered something, in the order of their use. */
  readonly reused: readonly JournalEntry[];
  /** Entries that nothing asked for. */
  readonly unused: readonly JournalEntry[];
  /** The first thing asked that the old journal does not know. */
  readonly firstNew?: Request;
}

/**
 * An old journal against another program: answers are found by what was asked, wherever it stands now, the oldest first. Goes on
 * as far as the old answers carry; nothing is asked of anybody.
 */
export function counterfactual(
  program: Program,
  input: Input,
  oldJournal: readonly JournalEntry[],
  options: WalkOptions = {},
): Counterfactual {
  const machine = new Machine(program, input, options);
  const stock = new Map<string, { readonly entries: JournalEntry[]; next: number }>();
  for (const entry of oldJournal) {
    const line = stock.get(entry.sem);
    if (line) line.entries.push(entry);
    else stock.set(entry.sem, { entries: [entry], next: 0 });
  }
  const reused: JournalEntry[] = [];
  const fresh = new Map<string, Request>();
  const old = (request: Request): JournalEntry | undefined => {
    const line = stock.get(request.sem);
    const entry = line?.entries[line.next];
    if (!line || !entry || entry.kind !== request.kind || answerFault(request, entry.value)) return undefined;
    line.next++;
    return entry;
  };
  eachNew(machine, (request) => {
    const entry = old(request);
    if (!entry) return void fresh.set(request.id, request);
    reused.push(entry);
    return entry.value;
  });
  const used = new Set(reused);
  const [firstNew] = fresh.values();
  return {
    ...shown(machine),
    reused,
    unused: oldJournal.filter((entry) => !used.has(entry)),
    ...(firstNew && { firstNew }),
  };
}

export interface Walked extends Replayed {
  readonly journal: readonly JournalEntry[];
}

/** Walks to the end with somebody who answers everything at once, the oldest request first. For tests and dry runs. */
export function walkAll(
  program: Program,
  input: Input,
  oracle: (request: Request) => Json,
  options: WalkOptions = {},
): Walked {
  const machine = new Machine(program, input, options);
  const journal = eachNew(machine, oracle);
  return { ...shown(machine), journal };
}

/** Offers every request once, the oldest first, to somebody who may leave it open. */
function eachNew(machine: Machine, answer: (request: Request) => Json | undefined): JournalEntry[] {
  const journal: JournalEntry[] = [];
  const left = new Set<string>();
  // A map that is iterated shows what is added meanwhile, and deleting what was shown is safe: so this is linear.
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
