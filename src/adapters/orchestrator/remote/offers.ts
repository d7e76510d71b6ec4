import type { World } from "../../../base/world.ts";
import type { Delivery, NextDelivery } from "./engine-link.ts";

/** A run that this process has offered or works on. */
export interface Offer {
  readonly ticket: string;
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
  add(key: string, due: number | undefined): Offer {
    this.#keepFew();
    this.#made.add(key);
    const { ticket, number } = this.#newTicket();
    return this.#set(key, { ticket, since: this.#waiting.get(key)?.since ?? number, due, sentAt: undefined });
  }

  begin({ key, ticket }: Delivery, working: AbortController): Offer {
    this.#made.add(key);
    return this.#set(key, { ticket, since: this.#tickets + 1, due: undefined, sentAt: undefined, working });
  }

  /** The offer that follows the work on `one`. */
  follow(one: Delivery, failed: number, delayMs: number): NextDelivery {
    const { ticket, number } = this.#newTicket();
    const next: Delivery = { ...one, ticket, failed, isReminder: false };
    const now = this.#world.now();
    const due = delayMs === 0 ? undefined : now + delayMs;
    this.#set(one.key, { ticket, since: number, due, sentAt: now, follows: { ticket: one.ticket, next } });
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
