import { useRef } from "react";

/**
 * Idempotency keys for submissions. A request that is sent again, because its answer was lost, has the same key, and the gateway repeats
 * its first answer. A changed request gets a new key, and so does the next one after `reset`.
 */
export function useIdempotencyKey(): { readonly keyFor: (request: unknown) => string; readonly reset: () => void } {
  const last = useRef<{ readonly request: string; readonly key: string }>(undefined);
  return {
    keyFor(request) {
      const text = JSON.stringify(request);
      if (last.current?.request !== text) last.current = { request: text, key: randomKey() };
      return last.current.key;
    },
    reset() {
      last.current = undefined;
    },
  };
}

const randomKey = (): string =>
  `web-${[...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
