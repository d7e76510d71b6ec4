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
 * worker; this class keeps what only the process can know: its limit, the signals of its work, and which of its own offers are
 * superseded. All of it may be lost: the store has the open runs.
 */
export function remoteOrchestrator(options: RemoteEngineOptions): Orchestrator {
  assert(
    Number.isInteger(options.limit) && options.limit > 0,
    "the limit of an orchestrator is a whole number from 1 on",
  );
  return new RemoteOrchestrator(options);
}

/** A run that this process has offered or works on. */
interface Entry {
  ticket: string;
  /** Not before this time (ms since 1970); undefined: now. */
  due: number | undefined;
  /** When the engine got it; undefined: not yet. */
  sentAt: number | undefined;
  /** The engine had it before: from another process, or from our own call whose answer was lost. */
  isMerged?: true;
  /** Set while the run is worked on. */
  working?: AbortController;
  /** It was offered while it was worked on. */
  again?: { readonly due: number | undefined };
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
  readonly #entries = new Map<string, Entry>();
  /** Runs that were offered by this process before: the engine may still be busy with the end of such an offer. */
  readonly #offered = new Set<string>();
  readonly #running = new Set<Promise<unknown>>();
  readonly #settling = new Set<() => void>();
  readonly #process: string;
  readonly #forgetMs: number;
  #work: RunWork | undefined;
  #closed = false;
  #tickets = 0;

  constructor({ world, limit, link, wait, forgetMs = FORGET_MS }: RemoteEngineOptions) {
    this.#forgetMs = forgetMs;
    this.name = link.name;
    this.keepsSchedules = link.keepsSchedules ?? false;
    if (link.endpoint) this.endpoint = link.endpoint;
    if (link.announce) this.announce = (event) => link.announce!(event);
    this.#world = world;
    this.#link = link;
    this.#turns = new Turns(limit);
    this.#queue = new SendQueue(wait);
    this.#process = Buffer.from(world.random(6)).toString("hex");
  }

