import { Search } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";

const TYPING_MS = 250;

/** A field that searches while one types: a moment after the last key, and at once with Enter. */
export function SearchField(props: {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly label: string;
  readonly hint: string;
  readonly text: string;
  readonly maxLength: number;
  readonly onText: (text: string) => void;
}) {
  const { field, label, hint, text, maxLength, onText } = props;
  const [typed, setTyped] = useState(text);
  const report = useRef(onText);
  report.current = onText;
  // The address may have changed by another way; words that are being typed stay as they are.
  useEffect(() => setTyped((before) => (before.trim() === text ? before : text)), [text]);
  useEffect(() => {
    if (typed.trim() === text) return;
    const timer = setTimeout(() => report.current(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, text]);
  return (
    <span className="search-field">
      <Search size={15} aria-hidden="true" />
      <input
        ref={field}
        type="search"
        className="field"
        aria-label={label}
        placeholder={hint}
        maxLength={maxLength}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={({ key, currentTarget }) => {
          if (key === "Escape") currentTarget.blur();
          if (key === "Enter" && typed.trim() !== text) onText(typed.trim());
        }}
      />
      <kbd aria-hidden="true">/</kbd>
    </span>
  );
}
