import { useEffect, useState } from "react";
import { storedText, storeText } from "../browser-storage.ts";

const keyOf = (name: string): string => `garden-bloom.draft.${name}`;

/**
 * A text field whose value is stored in this browser until it is sent, so that it survives a lost network, an ended session and a
 * closed tab. Setting `undefined` deletes it.
 */
export function useDraft(name: string, first = ""): [string, (text: string | undefined) => void] {
  const key = keyOf(name);
  const [text, setText] = useState(() => storedText(key) ?? first);
  useEffect(() => setText(storedText(key) ?? first), [key, first]);
  return [
    text,
    (now) => {
      setText(now ?? first);
      storeText(key, now === first ? undefined : now);
    },
  ];
}

/** Leaves a text for a field with this draft that is shown later. */
export const storeDraft = (name: string, text: string): void => void storeText(keyOf(name), text);

/** The stored text that was not sent, if any. */
export const storedDraft = (name: string): string | undefined => storedText(keyOf(name));

export const deleteDraft = (name: string): void => void storeText(keyOf(name), undefined);
