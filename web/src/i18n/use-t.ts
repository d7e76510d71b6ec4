import { createContext, useContext } from "react";
import type { Language, Text } from "../../../src/base/text.ts";
import { setRequestLanguage } from "../api/client.ts";
import { storedJson, storeJson } from "../browser-storage.ts";

export type { Language, Text };

/** Language and theme. They are stored in this browser only. */
export interface Preferences {
  readonly language: Language;
  readonly theme: Theme;
  readonly choose: (changes: { readonly language?: Language; readonly theme?: Theme }) => void;
}

export type Theme = "system" | "light" | "dark";

export const PreferencesContext = createContext<Preferences | undefined>(undefined);

export function usePreferences(): Preferences {
  const preferences = useContext(PreferencesContext);
  if (!preferences) throw new Error("PreferencesContext is missing");
  return preferences;
}

export type Translate = (text: Text, ...values: readonly (string | number)[]) => string;

/**
 * Returns the text in the chosen language. `{}` takes the next value; `[note|notes]` takes the plural form for the value before it (in
 * Ukrainian three forms: one, few, many). A text without values is returned as it is: it may be the gateway's own.
 */
export function useT(): Translate {
  const { language } = usePreferences();
  return (text, ...values) => (values.length === 0 ? text[language] : filled(text[language], values, language));
}

function filled(template: string, values: readonly (string | number)[], language: Language): string {
  let at = 0;
  return template.replaceAll(/\{\}|\[([^[\]|]+(?:\|[^[\]|]+)+)\]/g, (_, forms: string | undefined) =>
    forms === undefined ? String(values[at++] ?? "") : pluralForm(forms.split("|"), values[at - 1] ?? 0, language),
  );
}

function pluralForm(forms: readonly string[], value: string | number, language: Language): string {
  const count = typeof value === "number" ? value : Number(value.replaceAll(/\D/g, ""));
  const category = new Intl.PluralRules(language).select(count);
  return forms[category === "one" ? 0 : category === "few" ? 1 : forms.length - 1]!;
}

const KEY = "garden-bloom.reader";

/** `?lang=` wins over the stored language, and that over the browser's. */
export function storedPreferences(): { language: Language; theme: Theme } {
  const requested = new URLSearchParams(location.search).get("lang");
  const stored = (storedJson(KEY) ?? {}) as { readonly language?: unknown; readonly theme?: unknown };
  const preferred = navigator.languages.some((each) => each.toLowerCase().startsWith("uk")) ? "uk" : "en";
  const wanted = requested ?? stored.language;
  const language = wanted === "uk" || wanted === "en" ? wanted : preferred;
  const theme = stored.theme === "light" || stored.theme === "dark" ? stored.theme : "system";
  return { language, theme };
}

export function applyPreferences({ language, theme }: { readonly language: Language; readonly theme: Theme }): void {
  document.documentElement.lang = language;
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
  setRequestLanguage(language);
  storeJson(KEY, { language, theme });
}
