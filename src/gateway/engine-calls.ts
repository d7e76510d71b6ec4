import { asFailure, type Failure } from "../base/failure.ts";
import type { EngineEndpoint } from "../ports/orchestrator.ts";
import { type BodyBudget, bodyBudget } from "./body.ts";
import { bodyTooLarge } from "./failures.ts";

/**
 * Maximum size of one call of an engine. Steps return references into the store, so a call has a few kilobytes: the delivery of one run,
 * and with Inngest up to 800 results of steps (`MOST_ROUNDS`), each of some hundred bytes. Inngest allows 4 MB for one result, which no
 * step of ours comes near.
 */
const ENGINE_BODY_BYTES = 4_000_000;
/** Bytes of all calls in memory: 8 runs at once, each with a call of that size, and as much for calls without a signature. */
const ENGINE_BODIES_AT_ONCE = 16 * ENGINE_BODY_BYTES;

/** The answer of the engine's endpoint, or why its body was refused. */
type EngineAnswer = { readonly answer: Response } | { readonly refused: Failure };

/**
 * Returns a function that passes calls on to an engine's endpoint, which checks their signature. The signature covers the body, so
 * anybody can send one: it is streamed to the endpoint and cut off at `ENGINE_BODY_BYTES`.
 */
export function engineCalls(endpoint: EngineEndpoint): (request: Request, isLocal: boolean) => Promise<EngineAnswer> {
  const budget = bodyBudget(ENGINE_BODIES_AT_ONCE);
  return async (request, isLocal) => {
    if (!request.body) return { answer: await endpoint.answer(request, { isLocal }) };
    if (Number(request.headers.get("content-length") ?? 0) > ENGINE_BODY_BYTES)
      return { refused: bodyTooLarge(ENGINE_BODY_BYTES) };
    const { method, headers, signal, url } = request;
    const capped = cappedBody(request.body, budget);
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

/**
 * The body, failing once it exceeds `ENGINE_BODY_BYTES` or the budget of all calls. The declared size takes nothing of the budget: a
 * caller without a signature could keep the engine out with it, without sending anything.
 */
function cappedBody(body: ReadableStream<Uint8Array>, budget: BodyBudget) {
  let size = 0;
  /** Bytes that the budget counts: those that arrive before the answer. */
  let taken = 0;
  let isReleased = false;
  let refused: Failure | undefined;
  const cap = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      try {
        if (size + chunk.length > ENGINE_BODY_BYTES) throw bodyTooLarge(ENGINE_BODY_BYTES);
        size += chunk.length;
        if (!isReleased) {
          budget.take(chunk.length, taken);
          taken += chunk.length;
        }
        controller.enqueue(chunk);
      } catch (error) {
        refused = asFailure(error);
        throw refused;
      }
    },
  });
  return {
    // Cancelling the body would close the connection before the caller has read why.
    body: body.pipeThrough(cap, { preventCancel: true }),
    refused: () => refused,
    release: () => {
      isReleased = true;
      budget.release(taken);
    },
  };
}
