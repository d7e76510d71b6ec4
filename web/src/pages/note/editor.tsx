import { type KeyboardEvent, useEffect, useState } from "react";
import { type LinkOf, LONGEST_MARKDOWN, Markdown } from "../../parts/markdown.tsx";
import { type Text, useSay } from "../../words/say.ts";

/** A text on one side, how it will look on the other. The preview waits until the writer rests, the longer the text the more. */
export function Editor(props: {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onSave: () => void;
  readonly linkOf: LinkOf;
}) {
  const { text, onText, onSave, linkOf } = props;
  const say = useSay();
  const settled = useSettled(text, text.length > SHORT ? 400 : 60);
  const save = (event: KeyboardEvent): void => {
    if (event.key !== "s" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    onSave();
  };
  return (
    <div className="editor">
      <label className="labelled">
        <span>{say(words.text)}</span>
        <textarea
          className="field writing"
          value={text}
          spellCheck={text.length <= SHORT}
          // Lines that are not broken anew at every key keep megabytes bearable.
          wrap={text.length > LONGEST_MARKDOWN ? "off" : "soft"}
          onChange={({ target }) => onText(target.value)}
          onKeyDown={save}
        />
      </label>
      <section className="labelled" aria-label={say(words.preview)}>
        <span>{say(words.preview)}</span>
        <div className="card preview">
          {settled.length > LONGEST_MARKDOWN ? (
            <p className="quiet">{say(words.tooLong)}</p>
          ) : (
            <Markdown text={settled} linkOf={linkOf} />
          )}
        </div>
      </section>
    </div>
  );
}

const SHORT = 20_000;

function useSettled(text: string, ms: number): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), ms);
    return () => clearTimeout(timer);
  }, [text, ms]);
  return settled;
}

const words = {
  text: { en: "Text (Markdown; Ctrl+S saves)", uk: "Текст (Markdown; Ctrl+S зберігає)" },
  preview: { en: "How it will look", uk: "Який це матиме вигляд" },
  tooLong: {
    en: "Too long to be shown while you type; saved as it is written.",
    uk: "Задовге, щоб показувати під час набору; збережеться так, як написано.",
  },
} as const satisfies Record<string, Text>;
