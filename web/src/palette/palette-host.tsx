import { lazy, Suspense, useEffect, useState } from "react";
import type { PaletteScope } from "./entry.ts";

let show: (scope: PaletteScope) => void = () => undefined;

/** Opens the command palette. */
export const openPalette = (scope: PaletteScope = "all"): void => show(scope);

const Palette = lazy(async () => ({ default: (await import("./palette.tsx")).Palette }));

/** Keys of the palette: ⌘K or Ctrl K, and for notes alone ⌘O or Ctrl O. They work in fields too. Its code is loaded on first use. */
export function PaletteHost() {
  const [scope, setScope] = useState<PaletteScope>();
  useEffect(() => {
    show = setScope;
    const press = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.repeat) return;
      const wanted = ({ KeyK: "all", KeyO: "notes" } as const)[event.code];
      if (wanted === undefined || document.querySelector("dialog[open]:not(.palette)")) return;
      event.preventDefault();
      setScope((now) => (now === wanted ? undefined : wanted));
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
  if (scope === undefined) return null;
  return (
    <Suspense>
      <Palette key={scope} scope={scope} onClose={() => setScope(undefined)} />
    </Suspense>
  );
}
