import { useState } from "react";
import { Button } from "../../components/form.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import type { TextBuffer } from "./text-buffer.ts";

/** Moves between the parts of a long text. Renders nothing for a text of one part. */
export function PartBar({ buffer }: { readonly buffer: TextBuffer }) {
  const t = useT();
  const { index, count, firstLine, lastLine, lines } = buffer.position();
  const [wanted, setWanted] = useState("");
  const [isMissing, setMissing] = useState(false);
  if (count === 1) return null;
  return (
    <div className="row between" role="group" aria-label={t(words.parts)}>
      <div className="row">
        <Button disabled={index === 0} onClick={() => buffer.goToPart(index - 1)}>
          {t(words.before)}
        </Button>
        <Button disabled={index === count - 1} onClick={() => buffer.goToPart(index + 1)}>
          {t(words.next)}
        </Button>
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
            event.preventDefault(); // Enter would submit the note's form
            setMissing(!goTo(buffer, wanted.trim()));
          }}
        />
        {isMissing && <span role="alert">{t(words.missing)}</span>}
      </div>
    </div>
  );
}

/** Goes to a line (`:120`) or to the next match. Returns false if there is none. */
function goTo(buffer: TextBuffer, wanted: string): boolean {
  const line = /^:(\d{1,8})$/.exec(wanted)?.[1];
  if (line === undefined) return buffer.find(wanted);
  buffer.goToLine(Number(line));
  return true;
}

const words = {
  parts: { en: "Parts of the text", uk: "Частини тексту" },
  before: { en: "Previous part", uk: "Попередня частина" },
  next: { en: "Next part", uk: "Наступна частина" },
  place: { en: "Part {} of {}: lines {}–{} of {}", uk: "Частина {} з {}: рядки {}–{} з {}" },
  find: { en: "Find text, or :120 for a line", uk: "Знайти слова або :120 — рядок" },
  missing: { en: "Not found", uk: "Ніде в тексті." },
} as const satisfies Record<string, Text>;
