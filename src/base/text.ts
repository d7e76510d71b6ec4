/**
 * What a person reads, in both languages of the product. A sentence that exists in one language only does not
 * compile, so no screen, error or help page can fall back to the other one.
 */
export const languages = ["uk", "en"] as const;
export type Language = (typeof languages)[number];
export type Text = Readonly<Record<Language, string>>;

/** Something that is the same in every language: a path, an id, a number, a line of somebody else's program. */
export const verbatim = (same: string): Text => ({ uk: same, en: same });

/** Joins sentences into one text, language by language. */
export const joined = (parts: readonly Text[], separator = " "): Text => ({
  uk: parts.map((part) => part.uk).join(separator),
  en: parts.map((part) => part.en).join(separator),
});
