import type { Text, Translate } from "../i18n/use-t.ts";

/** Labels of the gateway's codes. */
export const actionLabels: Readonly<Record<string, Text>> = {
  "propose-note": { en: "new note", uk: "нова нотатка" },
  "propose-edit": { en: "edit", uk: "правка" },
  "propose-tag": { en: "tags", uk: "теги" },
  "propose-comment": { en: "comment", uk: "коментар" },
  "propose-summary": { en: "summary", uk: "підсумок" },
  "propose-artifact": { en: "artifact", uk: "артефакт" },
  "memory-update": { en: "memory", uk: "пам’ять" },
  "logic-update": { en: "logic", uk: "логіка" },
  "logic-rollback": { en: "logic rollback", uk: "повернення логіки" },
  "propose-merge": { en: "session merge", uk: "злиття сесії" },
};

export const runStateLabels: Readonly<Record<string, Text>> = {
  requested: { en: "requested", uk: "замовлено" },
  queued: { en: "queued", uk: "у черзі" },
  running: { en: "running", uk: "працює" },
  waiting: { en: "needs you", uk: "чекає на вас" },
  completed: { en: "completed", uk: "завершено" },
  failed: { en: "failed", uk: "невдача" },
  cancelled: { en: "cancelled", uk: "скасовано" },
};

export const sessionStateLabels: Readonly<Record<string, Text>> = {
  waiting: { en: "needs you", uk: "чекає на вас" },
  running: { en: "at work", uk: "працює" },
  open: { en: "open", uk: "відкрита" },
  merged: { en: "merged", uk: "злита" },
};

export const agentStateLabels: Readonly<Record<string, Text>> = {
  draft: { en: "draft", uk: "чернетка" },
  active: { en: "active", uk: "активний" },
  paused: { en: "paused", uk: "на паузі" },
  error: { en: "error", uk: "помилка" },
  archived: { en: "archived", uk: "в архіві" },
};

export const proposalStateLabels: Readonly<Record<string, Text>> = {
  pending: { en: "pending", uk: "чекає рішення" },
  approved: { en: "approved", uk: "схвалено" },
  auto_approved: { en: "approved by rule", uk: "схвалено правилом" },
  rejected: { en: "rejected", uk: "відхилено" },
  applying: { en: "applying", uk: "застосовується" },
  applied: { en: "applied", uk: "застосовано" },
  failed: { en: "not applied", uk: "не вдалося застосувати" },
  expired: { en: "expired", uk: "строк минув" },
};

const TONES: Readonly<Record<string, readonly string[]>> = {
  good: ["merged", "completed", "active", "applied", "approved", "auto_approved", "ok"],
  bad: ["failed", "error", "rejected"],
  wait: ["waiting", "pending"],
  warn: ["paused", "degraded"],
  info: ["running", "requested", "queued", "applying"],
  draft: ["draft"],
};

/** The colour of a state, as a class of `.state`: only `wait` needs a person. */
export const toneOf = (state: string): string => Object.keys(TONES).find((tone) => TONES[tone]!.includes(state)) ?? "";

/** The name of an identity. The reader is the owner: "you". */
export const actorName = (identity: string, t: Translate): string =>
  identity === "owner"
    ? t({ en: "you", uk: "ви" })
    : identity.startsWith("rule:")
      ? t({ en: "rule “{}”", uk: "правило «{}»" }, identity.slice("rule:".length))
      : identity;
