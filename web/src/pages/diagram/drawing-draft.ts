import { useCallback, useEffect, useRef, useState } from "react";
import { parsedJson, storedText, storeJson } from "../../browser-storage.ts";

/** The diagram that an agent follows, with its version: what a drawing changes. */
export interface DiagramBase {
  readonly slug: string;
  /** Undefined for an agent without a diagram. */
  readonly version: string | undefined;
  /** The main diagram with those that it calls inside. */
  readonly text: string;
  /** The agent's other diagrams, which may be called too. */
  readonly others?: readonly { readonly file: string; readonly text: string }[];
}

/** A drawing that was not proposed yet, and the diagram it started from. */
export interface DrawingDraft {
  readonly base: DiagramBase;
  readonly text: string;
}

/**
 * Stores the drawing in this browser: for the next visit (local storage), and for this tab (session storage), which after a reload
 * continues with its own drawing even if another tab stored a different one.
 */
export function useDrawingDraft(
  slug: string,
  onOther: (other: DrawingDraft | undefined, before: DrawingDraft | undefined) => void,
): {
  readonly first: () => DrawingDraft | undefined;
  /** With `isShared` false it is stored for this tab only, because another tab has stored a different drawing. */
  readonly keep: (kept: DrawingDraft | undefined, isShared: boolean) => void;
  /** False if the browser's storage is full or disabled. */
  readonly isKept: boolean;
} {
  const key = `garden-bloom.draft.diagram.${slug}`;
  const [isKept, setIsKept] = useState(true);
  const latest = useRef(onOther);
  latest.current = onOther;
  useEffect(() => {
    const [own, shared] = [parsed(storedText(key, "sessionStorage")), parsed(storedText(key))];
    if (own && shared && own.text !== shared.text) latest.current(shared, undefined);
    const changed = (event: StorageEvent): void => {
      if (event.storageArea === localStorage && event.key === key)
        latest.current(parsed(event.newValue), parsed(event.oldValue));
    };
    addEventListener("storage", changed);
    return () => removeEventListener("storage", changed);
  }, [key]);
  return {
    first: () => parsed(storedText(key, "sessionStorage")) ?? parsed(storedText(key)),
    keep: useCallback(
      (kept, isShared) => {
        const isKeptHere = storeJson(key, kept, "sessionStorage");
        const isKeptForAll = isShared && storeJson(key, kept);
        setIsKept(isKeptHere || isKeptForAll);
      },
      [key],
    ),
    isKept,
  };
}

function parsed(kept: string | null | undefined): DrawingDraft | undefined {
  const { base, text } = (parsedJson(kept) ?? {}) as Partial<DrawingDraft>;
  return base && typeof base.text === "string" && typeof text === "string" ? { base, text } : undefined;
}
