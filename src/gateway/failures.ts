import { Failure, type FailureCode } from "../base/failure.ts";
import type { Text } from "../base/text.ts";

/** The gateway's own refusals. Failures of the verbs are defined beside the verbs. */

export const callerNotAllowed = (type: string): Failure =>
  new Failure("FORBIDDEN", {
    en: `${CALLERS[type]?.en ?? type} may not call this endpoint`,
    uk: `це не для: ${CALLERS[type]?.uk ?? type}`,
    details: { identity: type },
  });

const CALLERS: Readonly<Record<string, Text | undefined>> = {
  owner: { en: "the owner", uk: "власника" },
  agent: { en: "agents", uk: "агентів" },
  webhook: { en: "webhooks", uk: "вебхуків" },
  guest: { en: "guests", uk: "гостей" },
};

export const mcpAgentsOnly = (): Failure =>
  new Failure("FORBIDDEN", {
    en: "MCP is for agents outside of the garden, and this is a token of the owner",
    uk: "MCP — для агентів поза садом, а це токен власника",
    hint: {
      en: "Make one for a named agent: `bloom token agent NAME`.",
      uk: "Створіть токен для названого агента: `bloom token agent NAME`.",
    },
  });

export const mayNotStart = (slug: string, starts: readonly string[]): Failure =>
  new Failure("FORBIDDEN", {
    en: `this token may not start runs of ${slug}`,
    uk: `цей токен не може запускати ${slug}`,
    hint:
      starts.length === 0
        ? { en: "It may start no agent.", uk: "Він не може запускати жодного агента." }
        : { en: `It may start ${starts.join(", ")}.`, uk: `Він може запускати: ${starts.join(", ")}.` },
    details: { agent: slug, starts },
  });

export const crossSiteRequest = (): Failure =>
  new Failure("FORBIDDEN", {
    en: "a change with a cookie must come from a page of this garden",
    uk: "зміна за cookie має надходити зі сторінки цього саду",
    hint: {
      en: "Scripts use `Authorization: Bearer` with a token, or send `X-Requested-With`.",
      uk: "Скрипти використовують токен (`Authorization: Bearer`) або надсилають `X-Requested-With`.",
    },
  });

export const headerNotAllowed = (header: "Host" | "Origin", value: string | null): Failure =>
  new Failure("FORBIDDEN", {
    en: `${header} ${JSON.stringify(value?.slice(0, 100) ?? "")} is not allowed`,
    uk: `цей сад не відповідає на ${header} ${JSON.stringify(value?.slice(0, 100) ?? "")}`,
    hint:
      header === "Host"
        ? { en: "Allow the name with BLOOM_ALLOWED_HOSTS.", uk: "Дозвольте назву через BLOOM_ALLOWED_HOSTS." }
        : {
            en: "Only pages of this garden may call it. A proxy must pass the Host header on.",
            uk: "Сторінки інших адрес не можуть його викликати; проксі має передавати заголовок Host.",
          },
    details: { header },
  });

export const unknownAddress = (path: string): Failure =>
  new Failure("NOT_FOUND", {
    en: "there is no endpoint at this address",
    uk: "за цією адресою нічого немає",
    details: { path: path.slice(0, 200) },
  });

export const methodNotAllowed = (method: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${method} is not allowed at this address`,
    uk: `${method} за цією адресою неможливий`,
  });

/** Replaces the message of an INTERNAL_ERROR in answers. */
export const INTERNAL_ERROR_TEXT: Text = { en: "internal error", uk: "щось зламалося всередині" };

export const invalidJson = (why: Text): Failure =>
  new Failure("INVALID_JSON", {
    en: `the request body is not valid JSON: ${why.en}`,
    uk: `тіло запиту має бути JSON: ${why.uk}`,
  });

export const bodyTooLarge = (limit: number): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the request body is too large: at most ${limit} bytes are allowed here`,
    uk: `тіло запиту тут може мати щонайбільше ${limit} байтів`,
    details: { limit },
  });

export const tooManyBodies = (limit: number): Failure =>
  new Failure("RATE_LIMITED", {
    en: `too many large requests at the same time: together at most ${limit} bytes are allowed`,
    uk: `забагато великих запитів водночас: разом дозволено щонайбільше ${limit} байтів`,
    details: { limit, retryAfterSeconds: 5 },
  });

export const tooManyStreams = (limit: number): Failure =>
  new Failure("RATE_LIMITED", {
    en: `too many event streams are open: at most ${limit}`,
    uk: `слухачів уже понад ${limit}`,
    details: { retryAfterSeconds: 30 },
  });

/** O-8: without an engine everything but running works. */
export const noEngine = (): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", {
    en: "runs are not available: this process has no engine",
    uk: "над запусками тут ніхто не працює: рушій не запущено",
    hint: START_GARDEN,
    details: { part: "engine" },
  });

export const noReader = (): Failure =>
  new Failure("NLM_UNAVAILABLE", {
    en: "questions are not available: this process has no reader",
    uk: "тут нікому читати нотатки: цей сервер лише відповідає",
    hint: START_GARDEN,
  });

const START_GARDEN: Text = { en: "Start the garden with `bloom up`.", uk: "Запустіть сад командою `bloom up`." };

export const notOwnAgent = (slug: string): Failure =>
  new Failure("FORBIDDEN", {
    en: "an agent may read only its own data",
    uk: "агент може читати лише своє",
    details: { agent: slug },
  });

export const otherAgentInBody = (slug: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the address names agent ${slug}, the body another one`,
    uk: `в адресі — ${slug}, а в тілі — інший агент`,
    details: { agent: slug },
  });

export function cannotListen(host: string, port: number, code: string, cause: unknown): Failure {
  const why = {
    EADDRINUSE: { en: "it is in use", uk: "він зайнятий" },
    EACCES: { en: "this user may not use it", uk: "цьому користувачеві він недоступний" },
    EADDRNOTAVAIL: { en: "this machine has no such address", uk: "ця машина не має такої адреси" },
  }[code] ?? { en: code, uk: code };
  const failureCode: FailureCode = code === "EADDRINUSE" ? "DUPLICATE_ENTRY" : "VALIDATION_FAILED";
  return new Failure(failureCode, {
    en: `cannot listen at ${host}, port ${port}: ${why.en}`,
    uk: `не вдається слухати ${host}, порт ${port}: ${why.uk}`,
    hint: { en: "Choose another one with `--port N` or `--host H`.", uk: "Виберіть інший: `--port N` або `--host H`." },
    details: { host, port },
    cause,
  });
}
