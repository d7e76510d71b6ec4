import { useSyncExternalStore } from "react";
import { usePreferences } from "../i18n/use-t.ts";

const dark = matchMedia("(prefers-color-scheme: dark)");

/** True for the dark theme: chosen, or the system's. */
export function useIsDark(): boolean {
  const { theme } = usePreferences();
  const system = useSyncExternalStore(
    (changed) => {
      dark.addEventListener("change", changed);
      return () => dark.removeEventListener("change", changed);
    },
    () => dark.matches,
  );
  return theme === "system" ? system : theme === "dark";
}
