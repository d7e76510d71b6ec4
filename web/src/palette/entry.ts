import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

/** The whole palette, or notes alone. */
export type PaletteScope = "all" | "notes";

/** One line of the palette. */
export interface Entry {
  readonly id: string;
  readonly title: string;
  /** Shown at the end of the line. */
  readonly hint?: ReactNode;
  /** Found too, but not shown. */
  readonly more?: string;
  /** `typed`: only found by typing. `last`: fits whatever was typed, and comes after what fits better. */
  readonly when?: "typed" | "last";
  readonly icon: LucideIcon | { readonly agent: string } | { readonly garden: string };
  /** Enter and a click. */
  readonly open: () => void;
  /** With ⌘ or Ctrl and Enter. It never decides on a proposal. */
  readonly act?: { readonly name: string; readonly run: () => void } | undefined;
}

export interface EntryGroup {
  readonly id: "notes" | "agents" | "waiting" | "runs" | "do" | "gardens";
  readonly entries: readonly Entry[];
}
