import type { AuditRecord } from "../../domain/audit-record.ts";
import type { Store } from "../../ports/store.ts";
import type { RunPlace } from "../core/flow/journal.ts";
import { openRunIds } from "./open-runs.ts";
import { openRunsBelow } from "./sub-agents/sub-runs.ts";

/** The runs that an engine works on: all of the garden, or `only` one with the sub-agents below it, which it waits for. */
export class OwnRuns {
  readonly #only: RunPlace | undefined;
  readonly #below = new Set<string>();

  constructor(only: RunPlace | undefined) {
    this.#only = only;
  }

  has(run: string): boolean {
    return !this.#only || this.#only.run === run || this.#below.has(run);
  }

  /** A run was requested in this process: by one of ours, as its sub-agent? */
  noteRequested(run: string, { asked_by }: AuditRecord["details"]): void {
    if (this.#only && typeof asked_by === "string" && this.has(asked_by)) this.#below.add(run);
  }

  async openIds(store: Store): Promise<readonly string[]> {
    if (!this.#only) return await openRunIds(store);
    for (const { run } of await openRunsBelow(store, this.#only)) this.#below.add(run);
    return [this.#only.run, ...this.#below];
  }
}
