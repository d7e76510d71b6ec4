import { asFailure } from "../../base/failure.ts";
import { keys } from "../../domain/layout.ts";
import type { OrchestratorHealth, RunWork } from "../../ports/orchestrator.ts";
import type { RunPlace } from "../core/flow/journal.ts";
import { realPause, repeat } from "../core/flow/pause.ts";
import type { Garden } from "../core/garden.ts";
import type { Signal } from "../core/signals.ts";
import { agentLeases } from "./agent-leases.ts";
import { cancelRun } from "./cancel-run.ts";
import { type EventDelivery, eventDelivery, isAwaited } from "./event-delivery.ts";
import { engineEvent, jobOf, type KnownRun, remindOfOpenRuns } from "./known-runs.ts";
import { type LookPace, lookPace } from "./look-pace.ts";
import { OpenRunSearch } from "./open-run-search.ts";
import { OwnRuns } from "./own-runs.ts";
import { RequestedHere } from "./requested-here.ts";
import { restoreRuns } from "./restore-runs.ts";
import type { RunsOptions } from "./runs-options.ts";
import { requestScheduledRuns, type ScheduleLook } from "./schedule.ts";
import { askingRun } from "./sub-agents/sub-runs.ts";
import { cancelledBy, type WorkDeps } from "./supervise-flow.ts";
import { workOnRun } from "./work-on-run.ts";

export interface RunsEngine {
  /** Something about this run may have changed: it was requested, answered or cancelled. */
  offer(place: RunPlace): Promise<void>;
  /** Records the cancel, and aborts the run at once if this process works on it. */
  cancel(place: RunPlace, by: string, why?: string): Promise<void>;
  /** Settles when nothing is under way and nothing that is due waits. */
  settled(): Promise<void>;
  health(): Promise<OrchestratorHealth>;
  /** Runs whose flow is under way in this process. */
  workingOn(): readonly string[];
  close(): Promise<void>;
}

interface StartableEngine extends RunsEngine {
  start(): Promise<void>;
}

const LEASE_MS = 15_000;
const REMIND_MS = 10_000;
const SCHEDULE_LOOK_MS = 30_000; // contracts and settings change
const SHORTEST_LOOK_MS = 50;

/**
 * Works on the runs of a garden after `start`: on those that are open now, and on all that are requested by hand, by schedule or by
 * event. All its state is in the store: it may be killed at any moment, started anywhere, and run beside other engines.
 */
export const runsEngine = (garden: Garden, options: RunsOptions): StartableEngine => new Engine(garden, options);

class Engine implements StartableEngine {
  readonly #garden: Garden;
  readonly #options: RunsOptions;
  readonly #deps: WorkDeps;
  readonly #events: EventDelivery;
  readonly #known = new Map<string, KnownRun>();
  readonly #requested = new RequestedHere();
  readonly #uncounted = new Set<string>();
  readonly #own: OwnRuns;
  readonly #search: OpenRunSearch;
  readonly #pace: LookPace;
  readonly #over = new AbortController();
  readonly #loops: Promise<void>[] = [];
  readonly #carriesOut: boolean;
  #unsubscribe = (): void => undefined;

