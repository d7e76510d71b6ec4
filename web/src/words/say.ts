import { createContext, useContext } from "react";
import type { Language, Text } from "../../../src/base/text.ts";
import { speak } from "../api/client.ts";

export type { Language, Text };

/** What the reader chose: kept in this browser, nowhere else. */
export interface Reader {
  readonly language: Language;
  readonly theme: Theme;
  readonly choose: (of: { readonly language?: Language; readonly theme?: Theme }) => void;
}

export type Theme = "system" | "light" | "dark";

export const ReaderContext = createContext<Reader | undefined>(undefined);

export function useReader(): Reader {
  const reader = useContext(ReaderContext);
  if (!reader) throw new Error("no reader");
  return reader;
}

/** A sentence in both languages as the reader wants it; `{}` is filled in, in order. */
export function useSay(): (text: Text, ...filled: readonly (string | number)[]) => string {
  const { language } = useReader();
  return (text, ...filled) => {
    let at = 0;
    return text[language].replaceAll("{}", () => String(filled[at++] ?? ""));
  };
}

const KEY = "garden-bloom.reader";

export function storedReader(): { language: Language; theme: Theme } {
  const asked = new URLSearchParams(location.search).get("lang");
  let stored: { language?: unknown; theme?: unknown } = {};
  try {
    stored = JSON.parse(localStorage.getItem(KEY) ?? "{}") as typeof stored;
  } catch {
    // Nothing of use was stored, or storage is closed to us: then the browser's wishes count.
  }
  const preferred = navigator.languages.some((each) => each.toLowerCase().startsWith("uk")) ? "uk" : "en";
  const wish = asked ?? stored.language;
  const language = wish === "uk" || wish === "en" ? wish : preferred;
  const theme = stored.theme === "light" || stored.theme === "dark" ? stored.theme : "system";
  return { language, theme };
}

export function applyReader({ language, theme }: { readonly language: Language; readonly theme: Theme }): void {
  document.documentElement.lang = language;
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
  speak(language);
  try {
    localStorage.setItem(KEY, JSON.stringify({ language, theme }));
  } catch {
    // A browser that keeps nothing asks again next time.
  }
}
