import { Search } from "lucide-react";
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { AgentFlower } from "../components/agent-flower.tsx";
import { FLOWER_PX, Flower } from "../components/flower.tsx";
import { isApple } from "../components/kbd.tsx";
import { type Text, useT } from "../i18n/use-t.ts";
import type { Entry, EntryGroup, PaletteScope } from "./entry.ts";
import { matchParts } from "./match.ts";
import { rankedEntries } from "./ranked.ts";
import { useEntries } from "./use-entries.ts";
import "../style/palette.css";

/** Finds and does. Enter opens the selected line, ⌘ or Ctrl with Enter acts; it never approves. */
export function Palette({ scope, onClose }: { readonly scope: PaletteScope; readonly onClose: () => void }) {
  const t = useT();
  const list = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const groups = rankedEntries(useEntries(scope, typed), typed);
  const entries = groups.flatMap((group) => group.entries);
  const selected = entries[Math.min(at, entries.length - 1)];
  useLayoutEffect(() => {
    const shown = dialog.current!;
    shown.showModal();
    return () => shown.close();
  }, []);
  const choose = (act: (() => void) | undefined): void => {
    if (!act) return;
    // Closed first: the focus goes back before the page that opens takes it.
    onClose();
    act();
  };
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && entries.length > 0)
      setAt((Math.min(at, entries.length - 1) + step + entries.length) % entries.length);
    else if (event.key === "Enter" && !event.repeat && !event.nativeEvent.isComposing)
      choose(event.metaKey || event.ctrlKey ? selected?.act?.run : selected?.open);
    else return;
    event.preventDefault();
  };
  const name = t(scope === "notes" ? words.notes : words.title);
  return (
    <dialog
      ref={dialog}
      className="palette"
      aria-label={name}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div className="palette-field">
        <Search size={18} aria-hidden="true" />
        <input
          type="text"
          role="combobox"
          aria-label={name}
          aria-expanded={entries.length > 0}
          aria-controls={list}
          aria-activedescendant={selected && optionId(list, selected)}
          aria-autocomplete="list"
          placeholder={name}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setAt(0);
          }}
          onKeyDown={press}
        />
        <kbd>esc</kbd>
      </div>
      <div id={list} role="listbox" aria-label={name} className="palette-list">
        {groups.map((group) => (
          <Group key={group.id} group={group} list={list} typed={typed} selected={selected} choose={choose} />
        ))}
      </div>
      {entries.length === 0 && <p className="palette-none">{t(words.none, typed)}</p>}
      <p className="palette-foot" aria-hidden="true">
        <kbd>↵</kbd> {t(words.open)}
        {selected?.act && (
          <span>
            <kbd>{isApple ? "⌘" : "Ctrl"}</kbd>
            <kbd>↵</kbd> {selected.act.name}
          </span>
        )}
      </p>
    </dialog>
  );
}

const optionId = (list: string, { id }: Entry): string => `${list} ${id}`.replaceAll(/\s/g, "_");

function Group(props: {
  readonly group: EntryGroup;
  readonly list: string;
  readonly typed: string;
  readonly selected: Entry | undefined;
  readonly choose: (act: () => void) => void;
}) {
  const { group, list, typed, selected, choose } = props;
  const t = useT();
  return (
    <div role="group" aria-label={t(words.groups[group.id])}>
      <p className="label" aria-hidden="true">
        {t(words.groups[group.id])}
      </p>
      {group.entries.map((entry) => (
        <Option
          key={entry.id}
          id={optionId(list, entry)}
          entry={entry}
          typed={typed}
          isSelected={entry.id === selected?.id}
          onChoose={() => choose(entry.open)}
        />
      ))}
    </div>
  );
}

function Option(props: {
  readonly id: string;
  readonly entry: Entry;
  readonly typed: string;
  readonly isSelected: boolean;
  readonly onChoose: () => void;
}) {
  const { id, entry, typed, isSelected, onChoose } = props;
  const { icon: Icon, title, hint } = entry;
  const line = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (isSelected) line.current?.scrollIntoView({ block: "nearest" });
  }, [isSelected]);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field has the focus and the keys
    <div ref={line} id={id} role="option" aria-selected={isSelected} className="palette-line" onClick={onChoose}>
      {"agent" in Icon ? (
        <AgentFlower slug={Icon.agent} size={FLOWER_PX.line} />
      ) : "garden" in Icon ? (
        <Flower of={Icon.garden} size={FLOWER_PX.line} />
      ) : (
        <Icon size={17} aria-hidden="true" />
      )}
      <span className="cut">
        {matchParts(typed, title).map(({ text, isHit }, index) =>
          isHit ? <b key={index}>{text}</b> : <span key={index}>{text}</span>,
        )}
      </span>
      <span className="meta">{hint}</span>
    </div>
  );
}

const words = {
  title: { en: "Find or do", uk: "Пошук і дії" },
  notes: { en: "Open a note", uk: "Відкрити нотатку" },
  none: { en: "Nothing for “{}”.", uk: "Нічого не знайдено: «{}»." },
  open: { en: "Open", uk: "Відкрити" },
  groups: {
    notes: { en: "Notes", uk: "Нотатки" },
    agents: { en: "Agents", uk: "Агенти" },
    waiting: { en: "Waiting", uk: "Чекає рішення" },
    runs: { en: "Runs", uk: "Запуски" },
    do: { en: "Do", uk: "Виконати" },
    gardens: { en: "Other gardens", uk: "Інші сади" },
  },
} as const satisfies Record<string, Text | Record<string, Text>>;
