import { assert } from "../../../base/assert.ts";
import { Failure } from "../../../base/failure.ts";
import type { World } from "../../../base/world.ts";
import type {
  EngineDuties,
  EngineEndpoint,
  EngineEvent,
  OfferedRun,
  Orchestrator,
  OrchestratorHealth,
  RunWork,
} from "../../../ports/orchestrator.ts";
import type { Delivery, EngineLink, NextDelivery } from "./engine-link.ts";
import { type Offer, Offers } from "./offers.ts";
import { SendQueue } from "./send-queue.ts";
import { Turns } from "./turns.ts";

export interface RemoteEngineOptions {
  readonly world: World;
  /** Maximum number of runs at once in this process. */
  readonly limit: number;
  readonly link: EngineLink;
  /** Resolves early when the signal is aborted. Default: a real timer. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** A run that was due so long ago and is not here is with another process, or lost. Default `FORGET_MS`. */
  readonly forgetMs?: number;
}

/**
 * The part that engines outside of this process have in common. The engine has the queue, the lanes, the timers and the choice of the
 * worker; this class keeps what only the process can know: its limit, the signals of its work, and which of its own offers
 * wait. All of it may be lost: the store has the open runs.
 */
export function remoteOrchestrator(options: RemoteEngineOptions): Orchestrator {
  assert(
    Number.isInteger(options.limit) && options.limit > 0,
    "the limit of an orchestrator is a whole number from 1 on",
  );
  return new RemoteOrchestrator(options);
}

class RemoteOrchestrator implements Orchestrator {
  readonly name: string;
  readonly keepsSchedules: boolean;
  readonly endpoint?: EngineEndpoint;
  readonly announce?: (event: EngineEvent) => Promise<void>;
  readonly #world: World;
  readonly #link: EngineLink;
  readonly #turns: Turns;
  readonly #queue: SendQueue;
  readonly #offers: Offers;
  readonly #running = new Set<Promise<unknown>>();
  readonly #settling = new Set<() => void>();
  #work: RunWork | undefined;
  #closed = false;

  constructor({ world, limit, link, wait, forgetMs = FORGET_MS }: RemoteEngineOptions) {
    this.name = link.name;
    this.keepsSchedules = link.keepsSchedules ?? false;
    if (link.endpoint) this.endpoint = link.endpoint;
    if (link.announce) this.announce = (event) => link.announce!(event);
    this.#world = world;
    this.#link = link;
    this.#turns = new Turns(limit);
    this.#queue = new SendQueue(wait);
    this.#offers = new Offers(world, forgetMs);
  }

