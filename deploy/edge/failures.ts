import { Failure } from "../../src/base/failure.ts";

/** The edge's own refusals. `details.part` names the part that is away, as in the gateway's answers. */

/** `mayHaveHappened`: the request was sent and could change the garden, and its answer is lost. */
export const gatewayAway = (mayHaveHappened: boolean): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", {
    en: "the garden's gateway does not answer",
    uk: "шлюз саду не відповідає",
    hint: mayHaveHappened
      ? {
          en: "The change may have been made: look before you repeat it.",
          uk: "Зміну могло бути внесено: перевірте, перш ніж повторювати.",
        }
      : { en: "Try again in a minute.", uk: "Спробуйте за хвилину." },
    details: { part: "gateway", outcome: mayHaveHappened ? "unknown" : "none" },
    outcome: mayHaveHappened ? "unknown" : "none",
  });

export const notConfigured = (variable: string): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", {
    en: `the edge worker's variable ${variable} is missing or invalid`,
    uk: `змінної ${variable} вузла edge немає або вона хибна`,
    hint: {
      en: "deploy/edge/README.md lists the variables; set it and deploy again.",
      uk: "Змінні перелічено в deploy/edge/README.md; задайте її й розгорніть знову.",
    },
    details: { part: "edge", variable },
  });

export const tooManyRequests = (perMinute: number, retryAfterSeconds: number): Failure =>
  new Failure("RATE_LIMITED", {
    en: `more than ${perMinute} requests in a minute from this address`,
    uk: `понад ${perMinute} запитів за хвилину з цієї адреси`,
    hint: { en: `Try again in ${retryAfterSeconds} s.`, uk: `Спробуйте за ${retryAfterSeconds} с.` },
    details: { retryAfterSeconds },
  });
