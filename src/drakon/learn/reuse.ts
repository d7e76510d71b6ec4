import type { Json } from "../../base/canonical.ts";
import type { Program } from "../walk/frame.ts";
import { type Input, Machine } from "../walk/machine.ts";
import type { End } from "../walk/outcome.ts";
import { answerFault, answerTo, type JournalEntry, type Request } from "../walk/request.ts";

export interface Reused {
  readonly end?: End;
  /** Entries of the old journal that answered something, in the order of their use. */
  readonly reused: readonly JournalEntry[];
  /** The first thing asked that the old journal does not know. */
  readonly firstNew?: Request;
}

/**
 * An old journal against another program: answers are found by what was asked, wherever it stands now, the oldest first. Goes on
 * as far as the old answers carry; nothing is asked of anybody. Whether an answer would still be the same is for the caller to judge.
 */
export function reuseAnswers(program: Program, input: Input, oldJournal: readonly JournalEntry[]): Reused {
  const machine = new Machine(program, input);
  const stock = Map.groupBy(oldJournal, ({ sem }) => sem);
  const taken = new Map<string, number>();
  const old = (request: Request): JournalEntry | undefined => {
    const next = taken.get(request.sem) ?? 0;
    const entry = stock.get(request.sem)?.[next];
    if (!entry || entry.kind !== request.kind || answerFault(request, entry.value)) return undefined;
    taken.set(request.sem, next + 1);
    return entry;
  };
  const reused: JournalEntry[] = [];
  let firstNew: Request | undefined;
  const left = new Set<string>();
  // A map that is iterated shows what is added meanwhile, and deleting what was shown is safe: so this is linear.
  for (const [id, { request }] of machine.pending) {
    if (left.has(id)) continue;
    const entry = old(request);
    if (!entry) {
      left.add(id);
      firstNew ??= request;
      continue;
    }
    const value: Json = entry.value;
    machine.answer(answerTo(request, value), reused.length);
    reused.push(entry);
  }
  return { ...(machine.end && { end: machine.end }), reused, ...(firstNew && { firstNew }) };
}
