import { Failure } from "../../base/failure.ts";
import type { Egress } from "../../ports/egress.ts";

const MAX_BYTES = 8 * 1024 * 1024;

/** The way out, for one server: an answer that goes on for too long is cut off. */
export const boundedFetch =
  (egress: Egress, most = MAX_BYTES) =>
  async (url: string | URL, init?: RequestInit): Promise<Response> => {
    const response = await egress.fetch(url, init);
    if (!response.body) return response;
    let bytes = 0;
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, stream) {
          bytes += chunk.length;
          if (bytes > most) stream.error(tooLarge(most));
          else stream.enqueue(chunk);
        },
      }),
    );
    return new Response(counted, {
      status: response.status,
      statusText: response.statusText,
      headers: response.headers,
    });
  };

const tooLarge = (most: number): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the answer has more than ${most} bytes`,
    uk: `відповідь має понад ${most} байтів`,
  });
