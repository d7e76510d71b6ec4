import { useRef } from "react";

/**
 * A name for what a person asks for. The same wish sent again, because the network took the answer, has the same name, and the gateway
 * gives the first answer; changed, or once it is answered, it is another wish.
 */
export function useOneWish(): { readonly wishName: (wish: unknown) => string; readonly answered: () => void } {
  const last = useRef<{ readonly wish: string; readonly name: string }>(undefined);
  return {
    wishName(wish) {
      const text = JSON.stringify(wish);
      if (last.current?.wish !== text) last.current = { wish: text, name: freshName() };
      return last.current.name;
    },
    answered() {
      last.current = undefined;
    },
  };
}

const freshName = (): string =>
  `web-${[...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
