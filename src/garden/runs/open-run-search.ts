import { inTurns } from "../../base/in-turns.ts";
import type { OpenRun } from "../../domain/run/run.ts";
import type { RunPlace } from "../core/flow/journal.ts";
import type { Garden } from "../core/garden.ts";
import { isAnswered, jobOf, type KnownRun, repairAnswer } from "./known-runs.ts";
import { openRunAt } from "./open-runs.ts";
import type { OwnRuns } from "./own-runs.ts";
import type { RunsOptions } from "./runs-options.ts";
import { showQueued } from "./show-queued.ts";

/** A run of an agent that another worker comes first for is left to it for this long. */
const DEFER_MS = 2000;

/** Also if the clock was set back meanwhile. */
const isOver = (ms: number): boolean => Math.abs(ms) >= DEFER_MS;

interface SearchingEngine {
  readonly known: Map<string, KnownRun>;
  /** The runs that this process may work on. */
  readonly own: OwnRuns;
  readonly underWay: ReadonlySet<string>;
  offer(place: RunPlace): Promise<void>;
  resume(place: RunPlace): Promise<void>;
  forget(run: string): void;
}

/** The looks of an engine at the open runs of the garden, for changes that other processes made. */
export class OpenRunSearch {
  readonly #garden: Garden;
  readonly #options: RunsOptions;
  readonly #engine: SearchingEngine;
  /** Runs that a look offered, until one does not find them any more: then they are over, and nothing of them is read again. */
  readonly #offered = new Set<string>();
  readonly #ended = new Set<string>();

  constructor(garden: Garden, options: RunsOptions, engine: SearchingEngine) {
    this.#garden = garden;
    this.#options = options;
    this.#engine = engine;
  }

  /** True if another process has ended a run that a look offered here. */
  hasEnded(run: string): boolean {
    return this.#ended.has(run);
  }

  forget(run: string): void {
    this.#offered.delete(run);
    this.#ended.delete(run);
  }

  /** Offers open runs that are unknown here or were left to another worker, and, in a slow look, held runs that have their answer. */
  async look(isSlow: boolean): Promise<void> {
    const { store, world } = this.#garden;
    const found: OpenRun[] = [];
    const runs = await this.#engine.own.openIds(store);
    this.#noteEnded(new Set(runs));
    await inTurns(runs, async (run) => {
      const known = this.#engine.known.get(run);
      const entry = known ? undefined : await openRunAt(store, run);
      if (entry) found.push(entry);
      else if (known?.state === "held" && isSlow) await this.#resumeIfAnswered(known.place, known.request);
      else if (known?.state === "offered") await showQueued(store, this.#engine.known, known);
      else if (known?.state === "deferred" && isOver(world.now() - known.since)) found.push(known.entry);
    });
    // In the order of the requests: ids sort by the second only.
    for (const entry of found.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))) {
      const { slug, run, held } = entry;
      const place = { slug, run };
      if (held !== undefined) {
        this.#engine.known.set(run, { place, state: "held", request: held });
        await repairAnswer(this.#garden, place, held);
        await this.#resumeIfAnswered(place, held);
      } else if (!this.#engine.known.has(run) && this.#isForAnother(slug)) {
        this.#engine.known.set(run, { place, state: "deferred", entry, since: world.now() });
      } else await this.#offerFound(place);
    }
  }

  /** Runs that were among the open ones and are not any more: another process has ended them. */
  #noteEnded(open: ReadonlySet<string>): void {
    for (const [run, { state }] of this.#engine.known)
      if (state === "deferred" && !open.has(run)) this.#engine.forget(run);
    for (const run of this.#offered)
      if (!open.has(run) && !this.#engine.underWay.has(run)) {
        this.#offered.delete(run);
        this.#ended.add(run);
      }
  }

  /** An engine outside of this process hands the runs out itself. */
  #isForAnother(slug: string): boolean {
    const { orchestrator, isFirstFor, only } = this.#options;
    return !only && !orchestrator.remind && isFirstFor?.(slug) === false;
  }

  /** A run that another process has requested: it has offered the run to an engine that all processes share. */
  async #offerFound(place: RunPlace): Promise<void> {
    const { orchestrator } = this.#options;
    this.#ended.delete(place.run);
    this.#offered.add(place.run);
    if (!orchestrator.remind) return await this.#engine.offer(place);
    this.#engine.known.set(place.run, { place, state: "offered" });
    await orchestrator.remind(jobOf(place));
  }

  async #resumeIfAnswered(place: RunPlace, request: string): Promise<void> {
    if (await isAnswered(this.#garden.store, place, request)) await this.#engine.resume(place);
  }
}
