/**
 * Text for people, in both languages of the product. A sentence in one language only does not compile, so no screen,
 * error or help page can fall back to the other language.
 */
export const languages = ["uk", "en"] as const;
export type Language = (typeof languages)[number];
export type Text = Readonly<Record<Language, string>>;

/** Text that is the same in every language: a path, an id, a number, output of another program. */
export const verbatim = (same: string): Text => ({ uk: same, en: same });

/** Joins sentences into one text, language by language. */
export const joined = (parts: readonly Text[], separator = " "): Text => ({
  uk: parts.map((part) => part.uk).join(separator),
  en: parts.map((part) => part.en).join(separator),
});