  start(work: RunWork, duties?: EngineDuties): void {
    assert(this.#work === undefined, "an orchestrator is started once");
    this.#work = work;
    this.#link.start((one) => this.#deliver(one), duties?.requestDue);
  }

  async offer(job: OfferedRun, after?: number): Promise<void> {
    if (this.#closed) return;
    const due = after !== undefined && after > this.#world.now() ? after : undefined;
    const known = this.#offers.get(job.key);
    if (known?.working) known.again = { due: known.again ? earlier(known.again.due, due) : due };
    else if (known && !this.#offers.isForgotten(known) && earlier(known.due, due) === known.due) return;
    else this.#send(job, due, { isReminder: false });
  }

  async remind(job: OfferedRun): Promise<void> {
    const known = this.#offers.get(job.key);
    if (this.#closed || (known && (known.working || !this.#offers.isForgotten(known)))) return;
    this.#send(job, undefined, { isReminder: true });
  }

  interrupt(key: string, reason: Error): void {
    this.#offers.get(key)?.working?.abort(reason);
  }

  settled(): Promise<void> {
    return new Promise((resolve) => {
      const settle = (): void => {
        this.#settling.delete(settle);
        resolve();
      };
      this.#settling.add(settle);
      this.#look();
    });
  }

  async health(): Promise<OrchestratorHealth> {
    const running = this.#running.size;
    const waiting = this.#offers.all().filter((one) => !one.working && !one.isMerged).length;
    if (this.#closed) return { ok: false, running, waiting };
    const { ok, remarks } = await this.#link.health();
    return { ok, running, waiting, ...(remarks.length > 0 && { remarks }) };
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#queue.close();
    for (const { working } of this.#offers.all()) working?.abort(engineStopping());
    await Promise.allSettled(this.#running);
    await this.#link.close();
    this.#offers.clear();
    this.#look();
  }

  #send(job: OfferedRun, due: number | undefined, { isReminder }: { readonly isReminder: boolean }): void {
    // The first offer is the same in all processes that find an open run. A later one must not merge with what is just ending.
    const how = isReminder || (due === undefined && this.#offers.isNew(job.key)) ? "merge" : "apart";
    const offer = this.#offers.add(job, due, { isReminder });
    const { ticket } = offer;
    const one: Delivery = { ...job, ticket, failed: 0, isReminder };
    this.#queue.add(job.lane, async () => {
      if (this.#offers.get(job.key)?.ticket !== ticket) return;
      const sent = await this.#link.send(one, Math.max(0, (due ?? 0) - this.#world.now()), how);
      offer.sentAt = this.#world.now();
      if (sent !== "merged") return;
      offer.isMerged = true; // kept, because the delivery may have a ticket of ours
      this.#look();
    });
  }

  async #deliver(one: Delivery): Promise<NextDelivery | undefined> {
    if (!this.#closed && this.#offers.isOver(one)) return this.#offers.answerAgain(one);
    const turn = this.#turns.take(one.lane);
    const working = (async () => {
      await turn.mine;
      if (this.#closed || !this.#work) throw engineStopping();
      if (this.#offers.isOver(one)) return this.#offers.answerAgain(one);
      return this.#link.keepsOrder === false
        ? await this.#runInOrder(one, this.#work)
        : await this.#run(one, this.#work);
    })();
    this.#running.add(working);
    try {
      const next = await working;
      // The runs of the lane that were offered before the end of this work are before what follows it.
      if (next) await this.#queue.sent(one.lane);
      return next;
    } finally {
      this.#running.delete(working);
      turn.end();
      this.#look();
    }
  }

  /** Works on the runs of the lane that were offered before, and then on this one. Their own deliveries find them over. */
  async #runInOrder(one: Delivery, work: RunWork): Promise<NextDelivery | undefined> {
    const until = this.#world.now() + SHORT_WORK_MS;
    for (let before = this.#offers.before(one); before; before = this.#offers.before(one)) {
      const next = await this.#run(before, work);
      if (next)
        this.#queue.add(one.lane, async () => void (await this.#link.send(next.delivery, next.delayMs, "apart")));
      // The engine limits the time of a call.
      if (this.#world.now() > until) return this.#offers.postpone(one);
    }
    return await this.#run(one, work);
  }

  async #run(one: Delivery, work: RunWork): Promise<NextDelivery | undefined> {
    const { key, lane } = one;
    const working = new AbortController();
    const offer = this.#offers.begin(one, working);
    const { longestMs } = this.#link;
    const limit =
      longestMs === undefined ? undefined : setTimeout(() => working.abort(engineStopping()), longestMs).unref();
    try {
      const worked = await work({ key, lane }, { signal: working.signal });
      if (worked.kind === "later") return this.#follow(one, offer, worked.at, 0);
      if (offer.again) return this.#follow(one, offer, undefined, 0);
      this.#forget(key);
      return undefined;
    } catch (error) {
      // Another process takes over; without one, the engine delivers to this one after its restart.
      if (this.#closed) throw error;
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** one.failed, LONGEST_PAUSE_MS);
      return this.#follow(one, offer, this.#world.now() + pause, one.failed + 1);
    } finally {
      clearTimeout(limit);
    }
  }

  #follow(one: Delivery, { again }: Offer, at: number | undefined, failed: number): NextDelivery {
    const due = again ? earlier(again.due, at) : at;
    const delayMs = due === undefined ? 0 : Math.max(due - this.#world.now(), SHORTEST_MS);
    return this.#offers.follow(one, again ? 0 : failed, delayMs);
  }

  #forget(key: string): void {
    this.#offers.delete(key);
    this.#look();
  }

  /** Resolves `settled` if nothing is under way and no due run that this process knows of waits. */
  #look(): void {
    if (this.#settling.size === 0) return;
    const now = this.#world.now();
    const isBusy =
      this.#running.size > 0 ||
      this.#offers.all().some((one) => !this.#offers.isForgotten(one) && (one.due ?? now) <= now);
    if (this.#closed || !isBusy) for (const settle of this.#settling) settle();
  }
}

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 300_000;
/** Shortest pause before a run that asks to be called again at once. */
const SHORTEST_MS = 20;
const FORGET_MS = 20_000;
/** After work on other runs that took longer than this, a delivery is put behind them instead of being worked on in the same call. */
const SHORT_WORK_MS = 1000;

const earlier = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : Math.min(a, b);

const engineStopping = (): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", { en: "the engine is stopping", uk: "рушій зупиняється" });
