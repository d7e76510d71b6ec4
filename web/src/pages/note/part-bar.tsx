import { useState } from "react";
import { type Text, useT } from "../../i18n/use-t.ts";
import type { TextBuffer } from "./text-buffer.ts";

/** Which part of a long text is in the field, and the ways to the others. A text of one part needs none. */
export function PartBar({ writing }: { readonly writing: TextBuffer }) {
  const t = useT();
  const { index, count, firstLine, lastLine, lines } = writing.place();
  const [wanted, setWanted] = useState("");
  const [isMissing, setMissing] = useState(false);
  if (count === 1) return null;
  return (
    <div className="row between" role="group" aria-label={t(words.parts)}>
      <div className="row">
        <button type="button" className="button" disabled={index === 0} onClick={() => writing.go(index - 1)}>
          {t(words.before)}
        </button>
        <button type="button" className="button" disabled={index === count - 1} onClick={() => writing.go(index + 1)}>
          {t(words.next)}
        </button>
        <span role="status">{t(words.place, index + 1, count, firstLine, lastLine, lines)}</span>
      </div>
      <div className="row">
        <input
          type="search"
          className="field part-field"
          aria-label={t(words.find)}
          placeholder={t(words.find)}
          value={wanted}
          aria-invalid={isMissing}
          onChange={({ target }) => {
            setWanted(target.value);
            setMissing(false);
          }}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault(); // this field is in the form of the note, which Enter would save
            setMissing(!goTo(writing, wanted.trim()));
          }}
        />
        {isMissing && <span role="alert">{t(words.missing)}</span>}
      </div>
    </div>
  );
}

/** `:120` is a line; all else is words. */
function goTo(writing: TextBuffer, wanted: string): boolean {
  const line = /^:(\d{1,8})$/.exec(wanted)?.[1];
  if (line === undefined) return writing.find(wanted);
  writing.goToLine(Number(line));
  return true;
}

const words = {
  parts: { en: "Parts of the text", uk: "Частини тексту" },
  before: { en: "Part before", uk: "Попередня частина" },
  next: { en: "Next part", uk: "Наступна частина" },
  place: { en: "Part {} of {}: lines {}–{} of {}", uk: "Частина {} з {}: рядки {}–{} з {}" },
  find: { en: "Find words, or :120 for a line", uk: "Знайти слова або :120 — рядок" },
  missing: { en: "Nowhere in the text.", uk: "Ніде в тексті." },
} as const satisfies Record<string, Text>;
