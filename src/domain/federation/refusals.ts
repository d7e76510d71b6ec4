import type { Text } from "../../base/text.ts";

/** S-10: the reasons for which an announcement is not accepted, each with a sentence for the owner. Nothing of it is here then. */
export const announcementRefusals = {
  "no-announcement": {
    en: "There is no announcement at this address. Either nothing has been published there yet, or the address is another repository.",
    uk: "За цією адресою немає оголошення: або там ще нічого не оприлюднили, або це інший репозиторій.",
  },
  "malformed-announcement": {
    en: "The announcement is not a list of refs as a garden writes it.",
    uk: "Оголошення — не перелік посилань, який пише сад.",
  },
  "not-signed": {
    en: "An announcement has no valid signature.",
    uk: "Оголошення не має чинного підпису.",
  },
  "signed-by-a-stranger": {
    en: "An announcement is signed by a key that is not this garden's. Compare the fingerprint with its owner.",
    uk: "Оголошення підписане ключем, який не належить цьому садові. Звірте відбиток із власником.",
  },
  "rewound-announcement": {
    en: "The address shows an older state than the one accepted before.",
    uk: "За адресою — давніший стан, ніж прийнятий раніше.",
  },
  "forked-announcement": {
    en: "A second chain of announcements stands beside the known one. Two machines of the owner may have announced at once.",
    uk: "Поруч із відомим ланцюгом оголошень є другий. Можливо, оголосили дві машини власника водночас.",
  },
  "stale-number": {
    en: "The number of an announcement does not grow.",
    uk: "Номер оголошення не зростає.",
  },
  "other-garden": {
    en: "An announcement belongs to another garden.",
    uk: "Оголошення належить іншому садові.",
  },
  "foreign-ref": {
    en: "It announces a ref that no garden may announce: only sessions, their dossiers and the traces are taken.",
    uk: "Оголошено посилання, якого сад оголошувати не може: беруться лише сесії, їхні справи та сліди.",
  },
  "missing-objects": {
    en: "Something that it announces is not at the address, or is damaged.",
    uk: "Частини оголошеного за адресою немає, або вона пошкоджена.",
  },
  "too-large": {
    en: "It announces more than this garden takes from another at once.",
    uk: "Оголошено більше, ніж цей сад бере від іншого за один раз.",
  },
  "malformed-head": {
    en: "The newest commit of a session cannot be read as a commit.",
    uk: "Найновіший коміт сесії не читається як коміт.",
  },
  "unsafe-file": {
    en: "A session holds a symbolic link or a submodule.",
    uk: "У сесії є символьне посилання або підмодуль.",
  },
  "foreign-trace": {
    en: "Its traces tell of a commit of this garden that is in none of its sessions.",
    uk: "Його сліди розповідають про коміт цього саду, якого немає в жодній його сесії.",
  },
  "rewound-head": {
    en: "The history of a session was rewritten since it was accepted.",
    uk: "Історію сесії переписано після того, як її прийняли.",
  },
  "not-owner": {
    en: "A session does not name this garden as its owner.",
    uk: "Сесія не називає цей сад своїм власником.",
  },
  "not-allowed": {
    en: "No grant here allows this act for this kind of commit. Add the grant, then look again.",
    uk: "Жоден дозвіл тут не допускає цієї дії для цього виду комітів. Додайте дозвіл і перевірте знову.",
  },
} as const satisfies Record<string, Text>;

export type AnnouncementRefusal = keyof typeof announcementRefusals;
