import { useSyncExternalStore } from "react";
import { useReader } from "../words/say.ts";

const dark = matchMedia("(prefers-color-scheme: dark)");

/** Whether the page is dark now: the reader's choice, or the system's. */
export function useIsDark(): boolean {
  const { theme } = useReader();
  const system = useSyncExternalStore(
    (changed) => {
      dark.addEventListener("change", changed);
      return () => dark.removeEventListener("change", changed);
    },
    () => dark.matches,
  );
  return theme === "system" ? system : theme === "dark";
}
