import type { PassedIcon } from "../../../domain/run/run-path.ts";
import type { StepRecord } from "../../../domain/run/run-step.ts";
import type { Request } from "../../../drakon/walk/request.ts";
import type { TraceEntry } from "../../../drakon/walk/walk-end.ts";

/** What was recorded at one icon that was passed. */
export interface Tallied {
  calls: number;
  tokens: number;
  ms: number;
  failed: boolean;
  readonly proposals: string[];
}

const nothing = (): Tallied => ({ calls: 0, tokens: 0, ms: 0, failed: false, proposals: [] });

/** Adds a record to what is known of an icon. Steps beside the calls (time, chance) cost time and are no calls. */
export function addRecord(to: Tallied, record: StepRecord, aside = false): void {
  if (!aside) to.calls++;
  to.tokens += (record.tokens?.input ?? 0) + (record.tokens?.output ?? 0);
  to.ms += Math.max(0, Date.parse(record.finished_at) - Date.parse(record.started_at));
  to.proposals.push(...(record.proposals ?? []));
  if (record.failure) to.failed = true;
}

/** What the records say about each icon of a walk, visit by visit. */
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

  /** A record that belongs to no request: it counts where the walk ended. */
  last(record: StepRecord): void {
    this.#rest.push(record);
  }

  /** The way, with its figures. `end` is where the run stopped, if it failed: its last icon, or the one that was asked about. */
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

/** Entering a loop counts to its first round: it has the number of the visit that comes next. */
const keyOf = ({ proc, icon, visit }: Pick<TraceEntry, "proc" | "icon" | "visit">): string =>
  `${proc}\0${icon}\0${visit}`;
