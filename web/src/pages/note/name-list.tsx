import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, type RefObject, useMemo, useState } from "react";
import { query } from "../../api/queries.ts";
import { type Text, useT } from "../../i18n/use-t.ts";
import { bestNames, completedWord, type OpenWord, openWordAt } from "./completion.ts";

const SHOWN = 8;

/** Names for an unfinished link or tag in a text field: arrows choose, Enter or Tab takes one, Escape closes. */
export function useNameList(field: RefObject<HTMLTextAreaElement | null>, onTaken: () => void) {
  const [open, setOpen] = useState<OpenWord>();
  const [chosen, setChosen] = useState(0);
  const graph = useQuery({ ...query("GET /graph", { query: {} }), enabled: open?.kind === "link" }).data;
  const tags = useQuery({ ...query("GET /tags", {}), enabled: open?.kind === "tag" }).data;
  const names = useMemo(() => {
    if (!open) return [];
    const all = open.kind === "link" ? graph?.notes.map(({ title }) => title) : tags?.tags.map(({ tag }) => tag);
    return bestNames([...new Set(all)], open.typed, SHOWN);
  }, [open, graph, tags]);
  const look = (): void => {
    const { value = "", selectionStart = 0, selectionEnd = 0 } = field.current ?? {};
    setOpen(selectionStart === selectionEnd ? openWordAt(value, selectionStart) : undefined);
    setChosen(0);
  };
  const take = (name: string): void => {
    const shown = field.current;
    if (!shown || !open) return;
    const caret = shown.selectionStart;
    shown.focus();
    shown.setSelectionRange(open.from, caret);
    // Through the browser's own editing, so that Ctrl+Z takes it back.
    document.execCommand("insertText", false, completedWord(open.kind, name, shown.value.slice(caret)));
    if (open.kind === "link" && shown.value.startsWith("]]", shown.selectionStart))
      shown.setSelectionRange(shown.selectionStart + 2, shown.selectionStart + 2);
    setOpen(undefined);
    onTaken();
  };
  /** True if the key was for the list. */
  const onKey = (event: KeyboardEvent): boolean => {
    if (names.length === 0 || event.ctrlKey || event.metaKey || event.altKey) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setChosen((chosen + step + names.length) % names.length);
    else if (event.key === "Enter" || event.key === "Tab") take(names[chosen]!);
    else if (event.key === "Escape") setOpen(undefined);
    else return false;
    event.preventDefault();
    return true;
  };
  return { names, chosen, kind: open?.kind, look, take, onKey, close: () => setOpen(undefined) };
}

export const NAME_LIST = "note-names";

export function NameList({ of }: { readonly of: ReturnType<typeof useNameList> }) {
  const t = useT();
  const { names, chosen, kind, take } = of;
  return (
    <div className="name-list" aria-live="polite">
      {names.length > 0 && (
        <ul id={NAME_LIST} role="listbox" aria-label={t(kind === "tag" ? words.tags : words.notes)}>
          {names.map((name, index) => (
            // The keys are handled by the text field, which keeps the focus.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
            <li
              key={name}
              id={`${NAME_LIST}-${index}`}
              role="option"
              aria-selected={index === chosen}
              onPointerDown={(event) => {
                event.preventDefault();
                take(name);
              }}
            >
              {kind === "tag" ? `#${name}` : name}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const words = {
  notes: { en: "Notes to link", uk: "Нотатки для посилання" },
  tags: { en: "Tags", uk: "Теги" },
} as const satisfies Record<string, Text>;
