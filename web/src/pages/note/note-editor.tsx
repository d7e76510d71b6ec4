import { type KeyboardEvent, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { Markdown } from "../../components/markdown.tsx";
import type { LinkOf } from "../../components/obsidian-markdown.ts";
import { type Text, useT } from "../../i18n/use-t.ts";
import { NAME_LIST, NameList, useNameList } from "./name-list.tsx";
import { PartBar } from "./part-bar.tsx";
import type { TextBuffer } from "./text-buffer.ts";

/**
 * A text field with a preview; a long text is edited part by part. Typing is uncontrolled: `onTyped` is called at the first key after a
 * pause, `onRest` gets the whole text after a pause and whenever the page is left.
 */
export function NoteEditor(props: {
  readonly buffer: TextBuffer;
  readonly onTyped?: () => void;
  readonly onRest: (text: string) => void;
  readonly onSave: () => void;
  readonly linkOf: LinkOf;
}) {
  const { buffer, onTyped, onRest, onSave, linkOf } = props;
  const t = useT();
  const version = useSyncExternalStore(buffer.subscribe, buffer.version);
  const [settled, setSettled] = useState(buffer.part);
  const field = useRef<HTMLTextAreaElement>(null);
  const typed = useDebouncedTyping(() => {
    buffer.resplit();
    setSettled(buffer.part());
    onRest(buffer.text());
  }, onTyped);
  useEffect(() => setSettled(buffer.part()), [buffer, version]);
  // Every part but the first was requested by the writer: focus it.
  const first = useRef(version);
  useEffect(() => {
    const marked = buffer.selection();
    if (first.current === version || !marked || !field.current) return;
    selectAndScroll(field.current, marked);
    if (!(document.activeElement instanceof HTMLInputElement)) field.current.focus();
  }, [buffer, version]);
  const names = useNameList(field, typed);
  const onKey = (event: KeyboardEvent): void => {
    if (names.onKey(event)) return;
    if (event.key === "s" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onSave();
    }
    const step = event.altKey ? { PageUp: -1, PageDown: 1 }[event.key] : undefined;
    if (step === undefined) return;
    event.preventDefault();
    const { index, count } = buffer.position();
    if (index + step >= 0 && index + step < count) buffer.goToPart(index + step);
  };
  return (
    <div className="stack tight">
      <PartBar buffer={buffer} />
      <div className="editor">
        <label className="labelled">
          <span>{t(words.text)}</span>
          <textarea
            key={version}
            ref={(shown) => {
              field.current = shown;
              return shown ? buffer.attach(shown) : undefined;
            }}
            className="field writing"
            defaultValue={buffer.part()}
            spellCheck={settled.length <= SHORT}
            onInput={() => {
              typed();
              names.look();
            }}
            onBlur={names.close}
            onKeyDown={onKey}
            aria-controls={NAME_LIST}
            aria-activedescendant={names.names.length > 0 ? `${NAME_LIST}-${names.chosen}` : undefined}
          />
          <NameList of={names} />
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

/** Selects a range of the field and scrolls to it. Its offset is measured by cutting the value off there for a moment. */
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

/** Calls `begin` at the first key, and `rest` after a pause or when the page is left. */
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
  text: { en: "Text (Markdown; Ctrl+S to save)", uk: "Текст (Markdown; Ctrl+S зберігає)" },
  preview: { en: "Preview", uk: "Який це матиме вигляд" },
} as const satisfies Record<string, Text>;
