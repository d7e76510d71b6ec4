import type { Egress } from "../../ports/egress.ts";
import { answerTooLarge } from "./failures.ts";

const MAX_BYTES = 8 * 1024 * 1024;

/** The fetch of one server: a body of more than `most` bytes is cut off with an error. */
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
          if (bytes > most) stream.error(answerTooLarge(most));
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
