import { canonicalId, type Json } from "../../../base/canonical.ts";
import { asFailure, Failure, type FailureRecord, failureFromRecord, failureToRecord } from "../../../base/failure.ts";
import { decisionNeeded } from "../../../garden/core/flow/decision-needed.ts";
import type { CallJournal } from "../../../ports/runtime.ts";

/** A journal in memory: calls in `records` are replayed, others are made and recorded. */
export interface MemoryJournal extends CallJournal {
  readonly records: CallRecord[];
  /** Calls that were really made, by name. */
  readonly live: string[];
  readonly proposed: string[];
}

export interface CallRecord {
  readonly name: string;
  readonly hash: string;
  readonly input: Json;
  readonly output?: Json;
  readonly failure?: FailureRecord;
}

export interface JournalOptions {
  readonly records?: readonly CallRecord[];
  readonly signal?: AbortSignal;
  /** Default time limit of a call. */
  readonly limitMs?: number;
}

export function memoryJournal({ records = [], signal, limitMs = 30_000 }: JournalOptions = {}): MemoryJournal {
  const kept = [...records];
  const live: string[] = [];
  const proposed: string[] = [];
  let position = 0;

  async function call(
    name: string,
    input: Json,
    limit: number,
    work: (signal: AbortSignal) => Promise<Json>,
  ): Promise<Json> {
    const at = position++;
    const hash = canonicalId(input);
    const there = kept[at];
    if (there && (there.name !== name || there.hash !== hash))
      throw decisionNeeded(
        "changed",
        { run: "run", position: at, name, hash },
        { name: there.name, input_hash: there.hash },
      );
    if (there?.failure) throw failureFromRecord(there.failure);
    if (there) return structuredClone(there.output!);
    live.push(name);
    try {
      const output = JSON.parse(JSON.stringify((await within(limit, work)) ?? null)) as Json;
      if (!signal?.aborted) kept[at] = { name, hash, input: structuredClone(input), output };
      return structuredClone(output);
    } catch (error) {
      const failure = asFailure(error);
      const ends = typeof failure.details["decision"] === "string" || typeof failure.details["held"] === "string";
      if (!signal?.aborted && !ends)
        kept[at] = {
          name,
          hash,
          input: structuredClone(input),
          failure: JSON.parse(JSON.stringify(failureToRecord(failure))) as FailureRecord,
        };
      throw failure;
    }
  }

  return {
    records: kept,
    live,
    proposed,
    model: async <T extends Json>(request: Json, work: (late: AbortSignal) => Promise<{ output: T }>): Promise<T> =>
      (await call("model", request, limitMs, async (late) => (await work(late)).output)) as T,
    tool: (tool, input) => {
      const key = `run/${position + 1}-${tool.name}`;
      return call(tool.name, input, tool.limitMs ?? limitMs, (late) =>
        tool.call(input, { key, signal: late, proposed: (id) => void proposed.push(id) }),
      );
    },
  };
}

async function within(ms: number, work: (signal: AbortSignal) => Promise<Json>): Promise<Json> {
  const up = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const failure = new Failure("AGENT_TIMEOUT", { en: "the call took too long", uk: "виклик тривав задовго" });
      up.abort(failure);
      reject(failure);
    }, ms);
  });
  try {
    return await Promise.race([work(up.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}
