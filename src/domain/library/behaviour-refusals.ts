import type { Text } from "../../base/text.ts";

/** S-9b: the reasons for which a behaviour of another garden is not taken, each with a sentence for the owner. */
export const behaviourRefusals = {
  "malformed-behaviour": {
    en: "A file of the behaviour is not as a garden writes it.",
    uk: "Файл поведінки — не такий, як пише сад.",
  },
  "missing-file": {
    en: "A file of the behaviour is missing.",
    uk: "Бракує файлу поведінки.",
  },
  "stray-file": {
    en: "There is a file that does not belong to a behaviour.",
    uk: "Є файл, який до поведінки не належить.",
  },
  "changed-file": {
    en: "A file was changed after the behaviour was signed.",
    uk: "Файл змінено після того, як поведінку підписали.",
  },
  "too-large": {
    en: "A file of the behaviour is larger than this garden takes.",
    uk: "Файл поведінки більший, ніж бере цей сад.",
  },
  "behaviour-not-signed": {
    en: "The behaviour has no valid signature.",
    uk: "Поведінка не має чинного підпису.",
  },
  "behaviour-of-a-stranger": {
    en: "The behaviour is signed by a key that is not this garden's.",
    uk: "Поведінку підписано ключем, який не належить цьому садові.",
  },
  "other-behaviour": {
    en: "The logic has another behaviour id than the one that it is sent under.",
    uk: "Логіка має інший ідентифікатор поведінки, ніж той, під яким її надіслано.",
  },
  "broken-logic": {
    en: "The diagram has errors, so nothing can follow it.",
    uk: "Діаграма має помилки, тож за нею не можна діяти.",
  },
} as const satisfies Record<string, Text>;

export type BehaviourRefusal = keyof typeof behaviourRefusals;
