import { useEffect, useState } from "react";

const keyOf = (name: string): string => `garden-bloom.draft.${name}`;

/**
 * A text field whose value is stored in this browser until it is sent, so that it survives a lost network, an ended session and a
 * closed tab. Setting `undefined` deletes it.
 */
export function useDraft(name: string, first = ""): [string, (text: string | undefined) => void] {
  const key = keyOf(name);
  const [text, setText] = useState(() => stored(key) ?? first);
  useEffect(() => setText(stored(key) ?? first), [key, first]);
  return [
    text,
    (now) => {
      setText(now ?? first);
      if (now === undefined || now === first) return deleteDraft(name);
      try {
        localStorage.setItem(key, now);
      } catch {
        // Storage is full or disabled: the text is still on the page.
      }
    },
  ];
}

/** The stored text that was not sent, if any. */
export const storedDraft = (name: string): string | undefined => stored(keyOf(name));

export function deleteDraft(name: string): void {
  try {
    localStorage.removeItem(keyOf(name));
  } catch {
    // Storage is disabled: nothing is stored.
  }
}

function stored(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}
