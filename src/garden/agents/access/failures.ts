import { Failure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import { machine } from "../../../domain/layout.ts";

export const authRequired = (): Failure =>
  new Failure("AUTH_REQUIRED", {
    en: "authentication required",
    uk: "для цього треба увійти",
    hint: {
      en: "Open the link that `bloom up` or `bloom token link` prints, or send `Authorization: Bearer` with a token.",
      uk: "Відкрийте посилання, яке друкує `bloom up` або `bloom token link`, чи надішліть токен: `Authorization: Bearer`.",
    },
  });

export const tokenExpired = (): Failure =>
  new Failure("TOKEN_EXPIRED", {
    en: "this token or session has expired",
    uk: "цей токен або сеанс закінчився",
    hint: {
      en: "Sign in again, or ask the owner for a new one.",
      uk: "Увійдіть знову або попросіть у власника новий.",
    },
  });

export type CodeTrouble = "used" | "expired" | "unknown";

export const codeRefused = (reason: CodeTrouble): Failure =>
  new Failure("AUTH_REQUIRED", {
    ...CODE_TROUBLES[reason],
    hint: {
      en: "A link works once, within ten minutes. Create a new one on the machine of the garden: `bloom token link`.",
      uk: "Посилання діє один раз, упродовж десяти хвилин. Створіть нове на машині саду: `bloom token link`.",
    },
    details: { reason },
  });

const CODE_TROUBLES: Readonly<Record<CodeTrouble, Text>> = {
  used: { en: "this sign-in link was already used", uk: "це посилання для входу вже використано" },
  expired: { en: "this sign-in link has expired", uk: "строк дії цього посилання для входу минув" },
  unknown: {
    en: "this sign-in link is not valid: it is incomplete, too old, or belongs to another garden",
    uk: "це посилання для входу не діє: воно неповне, застаре або з іншого саду",
  },
};

export const damagedSharedKey = (): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: "the shared signing key is not 64 hexadecimal digits",
    uk: "спільний ключ підпису — не 64 шістнадцяткові цифри",
    hint: {
      en: "Put the output of `openssl rand -hex 32` into the file that BLOOM_SIGNING_KEY_FILE names (or into BLOOM_SIGNING_KEY), the same for every gateway.",
      uk: "Запишіть вивід `openssl rand -hex 32` у файл, який називає BLOOM_SIGNING_KEY_FILE (або в BLOOM_SIGNING_KEY), однаковий для кожного шлюзу.",
    },
    details: { part: "settings" },
  });

export const noSigningKeyFile = (file: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the file ${file} that BLOOM_SIGNING_KEY_FILE names does not exist`,
    uk: `файлу ${file}, який називає BLOOM_SIGNING_KEY_FILE, немає`,
    hint: {
      en: "Create it with `openssl rand -hex 32 > FILE`, the same for every gateway, or correct the variable.",
      uk: "Створіть його командою `openssl rand -hex 32 > ФАЙЛ`, однаковий для кожного шлюзу, або виправте змінну.",
    },
    details: { part: "settings", file },
  });

export const damagedSigningKey = (): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", {
    en: "the signing key is damaged",
    uk: "ключ підпису пошкоджено",
    hint: {
      en: `Delete ${machine.signingKey}: a new one is created, and every token and session ends.`,
      uk: `Видаліть ${machine.signingKey}: буде створено новий, а всі токени й сеанси закінчаться.`,
    },
    details: { part: "keys" },
  });

export const noToken = (id: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `there is no token ${id}`,
    uk: `немає токена ${id}`,
    hint: { en: "`bloom token list` shows them.", uk: "`bloom token list` показує їх." },
    details: { token: id },
  });

export const noZone = (zone: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `garden.yaml has no zone ${zone}`,
    uk: `у garden.yaml немає зони ${zone}`,
    hint: {
      en: "Add it to `zones` first (`PUT /settings/zones`).",
      uk: "Спершу додайте її до `zones` (`PUT /settings/zones`).",
    },
    details: { zone },
  });

export const notSigned = (): Failure =>
  new Failure("AUTH_REQUIRED", {
    en: "the signature matches no webhook of this garden",
    uk: "цей запит не підписав жоден вебхук цього саду",
  });

export const staleTimestamp = (windowSeconds: number): Failure =>
  new Failure("TOKEN_EXPIRED", {
    en: `X-Bloom-Timestamp differs from the gateway's clock by more than ${windowSeconds} seconds`,
    uk: `X-Bloom-Timestamp відрізняється від годинника шлюзу більш ніж на ${windowSeconds} секунд`,
    details: { window_seconds: windowSeconds },
  });

export const signatureReplayed = (): Failure =>
  new Failure("FORBIDDEN", {
    en: "this signature was already used",
    uk: "цей підпис уже використано",
    hint: {
      en: "Sign each request with the time of sending; a correlation id makes a retry idempotent.",
      uk: "Підписуйте кожен запит наново з часом надсилання; повтор знешкоджує correlation id.",
    },
  });

export const noWebhookSecret = (variable: string): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", {
    en: `the secret of this webhook is not set (${variable})`,
    uk: `секрет цього вебхука не задано (${variable})`,
    hint: {
      en: `Start \`bloom up\` with ${variable} in its environment.`,
      uk: `Запустіть \`bloom up\` зі змінною ${variable} у середовищі.`,
    },
    details: { part: "webhooks" },
  });
