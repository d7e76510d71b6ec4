import type { Text } from "../../base/text.ts";

/**
 * S-10: the reasons for which an announcement is not accepted, each with what is wrong and what to do. Nothing of the announcement is here
 * then. "This garden" is the one that announces; its owner is somebody else.
 */
export const announcementRefusals = {
  "no-announcement": {
    en: "There is no announcement at this address: nothing has been published there yet, or it is another repository. Compare the address with its owner.",
    uk: "За цією адресою немає оголошення: там ще нічого не оприлюднили, або це інший репозиторій. Звірте адресу з власником.",
  },
  "malformed-announcement": {
    en: "The announcement is not a list of refs as a garden writes it. Ask its owner to publish again, with a current version.",
    uk: "Оголошення — не перелік посилань, який пише сад. Попросіть власника оприлюднити знову, чинною версією.",
  },
  "not-signed": {
    en: "An announcement has no valid signature, so anybody can have written it. Ask its owner to publish again, and who else can write there.",
    uk: "Оголошення не має чинного підпису, тож його міг написати хто завгодно. Попросіть власника оприлюднити знову і спитайте, хто ще може туди писати.",
  },
  "signed-by-a-stranger": {
    en: "An announcement is signed by a key that is not this garden's. Compare the fingerprint with its owner, by another way than the address came.",
    uk: "Оголошення підписане ключем, який не належить цьому садові. Звірте відбиток із власником, іншим шляхом, ніж прийшла адреса.",
  },
  "rewound-announcement": {
    en: "The address shows an older state than the one accepted before. Nothing here has changed; ask its owner to publish again.",
    uk: "За адресою — давніший стан, ніж прийнятий раніше. Тут нічого не змінилося; попросіть власника оприлюднити знову.",
  },
  "forked-announcement": {
    en: "A second chain of announcements stands beside the known one: two machines of the owner announced at once, or somebody has the key. Ask the owner which one is right.",
    uk: "Поруч із відомим ланцюгом оголошень є другий: оголосили дві машини власника водночас, або хтось має ключ. Спитайте власника, котрий правильний.",
  },
  "stale-number": {
    en: "The number of an announcement does not grow. Ask its owner to publish again.",
    uk: "Номер оголошення не зростає. Попросіть власника оприлюднити знову.",
  },
  "other-garden": {
    en: "An announcement belongs to another garden. Compare the address with its owner.",
    uk: "Оголошення належить іншому садові. Звірте адресу з власником.",
  },
  "foreign-ref": {
    en: "It announces a ref that no garden may announce, so nothing of it is taken. Ask its owner with which program that was published.",
    uk: "Оголошено посилання, якого сад оголошувати не може, тож нічого з нього не взято. Спитайте власника, якою програмою це оприлюднено.",
  },
  "missing-objects": {
    en: "Something that it announces is not at the address, or is damaged. Look again later; if that does not help, ask its owner to publish again.",
    uk: "Частини оголошеного за адресою немає, або вона пошкоджена. Перевірте пізніше; якщо не допоможе, попросіть власника оприлюднити знову.",
  },
  "unsound-objects": {
    en: "Git's own check refuses an object: a name such as `.git` or `..` in a tree, an entry twice, or a malformed commit. Tell the owner of that garden.",
    uk: "Власна перевірка git відхиляє об'єкт: назва на кшталт `.git` чи `..` у дереві, запис двічі або спотворений коміт. Скажіть власникові того саду.",
  },
  "too-large": {
    en: "It announces more than this garden takes from another at once. Follow chosen sessions only, or ask its owner to publish less.",
    uk: "Оголошено більше, ніж цей сад бере від іншого за один раз. Стежте лише за вибраними сесіями або попросіть власника оприлюднити менше.",
  },
  "too-much-this-hour": {
    en: "This garden has used up what it may cost here within an hour. Look again later, allow more in garden.yaml (`federation`), or stop following it.",
    uk: "Цей сад вичерпав те, що може взяти тут за годину. Подивіться згодом, дозвольте більше в garden.yaml (`federation`) або перестаньте за ним стежити.",
  },
  "malformed-head": {
    en: "A commit of a session cannot be read as a commit. Tell the owner of that garden.",
    uk: "Коміт сесії не читається як коміт. Скажіть власникові того саду.",
  },
  "unsafe-file": {
    en: "Somewhere in its history is a symbolic link, a submodule, or a name that some system would write elsewhere. Ask its owner to publish a session that begins without files.",
    uk: "Десь у його історії є символьне посилання, підмодуль або назва, яку якась система запише деінде. Попросіть власника оприлюднити сесію, що починається без файлів.",
  },
  "foreign-trace": {
    en: "Its traces tell of a commit of this garden that is in none of its sessions. Tell the owner of that garden.",
    uk: "Його сліди розповідають про коміт цього саду, якого немає в жодній його сесії. Скажіть власникові того саду.",
  },
  "bad-behaviour": {
    en: "A behaviour of its library is damaged, not signed by this garden, or has another id than its logic. Ask its owner to publish it again.",
    uk: "Поведінку з його бібліотеки пошкоджено, не підписано цим садом, або її ідентифікатор не відповідає логіці. Попросіть власника оприлюднити її знову.",
  },
  "bad-kind": {
    en: "A kind in its library is not written as a garden writes it, has the name of a built-in one, lacks a kind above it, or was changed after it was accepted. Tell the owner of that garden.",
    uk: "Вид з його бібліотеки записано не так, як пише сад, він має назву вбудованого, виду над ним немає, або його змінено після прийняття. Скажіть власникові того саду.",
  },
  "rewound-head": {
    en: "The history of a session was rewritten since it was accepted. Ask its owner to go on under a new name.",
    uk: "Історію сесії переписано після того, як її прийняли. Попросіть власника продовжити під новою назвою.",
  },
  "not-owner": {
    en: "A session does not name this garden as its owner. It can be followed from the garden that began it.",
    uk: "Сесія не називає цей сад своїм власником. За нею можна стежити в тому саду, який її почав.",
  },
  "not-allowed": {
    en: "No grant here allows this act for this kind of commit. Add the grant, then look again.",
    uk: "Жоден дозвіл тут не допускає цієї дії для цього виду комітів. Додайте дозвіл і перевірте знову.",
  },
} as const satisfies Record<string, Text>;

export type AnnouncementRefusal = keyof typeof announcementRefusals;
