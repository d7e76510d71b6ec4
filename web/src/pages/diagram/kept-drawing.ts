import { useCallback, useEffect, useRef, useState } from "react";

/** What is edited: the diagram that an agent follows, and as which version. */
export interface Base {
  readonly slug: string;
  /** Undefined for an agent without a diagram. */
  readonly version: string | undefined;
  readonly text: string;
}

/** What is drawn and not sent, and what it began from. */
export interface Kept {
  readonly base: Base;
  readonly text: string;
}

/**
 * The drawing, kept in this browser: for the next visit, and for this very tab, which after a reload goes on with its own even if
 * another tab drew something else meanwhile.
 */
export function useKeptDrawing(
  slug: string,
  onOther: (other: Kept | undefined, before: Kept | undefined) => void,
): {
  readonly first: () => Kept | undefined;
  /** Only for this tab while another one has something else in the place that all share. */
  readonly keep: (kept: Kept | undefined, isShared: boolean) => void;
  /** False if this browser has no room for it. */
  readonly isKept: boolean;
} {
  const key = `garden-bloom.draft.diagram.${slug}`;
  const [isKept, setIsKept] = useState(true);
  const tell = useRef(onOther);
  tell.current = onOther;
  useEffect(() => {
    const [own, shared] = [read(sessionStorage, key), read(localStorage, key)];
    if (own && shared && own.text !== shared.text) tell.current(shared, undefined);
    const changed = (event: StorageEvent): void => {
      if (event.storageArea === localStorage && event.key === key)
        tell.current(parsed(event.newValue), parsed(event.oldValue));
    };
    addEventListener("storage", changed);
    return () => removeEventListener("storage", changed);
  }, [key]);
  return {
    first: () => read(sessionStorage, key) ?? read(localStorage, key),
    keep: useCallback(
      (kept, isShared) => {
        const done = (isShared ? [sessionStorage, localStorage] : [sessionStorage]).map((storage) =>
          write(storage, key, kept),
        );
        setIsKept(done.some(Boolean));
      },
      [key],
    ),
    isKept,
  };
}

function write(storage: Storage, key: string, kept: Kept | undefined): boolean {
  try {
    if (kept) storage.setItem(key, JSON.stringify(kept));
    else storage.removeItem(key);
    return true;
  } catch {
    return false;
  }
}

function read(storage: Storage, key: string): Kept | undefined {
  try {
    return parsed(storage.getItem(key));
  } catch {
    return undefined;
  }
}

function parsed(kept: string | null): Kept | undefined {
  try {
    const { base, text } = JSON.parse(kept ?? "{}") as Partial<Kept>;
    return base && typeof base.text === "string" && typeof text === "string" ? { base, text } : undefined;
  } catch {
    return undefined;
  }
}
