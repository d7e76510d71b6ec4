import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type BodyOf, call } from "../../api/client.ts";
import type { Received } from "../../api/endpoints.gen.ts";
import { useOneWish } from "../../api/one-wish.ts";
import { outdate } from "../../api/queries.ts";

export type Intent = BodyOf<"POST /inbox/submit">["intent"];

/** Sends a wish to the inbox. The same wish sent again is the same proposal. */
export function useSend(onReceived: (received: Received) => void) {
  const client = useQueryClient();
  const { wishName, answered } = useOneWish();
  return useMutation({
    mutationFn: (intent: Intent) => call("POST /inbox/submit", { body: { intent }, correlation: wishName(intent) }),
    onSuccess: (received) => {
      answered();
      void outdate(client, "/proposals", "/notes", "/folders", "/search", "/links", "/lines");
      onReceived(received);
    },
  });
}
