import { useEffect, useRef, useState } from "react";
import type { Point } from "../../../../src/drakon/draw/picture.ts";
import type { EditRefused } from "../../../../src/drakon/edit/operation.ts";
import { useDraft } from "../../parts/draft.ts";
import { type Text, useSay } from "../../words/say.ts";
import { readingOf } from "./formula.ts";
import type { Ask } from "./moves.ts";

export interface TextBoxProps {
  /** Where in the browser unsent words are kept. */
  readonly name: string;
  readonly ask: Ask;
  readonly at: Point;
  readonly bound: ReadonlySet<string>;
  readonly onSend: (texts: Readonly<Record<string, string>>) => EditRefused | undefined;
  readonly onClose: () => void;
}

/** Texts of an icon, written where it stands. Enter sends, Escape leaves it as it was; leaving the box sends what was typed. */
export function TextBox({ name, ask, at, bound, onSend, onClose }: TextBoxProps) {
  const say = useSay();
  const first = JSON.stringify(Object.fromEntries(ask.fields.map((each) => [each.name, each.now])));
  const [kept, keep] = useDraft(`${name}.text`, first);
  const [refusal, setRefusal] = useState<Text>();
  const form = useRef<HTMLFormElement>(null);
  const texts = textsIn(kept, first);
  const closed = useRef(false);
  useEffect(() => {
    const field = form.current?.querySelector("textarea");
    field?.focus();
    field?.select();
  }, []);
  const leave = (): void => {
    if (closed.current) return;
    closed.current = true;
    keep(undefined);
    onClose();
  };
  const send = (): void => {
    if (closed.current) return;
    const refused = onSend(texts);
    if (refused) setRefusal(refused.reason);
    else leave();
  };
  const [main] = ask.fields;
  const reading = main && readingOf(texts[main.name] ?? "", ask.reads, bound);
  return (
    <form
      ref={form}
      className="diagram-text card stack tight"
      aria-label={say(ask.title)}
      style={{ left: at.x, top: at.y }}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onBlur={({ relatedTarget, currentTarget }) => {
        if (currentTarget.contains(relatedTarget) || !document.hasFocus()) return;
        if (kept === first) leave();
        else send();
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") {
          event.preventDefault();
          leave();
        } else if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
          const { lines = 1 } =
            ask.fields.find((each) => each.name === (event.target as HTMLElement).id.slice(2)) ?? {};
          if (lines > 1 && !event.ctrlKey && !event.metaKey) return;
          if ((event.target as HTMLElement).tagName === "BUTTON") return;
          event.preventDefault();
          send();
        }
      }}
    >
      {ask.fields.map(({ name: field, label, lines = 1 }) => (
        <label key={field} className="labelled">
          <span>{say(label)}</span>
          <textarea
            id={`t-${field}`}
            className="field"
            rows={Math.min(10, Math.max(lines, 1 + (texts[field] ?? "").split("\n").length))}
            value={texts[field] ?? ""}
            aria-describedby={field === main?.name ? "t-read" : undefined}
            onChange={({ target }) => {
              setRefusal(undefined);
              keep(JSON.stringify({ ...texts, [field]: target.value }));
            }}
          />
        </label>
      ))}
      <div id="t-read" className="small quiet" aria-live="polite">
        {reading && (
          <p>
            {say(reading.kind === "formal" ? words.formal : words.inWords)}
            {reading.unbound.length > 0 && ` ${say(words.unbound, reading.unbound.join(", "))}`}
          </p>
        )}
        {reading?.problem && (
          <p className="warning">
            {say(words.problem, reading.problem.line, reading.problem.column, say(reading.problem.message))}
          </p>
        )}
      </div>
      {refusal && (
        <p className="warning" role="alert">
          {say(words.refused)} {say(refusal)}
        </p>
      )}
      <div className="row">
        <button type="submit" className="button primary">
          {say(ask.isNew ? words.insert : words.save)} <kbd>↵</kbd>
        </button>
        <button type="button" className="button" onClick={leave}>
          {say(words.cancel)}
        </button>
      </div>
    </form>
  );
}

function textsIn(kept: string, first: string): Record<string, string> {
  try {
    return { ...(JSON.parse(first) as Record<string, string>), ...(JSON.parse(kept) as Record<string, string>) };
  } catch {
    return JSON.parse(first) as Record<string, string>;
  }
}

const words = {
  formal: { en: "Computed as a formula.", uk: "Обчислюється як формула." },
  inWords: { en: "Read as words, for the model.", uk: "Читається як слова, для моделі." },
  unbound: { en: "Nothing gives a value to: {}.", uk: "Ніщо не надає значення: {}." },
  problem: { en: "Not a formula (line {}, place {}): {}", uk: "Не формула (рядок {}, місце {}): {}" },
  refused: { en: "This cannot be done:", uk: "Цього не можна зробити:" },
  insert: { en: "Insert", uk: "Вставити" },
  save: { en: "Done", uk: "Готово" },
  cancel: { en: "Cancel", uk: "Назад" },
} as const satisfies Record<string, Text>;
