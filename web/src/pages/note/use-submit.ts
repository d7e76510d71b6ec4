import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type BodyOf, call } from "../../api/client.ts";
import type { Received } from "../../api/endpoints.gen.ts";
import { useIdempotencyKey } from "../../api/idempotency-key.ts";
import { invalidate } from "../../api/queries.ts";

export type SubmittedIntent = BodyOf<"POST /inbox/submit">["intent"];

/** Submits an intent to the inbox. Idempotent: the same intent sent again yields the same proposal. */
export function useSubmit(onReceived: (received: Received) => void) {
  const client = useQueryClient();
  const { keyFor, reset } = useIdempotencyKey();
  return useMutation({
    mutationFn: (intent: SubmittedIntent) =>
      call("POST /inbox/submit", { body: { intent }, correlation: keyFor(intent) }),
    onSuccess: (received) => {
      reset();
      void invalidate(client, "/proposals", "/notes", "/folders", "/search", "/links", "/lines");
      onReceived(received);
    },
  });
}