  constructor(garden: Garden, options: RunsOptions) {
    const { orchestrator, flow, pause = realPause, only, leaseMs = LEASE_MS } = options;
    this.#garden = garden;
    this.#options = options;
    this.#carriesOut = options.carriesOut ?? true;
    this.#own = new OwnRuns(only);
    this.#pace = lookPace(garden, options.lookMs);
    // A command works on the run that it has just requested, with a person watching.
    if (only) this.#uncounted.add(only.run);
    const holder = Buffer.from(garden.world.random(8)).toString("hex");
    this.#deps = {
      garden,
      flow,
      pause,
      leases: agentLeases({ ...garden, pause }, holder, leaseMs),
      leaseMs,
      engine: orchestrator.name,
      isAwaited: isAwaited(garden, { orchestrator, only, over: this.#over.signal }),
      isRequestAudited: (run) => this.#requested.isAudited(run),
      takeRequestedUnder: (run) => this.#requested.takeLease(run),
      onEvent: () => (options.only ? undefined : this.#events.soon()),
      uncounted: this.#uncounted,
      underWay: new Set(),
      onHold: (place, request) => void this.#known.set(place.run, { place, state: "held", request }),
    };
    this.#search = new OpenRunSearch(garden, options, {
      own: this.#own,
      known: this.#known,
      underWay: this.#deps.underWay,
      offer: (place) => this.offer(place),
      resume: (place) => this.#resume(place),
      forget: (run) => this.#forget(run),
    });
    this.#events = eventDelivery(garden, {
      offer: (place) => this.offer(place),
      announce: (event) => void orchestrator.announce?.(engineEvent(event)).catch(() => undefined), // `health` says why
      tell: (failure) => options.tell?.(failure),
      over: this.#over.signal,
    });
  }

  async start(): Promise<void> {
    if (this.#carriesOut) this.#takeUpWork();
    this.#unsubscribe = this.#garden.signals.subscribe((signal) => this.#onSignal(signal));
    if (!this.#options.only) await restoreRuns(this.#garden);
    await this.#look();
    this.#every(() => this.#pace.nextMs(), this.#look.bind(this));
    if (this.#options.only) return;
    const { orchestrator, remindMs = REMIND_MS } = this.#options;
    const remind = () => remindOfOpenRuns(this.#garden.store, orchestrator, this.#known, (run) => this.#forget(run));
    if (this.#carriesOut && orchestrator.remind) this.#every(() => remindMs, remind);
    if (!orchestrator.keepsSchedules) this.#keepSchedules();
  }

  #takeUpWork(): void {
    const work: RunWork = async ({ key: run, lane: slug }, scope) => {
      const place = { slug, run };
      if (this.#search.hasEnded(run)) {
        this.#forget(run);
        return { kind: "done" };
      }
      this.#known.set(run, { place, state: "working" });
      const worked = await workOnRun(this.#deps, place, scope);
      if (worked.kind === "done") this.#forget(run);
      return worked;
    };
    this.#options.orchestrator.start(work, { requestDue: async () => (await this.#requestDue()).asked.map(jobOf) });
  }

  #forget(run: string): void {
    this.#known.delete(run);
    this.#requested.forget(run);
    this.#uncounted.delete(run);
    this.#search.forget(run);
  }

  async offer(place: RunPlace): Promise<void> {
    if (this.#over.signal.aborted || !this.#own.has(place.run)) return;
    this.#pace.busy();
    const known = this.#known.get(place.run);
    if (this.#carriesOut && (!known || known.state === "deferred"))
      this.#known.set(place.run, { place, state: "offered" });
    await this.#options.orchestrator.offer(jobOf(place));
  }

  async cancel(place: RunPlace, by: string, why?: string): Promise<void> {
    await cancelRun(this.#garden, place, { by, why });
  }

  workingOn(): readonly string[] {
    return [...this.#deps.underWay];
  }

  health(): Promise<OrchestratorHealth> {
    return this.#options.orchestrator.health();
  }

  async settled(): Promise<void> {
    for (;;) {
      const delivery = this.#events.flush();
      await delivery;
      await this.#options.orchestrator.settled();
      if (this.#events.isIdleSince(delivery)) return;
    }
  }

  async close(): Promise<void> {
    this.#over.abort();
    this.#unsubscribe();
    await this.#options.orchestrator.close();
    await Promise.all([this.#events.flush(), this.#deps.leases.close(), ...this.#loops]);
  }

  /** Changes by this process are known at once; those by other processes at the next look. */
  #onSignal({ record: { kind, subject, details } }: Signal): void {
    this.#pace.busy();
    if (kind === "applied" && !this.#options.only) this.#events.soon();
    const { agent: slug, run = subject } = details;
    if (typeof slug !== "string" || typeof run !== "string") return;
    const place = { slug, run };
    if (kind === "run-requested") {
      this.#own.noteRequested(run, details);
      if (this.#carriesOut) this.#requested.note(place, this.#deps.leases);
      void this.offer(place);
    }
    if (kind === "run-cancel-asked") {
      this.#requested.touched(run);
      this.#options.orchestrator.interrupt(run, cancelledBy(run, "owner"));
    }
    if (kind === "answered" || kind === "run-cancel-asked") void this.#resume(place);
    if (kind === "run-finished") void this.#resume(askingRun(details));
  }

  async #look(): Promise<void> {
    const isSlow = this.#pace.isSlowLookDue();
    if (this.#carriesOut) await this.#search.look(isSlow);
    if (!isSlow || this.#options.only) return;
    const pending = await this.#garden.store.list(keys.pendingEvents, { limit: 1 });
    if (pending.entries.length > 0) await this.#events.now();
  }

  async #resume(place: RunPlace | undefined): Promise<void> {
    if (!place) return;
    this.#known.delete(place.run);
    await this.offer(place);
  }

  #keepSchedules(): void {
    const { world } = this.#garden;
    let next = world.now();
    this.#every(
      () => Math.min(SCHEDULE_LOOK_MS, Math.max(next - world.now(), SHORTEST_LOOK_MS)),
      async () => {
        next = (await this.#requestDue()).next ?? Number.POSITIVE_INFINITY;
      },
    );
  }

  async #requestDue(): Promise<ScheduleLook> {
    const found = await requestScheduledRuns(this.#garden);
    for (const place of found.asked) await this.offer(place);
    for (const failure of found.failed) this.#options.tell?.(failure);
    return found;
  }

  #every(ms: () => number, work: () => Promise<void>): void {
    const { pause = realPause, tell } = this.#options;
    this.#loops.push(repeat(pause, this.#over.signal, ms, work, (error) => tell?.(asFailure(error))));
  }
}
