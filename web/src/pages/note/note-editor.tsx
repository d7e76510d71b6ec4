import { type KeyboardEvent, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { type LinkOf, Markdown } from "../../components/markdown.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { PartBar } from "./part-bar.tsx";
import type { TextBuffer } from "./text-buffer.ts";

/**
 * A text on one side, how it will look on the other; a long one part by part. While somebody types, only the field of the browser works:
 * `onTyped` hears the first key after a rest, `onRest` gets the whole text when the writer rests and when the page is left in whatever way.
 */
export function NoteEditor(props: {
  readonly writing: TextBuffer;
  readonly onTyped?: () => void;
  readonly onRest: (text: string) => void;
  readonly onSave: () => void;
  readonly linkOf: LinkOf;
}) {
  const { writing, onTyped, onRest, onSave, linkOf } = props;
  const t = useT();
  const version = useSyncExternalStore(writing.watch, writing.version);
  const [settled, setSettled] = useState(writing.part);
  const field = useRef<HTMLTextAreaElement>(null);
  const typed = useDebouncedTyping(() => {
    writing.settle();
    setSettled(writing.part());
    onRest(writing.text());
  }, onTyped);
  useEffect(() => setSettled(writing.part()), [writing, version]);
  // What comes into the field after the first time was asked for: the writer goes on there.
  const first = useRef(version);
  useEffect(() => {
    const marked = writing.marked();
    if (first.current === version || !marked || !field.current) return;
    selectAndScroll(field.current, marked);
    if (!(document.activeElement instanceof HTMLInputElement)) field.current.focus();
  }, [writing, version]);
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === "s" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onSave();
    }
    const step = event.altKey ? { PageUp: -1, PageDown: 1 }[event.key] : undefined;
    if (step === undefined) return;
    event.preventDefault();
    const { index, count } = writing.place();
    if (index + step >= 0 && index + step < count) writing.go(index + step);
  };
  return (
    <div className="stack tight">
      <PartBar writing={writing} />
      <div className="editor">
        <label className="labelled">
          <span>{t(words.text)}</span>
          <textarea
            key={version}
            ref={(shown) => {
              field.current = shown;
              return shown ? writing.hold(shown) : undefined;
            }}
            className="field writing"
            defaultValue={writing.part()}
            spellCheck={settled.length <= SHORT}
            onInput={typed}
            onKeyDown={onKey}
          />
        </label>
        <section className="labelled" aria-label={t(words.preview)}>
          <span>{t(words.preview)}</span>
          <div className="card preview">
            <Markdown text={settled} linkOf={linkOf} />
          </div>
        </section>
      </div>
    </div>
  );
}

/** Marks a stretch of the field, and scrolls to it: how far down it stands is only known from a field that ends there. */
function selectAndScroll(field: HTMLTextAreaElement, [start, end]: readonly [number, number]): void {
  const whole = field.value;
  field.value = whole.slice(0, start);
  const below = field.scrollHeight;
  field.value = whole;
  field.setSelectionRange(start, end);
  field.scrollTop = Math.max(0, below - field.clientHeight / 2);
}

const SHORT = 20_000;
const REST_MS = 250;

/** Tells the first key, then nothing until the writer rests, or leaves. */
function useDebouncedTyping(rest: () => void, begin: (() => void) | undefined): () => void {
  const last = useRef({ rest, begin });
  last.current = { rest, begin };
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    const now = (): void => {
      if (timer.current === undefined) return;
      clearTimeout(timer.current);
      timer.current = undefined;
      last.current.rest();
    };
    addEventListener("pagehide", now);
    return () => {
      removeEventListener("pagehide", now);
      now();
    };
  }, []);
  return () => {
    if (timer.current === undefined) last.current.begin?.();
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      timer.current = undefined;
      last.current.rest();
    }, REST_MS);
  };
}

const words = {
  text: { en: "Text (Markdown; Ctrl+S saves)", uk: "Текст (Markdown; Ctrl+S зберігає)" },
  preview: { en: "How it will look", uk: "Який це матиме вигляд" },
} as const satisfies Record<string, Text>;
