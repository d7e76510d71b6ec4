import { asFailure, Failure } from "../base/failure.ts";
import { afterPause, type Pause, realPause } from "../garden/core/flow/pause.ts";
import type { EngineEndpoint } from "../ports/orchestrator.ts";
import { type BodyBudget, bodyBudget } from "./body.ts";
import { bodyTooLarge, tooManyBodies } from "./failures.ts";

/**
 * Maximum size of one call of an engine. Steps return references into the store, so a call has a few kilobytes: the delivery of one run,
 * and with Inngest up to 800 results of steps (`MOST_ROUNDS`), each of some hundred bytes. Inngest allows 4 MB for one result, which no
 * step of ours comes near.
 */
const ENGINE_BODY_BYTES = 4_000_000;
/** The calls that our steps cause are smaller. Up to this size a call does not depend on how many large ones there are. */
const SMALL_BYTES = 256 * 1024;
/**
 * The room of all calls in memory beyond `SMALL_BYTES` each. Everybody can use it up, with large calls that are not signed: then large
 * calls are refused, and small ones are not.
 */
const LARGE_AT_ONCE = 16 * (ENGINE_BODY_BYTES - SMALL_BYTES);
/** The room of all calls in memory for their first `SMALL_BYTES`. Used up, it ends the call that has been arriving for longest. */
const SMALL_AT_ONCE = 256 * SMALL_BYTES;
/** An engine sends a call at once. A wait for a body longer than this holds memory and nothing else. */
const ARRIVES_MS = 10_000;

/** The answer of the engine's endpoint, or why its body was refused. */
type EngineAnswer = { readonly answer: Response } | { readonly refused: Failure };

/**
 * Returns a function that passes calls on to an engine's endpoint, which checks their signature. The signature covers the body, so
 * anybody can send one: it is streamed to the endpoint, cut off at `ENGINE_BODY_BYTES`, and ended with UPSTREAM_UNAVAILABLE when the
 * endpoint has waited `ARRIVES_MS` for it.
 */
export function engineCalls(
  endpoint: EngineEndpoint,
  pause: Pause = realPause,
): (request: Request, isLocal: boolean) => Promise<EngineAnswer> {
  const room = { large: bodyBudget(LARGE_AT_ONCE), small: arrivalBudget(SMALL_AT_ONCE), pause };
  return async (request, isLocal) => {
    if (!request.body) return { answer: await endpoint.answer(request, { isLocal }) };
    if (Number(request.headers.get("content-length") ?? 0) > ENGINE_BODY_BYTES)
      return { refused: bodyTooLarge(ENGINE_BODY_BYTES) };
    const { method, headers, signal, url } = request;
    const capped = cappedBody(request.body, room);
    try {
      const init = { method, headers, signal, body: capped.body, duplex: "half" };
      const answer = await endpoint.answer(new Request(url, init), { isLocal });
      return capped.refused() ? { refused: capped.refused()! } : { answer };
    } catch (error) {
      const refused = capped.refused();
      if (refused) return { refused };
      throw error;
    } finally {
      capped.release();
    }
  };
}

interface Room {
  readonly large: BodyBudget;
  readonly small: ArrivalBudget;
  readonly pause: Pause;
}

/**
 * The body, failing once it exceeds `ENGINE_BODY_BYTES` or the room of all calls, or does not arrive. The declared size takes no room: a
 * caller without a signature could keep the engine out with it, without sending anything.
 */
function cappedBody(source: ReadableStream<Uint8Array>, { large, small, pause }: Room) {
  const reader = source.getReader();
  let size = 0;
  /** The room that is counted: that of bytes which arrive before the answer. */
  let taken = 0;
  let isReleased = false;
  let refused: Failure | undefined;
  let leftMs = ARRIVES_MS;
  let fail: (why: Failure) => void = () => undefined;
  const arrival: Arrival = { bytes: 0, isComplete: false, end: (why) => fail(why) };
  const count = (bytes: number): void => {
    if (size + bytes > ENGINE_BODY_BYTES) throw bodyTooLarge(ENGINE_BODY_BYTES);
    const beyond = Math.max(0, size + bytes - SMALL_BYTES) - Math.max(0, size - SMALL_BYTES);
    size += bytes;
    if (isReleased) return;
    small.take(arrival, bytes - beyond);
    if (beyond === 0) return;
    large.take(beyond, taken);
    taken += beyond;
  };
  // Only the time counts in which the endpoint waits: one that reads the end of a body after its work is not cut off.
  const nextChunk = async () => {
    const began = performance.now();
    const cancel = isReleased ? undefined : afterPause(pause, leftMs, () => isReleased || fail(notArrived()));
    try {
      return await reader.read();
    } finally {
      cancel?.();
      leftMs -= performance.now() - began;
    }
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        fail = (why) => {
          if (refused) return;
          refused = why;
          controller.error(why);
        };
      },
      async pull(controller) {
        const { done, value } = await nextChunk();
        if (refused) return;
        if (done) {
          arrival.isComplete = true;
          return controller.close();
        }
        try {
          count(value.length);
          controller.enqueue(value);
        } catch (error) {
          fail(asFailure(error));
        }
      },
      // Cancelling the source would close the connection before the caller has read why.
      cancel: () => reader.releaseLock(),
    },
    { highWaterMark: 0 },
  );
  return {
    body,
    refused: () => refused,
    release: () => {
      isReleased = true;
      large.release(taken);
      small.release(arrival);
    },
  };
}

/** A body in memory; `end` fails it. */
interface Arrival {
  bytes: number;
  isComplete: boolean;
  readonly end: (why: Failure) => void;
}

interface ArrivalBudget {
  /** Ends bodies that are still arriving, the oldest first, until the bytes fit. Throws RATE_LIMITED if they do not fit then. */
  take(own: Arrival, bytes: number): void;
  release(own: Arrival): void;
}

function arrivalBudget(limit: number): ArrivalBudget {
  const arrivals = new Set<Arrival>();
  let held = 0;
  const release = (own: Arrival): void => {
    if (!arrivals.delete(own)) return;
    held -= own.bytes;
    own.bytes = 0;
  };
  return {
    take(own, bytes) {
      for (const each of arrivals) {
        if (held + bytes <= limit) break;
        if (each === own || each.isComplete) continue;
        each.end(tooManyBodies(limit));
        release(each);
      }
      if (held + bytes > limit) throw tooManyBodies(limit);
      arrivals.add(own);
      own.bytes += bytes;
      held += bytes;
    },
    release,
  };
}

const notArrived = (): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", {
    en: `the body of this call did not arrive within ${ARRIVES_MS / 1000} s`,
    uk: `тіло цього виклику не надійшло за ${ARRIVES_MS / 1000} с`,
    hint: { en: "Send the call again, whole.", uk: "Надішліть виклик ще раз, цілим." },
    details: { part: "engine" },
  });
