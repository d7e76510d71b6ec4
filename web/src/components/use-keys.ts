import { useEffect, useRef } from "react";

/** Single-key shortcuts of a page. They are off in fields and dialogs, and a held key counts once. */
export function useKeys(keys: Readonly<Record<string, (() => void) | undefined>>): void {
  const now = useRef(keys);
  now.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.repeat || isTyping(event)) return;
      const act = now.current[event.key] ?? now.current[latinKey(event)];
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}

/** The Latin letter of the key: shortcuts work with a Ukrainian keyboard layout too. */
export const latinKey = ({ code, key }: KeyboardEvent): string =>
  /^\p{Script=Cyrillic}$/u.test(key) && code.startsWith("Key") ? code.slice(3).toLowerCase() : key;

/** True if a key belongs to a field, the focused link or button, a dialog or the browser instead of the page. */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true;
  const target = event.target as HTMLElement;
  // A radio button or a checkbox takes no letters: those stay the page's.
  const isLetterFree = target.matches("input:is([type=radio], [type=checkbox])") && /^[^ ]$/.test(event.key);
  if (isLetterFree) return document.querySelector("dialog[open]") !== null;
  if (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName)) return true;
  if (event.key === "Enter" && target.closest("a, button, summary")) return true;
  return document.querySelector("dialog[open]") !== null;
}
