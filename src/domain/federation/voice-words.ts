import type { Text } from "../../base/text.ts";

/** Each byte is a first and a second syllable. The two lists sound alike, so that owners who speak different languages can compare too. */
const FIRST = {
  en: ["ba", "de", "fi", "go", "hu", "ja", "ke", "li", "mo", "nu", "pa", "re", "si", "to", "vu", "za"],
  uk: ["ба", "де", "фі", "ґо", "ху", "джа", "ке", "лі", "мо", "ну", "па", "ре", "сі", "то", "ву", "за"],
};
const SECOND = {
  en: ["ban", "der", "fin", "gol", "hum", "jak", "kem", "lor", "mit", "nus", "pol", "rad", "sam", "tig", "vek", "zub"],
  uk: ["бан", "дер", "фін", "ґол", "хум", "джак", "кем", "лор", "міт", "нус", "пол", "рад", "сам", "тіґ", "век", "зуб"],
};

/** 96 bits: finding another key with the same words takes as many attempts as breaking a key of that length. */
export const VOICE_WORDS = 12;

/** The beginning of a fingerprint as words to read aloud. Two fingerprints with the same words are the same for every practical purpose. */
export function voiceWords(print: string): Text {
  const bytes = [...atob(print.replace("SHA256:", ""))]
    .slice(0, VOICE_WORDS)
    .map((character) => character.charCodeAt(0));
  const words = (language: "en" | "uk"): string =>
    bytes.map((byte) => `${FIRST[language][byte >> 4]!}${SECOND[language][byte & 15]!}`).join(" ");
  return { en: words("en"), uk: words("uk") };
}