  start(work: RunWork, duties?: EngineDuties): void {
    assert(this.#work === undefined, "an orchestrator is started once");
    this.#work = work;
    this.#link.start((one) => this.#deliver(one), duties?.requestDue);
  }

  async offer(job: OfferedRun, after?: number): Promise<void> {
    if (this.#closed) return;
    const due = after !== undefined && after > this.#world.now() ? after : undefined;
    const known = this.#entries.get(job.key);
    if (known?.working) known.again = { due: known.again ? earlier(known.again.due, due) : due };
    else if (known && !this.#isForgotten(known) && earlier(known.due, due) === known.due) return;
    else this.#send(job, due, { isReminder: false });
  }

  async remind(job: OfferedRun): Promise<void> {
    const known = this.#entries.get(job.key);
    if (this.#closed || (known && (known.working || !this.#isForgotten(known)))) return;
    this.#send(job, undefined, { isReminder: true });
  }

  interrupt(key: string, reason: Error): void {
    this.#entries.get(key)?.working?.abort(reason);
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
    const waiting = [...this.#entries.values()].filter((one) => !one.working && !one.isMerged).length;
    if (this.#closed) return { ok: false, running, waiting };
    const { ok, remarks } = await this.#link.health();
    return { ok, running, waiting, ...(remarks.length > 0 && { remarks }) };
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#queue.close();
    for (const { working } of this.#entries.values()) working?.abort(engineStopping());
    await Promise.allSettled(this.#running);
    await this.#link.close();
    this.#entries.clear();
    this.#look();
  }

  /** True if another process has it, or the engine should have delivered it long ago. */
  #isForgotten({ due, sentAt, isMerged }: Entry): boolean {
    if (isMerged) return true;
    return sentAt !== undefined && this.#world.now() > Math.max(due ?? sentAt, sentAt) + this.#forgetMs;
  }

  #send(job: OfferedRun, due: number | undefined, { isReminder }: { readonly isReminder: boolean }): void {
    const ticket = this.#newTicket();
    // The first offer is the same in all processes that find an open run. A later one must not merge with what is just ending.
    const how = isReminder || (due === undefined && !this.#offered.has(job.key)) ? "merge" : "apart";
    this.#keepFew();
    this.#offered.add(job.key);
    const entry: Entry = { ticket, due, sentAt: undefined };
    this.#entries.set(job.key, entry);
    const one: Delivery = { ...job, ticket, failed: 0, isReminder };
    this.#queue.add(job.lane, async () => {
      if (this.#entries.get(job.key)?.ticket !== ticket) return;
      const sent = await this.#link.send(one, Math.max(0, (due ?? 0) - this.#world.now()), how);
      entry.sentAt = this.#world.now();
      if (sent !== "merged") return;
      entry.isMerged = true; // kept, because the delivery may have our ticket
      this.#look();
    });
  }

  /** A process that only offers never learns what became of a run. */
  #keepFew(): void {
    for (const key of this.#offered.size > MOST_KNOWN ? this.#offered : []) {
      this.#offered.delete(key);
      if (this.#offered.size <= MOST_KNOWN) break;
    }
    if (this.#entries.size <= MOST_KNOWN) return;
    for (const [key, entry] of this.#entries) if (!entry.working && this.#isForgotten(entry)) this.#entries.delete(key);
  }

  async #deliver(one: Delivery): Promise<NextDelivery | undefined> {
    if (this.#isSuperseded(one)) return undefined;
    const turn = this.#turns.take(one.lane);
    const working = (async () => {
      await turn.mine;
      if (this.#closed || !this.#work) throw engineStopping();
      return this.#isSuperseded(one) ? undefined : await this.#run(one, this.#work);
    })();
    this.#running.add(working);
    try {
      return await working;
    } finally {
      this.#running.delete(working);
      turn.end();
      this.#look();
    }
  }

  /** An offer of this process that a newer one replaced, or a reminder of a run that is known to wait for its time. */
  #isSuperseded({ key, ticket, isReminder }: Delivery): boolean {
    const known = this.#entries.get(key);
    if (this.#closed || known?.working) return false;
    if (ticket.startsWith(`${this.#process}-`)) return known?.ticket !== ticket;
    return isReminder && known?.due !== undefined && known.due > this.#world.now();
  }

  async #run(one: Delivery, work: RunWork): Promise<NextDelivery | undefined> {
    const { key, lane } = one;
    const working = new AbortController();
    const entry: Entry = { ticket: one.ticket, due: undefined, sentAt: undefined, working };
    this.#entries.set(key, entry);
    this.#offered.add(key);
    const { longestMs } = this.#link;
    const limit =
      longestMs === undefined ? undefined : setTimeout(() => working.abort(engineStopping()), longestMs).unref();
    try {
      const worked = await work({ key, lane }, { signal: working.signal });
      if (worked.kind === "later") return this.#follow(one, entry, worked.at, 0);
      if (entry.again) return this.#follow(one, entry, undefined, 0);
      this.#forget(key);
      return undefined;
    } catch (error) {
      // Another process takes over; without one, the engine delivers to this one after its restart.
      if (this.#closed) throw error;
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** one.failed, LONGEST_PAUSE_MS);
      return this.#follow(one, entry, this.#world.now() + pause, one.failed + 1);
    } finally {
      clearTimeout(limit);
    }
  }

  #follow(one: Delivery, { again }: Entry, at: number | undefined, failed: number): NextDelivery {
    const now = this.#world.now();
    const due = again ? earlier(again.due, at) : at;
    const delayMs = due === undefined ? 0 : Math.max(due - now, SHORTEST_MS);
    const ticket = this.#newTicket();
    this.#entries.set(one.key, { ticket, due: delayMs === 0 ? undefined : now + delayMs, sentAt: now });
    return { delivery: { ...one, ticket, failed: again ? 0 : failed, isReminder: false }, delayMs };
  }

  #forget(key: string): void {
    this.#entries.delete(key);
    this.#look();
  }

  #newTicket(): string {
    return `${this.#process}-${++this.#tickets}`;
  }

  /** Resolves `settled` if nothing is under way and no due run that this process knows of waits. */
  #look(): void {
    if (this.#settling.size === 0) return;
    const now = this.#world.now();
    const isBusy =
      this.#running.size > 0 ||
      [...this.#entries.values()].some((one) => !this.#isForgotten(one) && (one.due ?? now) <= now);
    if (this.#closed || !isBusy) for (const settle of this.#settling) settle();
  }
}

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 300_000;
/** Shortest pause before a run that asks to be called again at once. */
const SHORTEST_MS = 20;
const FORGET_MS = 20_000;
const MOST_KNOWN = 10_000;

const earlier = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : Math.min(a, b);

const engineStopping = (): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", { en: "the engine is stopping", uk: "рушій зупиняється" });
