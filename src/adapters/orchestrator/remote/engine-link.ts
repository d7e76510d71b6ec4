import { z } from "zod";
import type { Text } from "../../../base/text.ts";
import type { EngineEndpoint, EngineEvent, OfferedRun } from "../../../ports/orchestrator.ts";

/** One offer on its way through an engine: names only, so that no limit of an engine's messages matters. */
export const delivery = z.strictObject({
  key: z.string().regex(/^[\w-]{1,100}$/),
  lane: z.string().regex(/^[\w-]{1,100}$/),
  /** Names the offer; its first part is the process that made it. */
  ticket: z.string().regex(/^[\w-]{1,100}$/),
  /** Failures in a row before it. */
  failed: z.int().min(0),
  /** Nothing is new: the run was offered only in case that the engine has lost it. */
  isReminder: z.boolean(),
});
export type Delivery = z.infer<typeof delivery>;

/** The delivery that has to follow one that was worked on. */
export interface NextDelivery {
  readonly delivery: Delivery;
  readonly delayMs: number;
}

/** Works on a delivery. Undefined: nothing follows. Throws if this process cannot work now: the engine delivers again. */
export type Deliver = (one: Delivery) => Promise<NextDelivery | undefined>;

/** The connection to an engine outside of this process: a durable queue that delivers to one of the workers, at least once. */
export interface EngineLink {
  readonly name: string;
  readonly keepsSchedules?: boolean;
  /** False: offers of a lane that are made shortly after each other may be delivered in another order. */
  readonly keepsOrder?: boolean;
  /** Work is stopped in order after this time, and delivered again: the engine would end the call. */
  readonly longestMs?: number;
  readonly endpoint?: EngineEndpoint;
  /** Makes this process a worker. Returns at once; connects in the background, as often as it takes. */
  start(deliver: Deliver, requestDue?: () => Promise<readonly OfferedRun[]>): void;
  /**
   * Puts a delivery into the queue of the engine. `merged`: the engine has the run already. Throws while the engine is away.
   * An unasked delivery merges with one of the same run that is waiting or under way; the others are told apart by their tickets.
   */
  send(one: Delivery, delayMs: number, how: "merge" | "apart"): Promise<"sent" | "merged">;
  announce?(event: EngineEvent): Promise<void>;
  health(): Promise<{ readonly ok: boolean; readonly remarks: readonly Text[] }>;
  close(): Promise<void>;
}
