import type { PassedIcon } from "../../../domain/run/run-path.ts";
import type { StepRecord } from "../../../domain/run/run-step.ts";
import type { Request } from "../../../drakon/walk/request.ts";
import type { TraceEntry } from "../../../drakon/walk/walk-end.ts";

/** The figures of one visit of an icon. */
export interface Tallied {
  calls: number;
  tokens: number;
  ms: number;
  failed: boolean;
  readonly proposals: string[];
}

const nothing = (): Tallied => ({ calls: 0, tokens: 0, ms: 0, failed: false, proposals: [] });

/** Adds a record. Steps that are not calls (clock, random) add time only. */
export function addRecord(to: Tallied, record: StepRecord, aside = false): void {
  if (!aside) to.calls++;
  to.tokens += (record.tokens?.input ?? 0) + (record.tokens?.output ?? 0);
  to.ms += Math.max(0, Date.parse(record.finished_at) - Date.parse(record.started_at));
  to.proposals.push(...(record.proposals ?? []));
  if (record.failure) to.failed = true;
}

/** Assigns the records of a walk to icons, visit by visit. */
export class PathTally {
  readonly #trace: readonly TraceEntry[];
  readonly #byVisit = new Map<string, Tallied>();
  readonly #rest: StepRecord[] = [];

  constructor(trace: readonly TraceEntry[]) {
    this.#trace = trace;
  }

  call(request: Request, record: StepRecord, how?: "aside"): void {
    addRecord(this.#at(keyOf(request)), record, how === "aside");
  }

  failed(request: Request): void {
    this.#at(keyOf(request)).failed = true;
  }

  /** A record without a request counts at the icon where the walk ended. */
  last(record: StepRecord): void {
    this.#rest.push(record);
  }

  /** The path with its figures. `end.at` is where the run stopped: its last icon, or the open request. */
  passed(
    fileOf: (diagram: string) => string,
    end: { readonly failed: boolean; readonly at: Pick<TraceEntry, "proc" | "icon" | "visit"> | undefined },
  ): PassedIcon[] {
    const rows = this.#trace.map((entry) => ({ entry, tallied: this.#byVisit.get(keyOf(entry)) ?? nothing() }));
    const key = end.at && keyOf(end.at);
    const last = rows.findLast(({ entry }) => key === undefined || keyOf(entry) === key) ?? rows.at(-1);
    for (const record of this.#rest) if (last) addRecord(last.tallied, record);
    if (end.failed && last) last.tallied.failed = true;
    return rows.map(({ entry, tallied }) => ({
      diagram: fileOf(entry.diagram),
      icon: entry.icon,
      ...(entry.answer !== undefined && { answer: entry.answer }),
      ...tallied,
    }));
  }

  #at(key: string): Tallied {
    const known = this.#byVisit.get(key) ?? nothing();
    this.#byVisit.set(key, known);
    return known;
  }
}

/** Entering a loop has the visit number of its first iteration, so both share a key. */
const keyOf = ({ proc, icon, visit }: Pick<TraceEntry, "proc" | "icon" | "visit">): string =>
  `${proc}\0${icon}\0${visit}`;
