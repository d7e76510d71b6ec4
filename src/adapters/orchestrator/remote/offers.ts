import type { World } from "../../../base/world.ts";
import type { OfferedRun } from "../../../ports/orchestrator.ts";
import type { Delivery, NextDelivery } from "./engine-link.ts";

/** A run that this process has offered or works on. */
export interface Offer {
  readonly ticket: string;
  readonly lane: string;
  /** Place in the order of its lane. */
  readonly order: number;
  /** Another process has offered it, and this one has only reminded the engine of it: its place in the order is not known here. */
  readonly isReminder?: boolean;
  /**
   * Own tickets from this number on are offers of what waits here. An offer of a waiting run does not withdraw the earlier one: the
   * engine merges a reminder with what it has, and delivers the ticket that it got first.
   */
  readonly since: number;
  /** Not before this time (ms since 1970); undefined: now. */
  readonly due: number | undefined;
  /** When the engine got it; undefined: not yet. */
  sentAt: number | undefined;
  /** The engine had it before: from another process, or from our own call whose answer was lost. */
  isMerged?: true;
  /** This offer follows the work on a delivery. The answer to the delivery may be lost: a repeated one gets the same answer. */
  readonly follows?: { readonly ticket: string; readonly next: Delivery };
  /** Set while the run is worked on. */
  readonly working?: AbortController;
  /** It was offered while it was worked on. */
  again?: { readonly due: number | undefined };
}

/**
 * The offers of one process: which of them wait, and which deliveries are repetitions of what was worked on here. All of it may be
 * lost: then a repetition is worked on again, and finds the work recorded in the store.
 */
export class Offers {
  readonly #world: World;
  readonly #forgetMs: number;
  readonly #waiting = new Map<string, Offer>();
  /** Runs that were offered by this process before: the engine may still be busy with the end of such an offer. */
  readonly #made = new Set<string>();
  readonly #process: string;
  #tickets = 0;
  /** Offers with tickets up to this number were dropped to save memory: their deliveries may be of use. */
  #dropped = 0;

  constructor(world: World, forgetMs: number) {
    this.#world = world;
    this.#forgetMs = forgetMs;
    this.#process = Buffer.from(world.random(6)).toString("hex");
  }

  get(key: string): Offer | undefined {
    return this.#waiting.get(key);
  }

  all(): readonly Offer[] {
    return [...this.#waiting.values()];
  }

  isNew(key: string): boolean {
    return !this.#made.has(key);
  }

  /** A new offer. An earlier one of the same run stays good. */
  add({ key, lane }: OfferedRun, due: number | undefined, how: { readonly isReminder: boolean }): Offer {
    this.#keepFew();
    this.#made.add(key);
    const { ticket, number } = this.#newTicket();
    const known = this.#waiting.get(key);
    const { since = number, order = number } = known ?? {};
    const isReminder = how.isReminder && (!known || known.isReminder === true);
    return this.#set(key, { ticket, lane, order, isReminder, since, due, sentAt: undefined });
  }

  begin({ key, lane, ticket }: Delivery, working: AbortController): Offer {
    this.#made.add(key);
    const since = this.#tickets + 1;
    return this.#set(key, {
      ticket,
      lane,
      order: since,
      since,
      due: undefined,
      sentAt: undefined,
      working,
    });
  }

  /**
   * For engines that may deliver offers of a lane in another order than they were made: the delivery of the oldest one that is due and
   * was made by this process before `one`. Another process may have ended it meanwhile.
   */
  before({ key, lane }: Delivery): Delivery | undefined {
    const known = this.#waiting.get(key);
    if (!known || known.due !== undefined) return undefined;
    const [older] = [...this.#waiting]
      .filter(([, each]) => each.lane === lane && each.order < known.order && !each.isReminder)
      .filter(([, { working, isMerged, due }]) => !working && !isMerged && due === undefined)
      .toSorted(([, a], [, b]) => a.order - b.order);
    return older && { key: older[0], lane, ticket: older[1].ticket, failed: 0, isReminder: false };
  }

  /** The offer that follows a delivery whose turn was used for other runs of its lane. It keeps its place in the order. */
  postpone(one: Delivery): NextDelivery {
    const order = this.#waiting.get(one.key)?.order;
    const next = this.follow(one, one.failed, 0);
    const made = this.#waiting.get(one.key)!;
    this.#set(one.key, { ...made, order: order ?? made.order });
    return next;
  }

  /** The offer that follows the work on `one`. */
  follow(one: Delivery, failed: number, delayMs: number): NextDelivery {
    const { ticket, number } = this.#newTicket();
    const next: Delivery = { ...one, ticket, failed, isReminder: false };
    const now = this.#world.now();
    const due = delayMs === 0 ? undefined : now + delayMs;
    const follows = { ticket: one.ticket, next };
    const { lane } = one;
    this.#set(one.key, { ticket, lane, order: number, since: number, due, sentAt: now, follows });
    return { delivery: next, delayMs };
  }

  delete(key: string): void {
    this.#waiting.delete(key);
  }

  clear(): void {
    this.#waiting.clear();
  }

  /** True if another process has it, or the engine should have delivered it long ago. */
  isForgotten({ due, sentAt, isMerged }: Offer): boolean {
    if (isMerged) return true;
    return sentAt !== undefined && this.#world.now() > Math.max(due ?? sentAt, sentAt) + this.#forgetMs;
  }

  /** True if the delivery was worked on here, or is a reminder of a run that is known to wait for its time. */
  isOver({ key, ticket, isReminder }: Delivery): boolean {
    const known = this.#waiting.get(key);
    if (known?.working) return false;
    if (known?.follows?.ticket === ticket) return true;
    const [maker, number] = ticket.split("-");
    if (maker === this.#process)
      return Number(number) < (known?.since ?? Number.POSITIVE_INFINITY) && Number(number) > this.#dropped;
    return isReminder && known?.due !== undefined && known.due > this.#world.now();
  }

  /** The answer to a delivery that is over: the first one, as long as what follows waits. */
  answerAgain({ key, ticket }: Delivery): NextDelivery | undefined {
    const { follows, due = 0 } = this.#waiting.get(key) ?? {};
    if (follows?.ticket !== ticket) return undefined;
    return { delivery: follows.next, delayMs: Math.max(0, due - this.#world.now()) };
  }

  /** A process that only offers never learns what became of a run. */
  #keepFew(): void {
    for (const key of this.#made.size > MOST_KNOWN ? this.#made : []) {
      this.#made.delete(key);
      if (this.#made.size <= MOST_KNOWN) break;
    }
    if (this.#waiting.size <= MOST_KNOWN) return;
    for (const [key, one] of this.#waiting) {
      if (one.working || !this.isForgotten(one)) continue;
      this.#waiting.delete(key);
      this.#dropped = this.#tickets;
    }
  }

  #set(key: string, one: Offer): Offer {
    this.#waiting.set(key, one);
    return one;
  }

  #newTicket(): { readonly ticket: string; readonly number: number } {
    const number = ++this.#tickets;
    return { ticket: `${this.#process}-${number}`, number };
  }
}

const MOST_KNOWN = 10_000;
