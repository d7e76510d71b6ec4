import { useEffect, useState } from "react";

/**
 * What somebody is typing, kept in this browser until it is sent: a lost network, an ended session or a closed tab does not take it.
 * `undefined` forgets it.
 */
export function useDraft(name: string, first = ""): [string, (text: string | undefined) => void] {
  const key = `garden-bloom.draft.${name}`;
  const [text, setText] = useState(() => stored(key) ?? first);
  useEffect(() => setText(stored(key) ?? first), [key, first]);
  return [
    text,
    (now) => {
      setText(now ?? first);
      try {
        if (now === undefined || now === first) localStorage.removeItem(key);
        else localStorage.setItem(key, now);
      } catch {
        // A full or closed storage: the text is still on the page.
      }
    },
  ];
}

function stored(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}
