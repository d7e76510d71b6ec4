import { useState } from "react";
import { storedJson, storeJson } from "../../browser-storage.ts";

const keyOf = (slug: string): string => `garden-bloom.draft.diagram.${slug}.notes`;

/** Comments for reviewers, by icon. They are kept with the drawing in this browser, and become comments on the proposal. */
export interface IconNotes {
  readonly notes: Readonly<Record<string, string>>;
  readonly setNote: (icon: string, text: string) => void;
  readonly clear: () => void;
}

/** The key of an icon of the main diagram (`part` is empty) or of a called one. */
export const noteKey = (part: string, icon: string): string => (part === "" ? icon : `${part}#${icon}`);

export function useIconNotes(slug: string): IconNotes {
  const [notes, setNotes] = useState(() => stored(slug));
  const store = (now: Readonly<Record<string, string>>): void => {
    setNotes(now);
    storeJson(keyOf(slug), now);
  };
  return {
    notes,
    setNote(icon, text) {
      const { [icon]: _before, ...rest } = notes;
      store(text === "" ? rest : { ...rest, [icon]: text });
    },
    clear: () => store({}),
  };
}

function stored(slug: string): Readonly<Record<string, string>> {
  const kept = storedJson(keyOf(slug));
  return typeof kept === "object" && kept !== null ? (kept as Readonly<Record<string, string>>) : {};
}
