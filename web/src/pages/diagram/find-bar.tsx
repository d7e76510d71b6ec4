import { ChevronDown, ChevronUp, Search, X } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { Button } from "../../components/form.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import type { DiagramPlace } from "./places.ts";
import type { EditorState } from "./use-editor-state.ts";

/** Opens with Ctrl F on the whole page. */
export function useFindKey(open: () => void): void {
  const latest = useRef(open);
  latest.current = open;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.code !== "KeyF") return;
      if (document.querySelector("dialog[open]")) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}

/** Finds icons by their text, in any case. Enter goes to the next one, Shift Enter to the one before, Escape leaves. */
export function FindBar({ editor, onClose }: { readonly editor: EditorState; readonly onClose: () => void }) {
  const t = useT();
  const [wanted, setWanted] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const found = useMemo(() => placesWith(editor.places, wanted), [editor.places, wanted]);
  const at = found.findIndex(({ key }) => key === editor.chosen?.key);
  useEffect(() => field.current?.focus(), []);
  const go = (step: 1 | -1): void => {
    const next = at === -1 ? (step === 1 ? 0 : found.length - 1) : (at + step + found.length) % found.length;
    if (found[next]) editor.choose(found[next].key);
  };
  return (
    <search className="diagram-find card">
      <Search size={15} aria-hidden="true" />
      <input
        ref={field}
        type="search"
        aria-label={t(words.find)}
        placeholder={t(words.find)}
        value={wanted}
        onChange={({ target }) => {
          setWanted(target.value);
          const [first] = placesWith(editor.places, target.value);
          if (first) editor.choose(first.key);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") go(event.shiftKey ? -1 : 1);
          else if (event.key === "Escape") onClose();
          else return;
          event.preventDefault();
        }}
      />
      <span className="meta number" role="status">
        {wanted.trim() === "" ? "" : found.length === 0 ? t(words.none) : t(words.place, at + 1, found.length)}
      </span>
      <Button tone="ghost icon small" aria-label={t(words.before)} onClick={() => go(-1)}>
        <ChevronUp size={15} aria-hidden="true" />
      </Button>
      <Button tone="ghost icon small" aria-label={t(words.next)} onClick={() => go(1)}>
        <ChevronDown size={15} aria-hidden="true" />
      </Button>
      <Button tone="ghost icon small" aria-label={t(words.close)} onClick={onClose}>
        <X size={15} aria-hidden="true" />
      </Button>
    </search>
  );
}

function placesWith(places: readonly DiagramPlace[], wanted: string): readonly DiagramPlace[] {
  const text = wanted.trim().toLocaleLowerCase();
  if (text === "") return [];
  return places.filter((place) => place.kind !== "line" && place.text.toLocaleLowerCase().includes(text));
}

const words = {
  find: { en: "Find an icon", uk: "Знайти ікону" },
  none: { en: "none", uk: "немає" },
  place: { en: "{} of {}", uk: "{} з {}" },
  before: { en: "Previous", uk: "Попередня" },
  next: { en: "Next", uk: "Наступна" },
  close: { en: "Close the search", uk: "Закрити пошук" },
} as const satisfies Record<string, Text>;
