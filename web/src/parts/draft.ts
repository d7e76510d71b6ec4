import { useEffect, useState } from "react";

const keyOf = (name: string): string => `garden-bloom.draft.${name}`;

/**
 * What somebody is typing, kept in this browser until it is sent: a lost network, an ended session or a closed tab does not take it.
 * `undefined` forgets it.
 */
export function useDraft(name: string, first = ""): [string, (text: string | undefined) => void] {
  const key = keyOf(name);
  const [text, setText] = useState(() => stored(key) ?? first);
  useEffect(() => setText(stored(key) ?? first), [key, first]);
  return [
    text,
    (now) => {
      setText(now ?? first);
      if (now === undefined || now === first) return forgetDraft(name);
      try {
        localStorage.setItem(key, now);
      } catch {
        // A full or closed storage: the text is still on the page.
      }
    },
  ];
}

/** What was typed and not sent, if anything was. */
export const keptDraft = (name: string): string | undefined => stored(keyOf(name));

export function forgetDraft(name: string): void {
  try {
    localStorage.removeItem(keyOf(name));
  } catch {
    // A closed storage keeps nothing.
  }
}

function stored(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}
