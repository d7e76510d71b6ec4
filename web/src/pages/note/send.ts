import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { type BodyOf, call } from "../../api/client.ts";
import type { Received } from "../../api/endpoints.ts";
import { outdate } from "../../api/queries.ts";

export type Intent = BodyOf<"POST /inbox/submit">["intent"];

/**
 * Sends a wish to the inbox. The same wish sent again, because the network took the answer, is the same proposal: it has the same name
 * until it is changed or answered.
 */
export function useSend(onReceived: (received: Received) => void) {
  const client = useQueryClient();
  const last = useRef<{ wish: string; name: string }>(undefined);
  return useMutation({
    mutationFn: (intent: Intent) => {
      const wish = JSON.stringify(intent);
      if (last.current?.wish !== wish) last.current = { wish, name: freshName() };
      return call("POST /inbox/submit", { body: { intent }, correlation: last.current.name });
    },
    onSuccess: (received) => {
      last.current = undefined;
      void outdate(client, "/proposals", "/notes", "/folders", "/search", "/links", "/lines");
      onReceived(received);
    },
  });
}

const freshName = (): string =>
  `web-${[...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
