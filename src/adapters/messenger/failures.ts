import { asFailure, Failure } from "../../base/failure.ts";

export const noNotifySecret = (name: string, variable: string): Failure =>
  new Failure("AUTH_REQUIRED", {
    en: `notify ${name}: ${variable} is not set, so its messages cannot be signed`,
    uk: `notify ${name}: ${variable} не задано, тож підписати повідомлення нічим`,
    hint: {
      en: `Set ${variable} in the environment of \`bloom up\`.`,
      uk: `Задайте ${variable} в оточенні \`bloom up\`.`,
    },
    details: { destination: name, variable },
  });

export const webhookRefused = (name: string, host: string, status: number): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", {
    en: `notify ${name}: ${host} answered HTTP ${status}`,
    uk: `notify ${name}: ${host} відповів HTTP ${status}`,
    details: { destination: name, status },
  });

export const commandNotStarted = (name: string, program: string, cause: Error): Failure =>
  new Failure("NOT_FOUND", {
    en: `notify ${name}: ${program} cannot be started: ${cause.message}`,
    uk: `notify ${name}: ${program} не запускається: ${cause.message}`,
    hint: {
      en: "Check `command` in garden.yaml: a program on the PATH, or its whole path.",
      uk: "Перевірте `command` у garden.yaml: програма з PATH або повний шлях до неї.",
    },
    details: { destination: name },
    cause,
  });

export const commandFailed = (name: string, program: string, code: number | null, said: string): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", {
    en: `notify ${name}: ${program} ended with ${code ?? "a signal"}${said === "" ? "" : `: ${said.trim()}`}`,
    uk: `notify ${name}: ${program} завершилася з ${code ?? "сигналом"}${said === "" ? "" : `: ${said.trim()}`}`,
    details: { destination: name },
  });

export const maybeDelivered = (name: string, cause: unknown): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", {
    en: `notify ${name}: no answer, so it is unknown whether the message arrived (${asFailure(cause).message})`,
    uk: `notify ${name}: відповіді немає, тож невідомо, чи повідомлення дійшло (${asFailure(cause).text.uk})`,
    outcome: "unknown",
    details: { destination: name },
    cause,
  });

export const pushRefused = (name: string, host: string, status: number): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", {
    en: `notify ${name}: the push service ${host} answered HTTP ${status}`,
    uk: `notify ${name}: служба ${host} відповіла HTTP ${status}`,
    ...((status === 401 || status === 403) && {
      hint: {
        en: "It may not accept the address that it is given: set `contact` of this destination in garden.yaml.",
        uk: "Можливо, їй не підходить вказана адреса: задайте `contact` цього отримувача в garden.yaml.",
      },
    }),
    details: { destination: name, status },
  });

export const noPushContact = (name: string, email: string | undefined): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `notify ${name}: push services need an address to write to about trouble, and ${email === undefined ? "git has no user.email here" : `${email} is none`}`,
    uk: `notify ${name}: службам сповіщень потрібна адреса на випадок проблем, а ${email === undefined ? "у git тут немає user.email" : `${email} не підходить`}`,
    hint: {
      en: "Set it in Settings, Devices, or in garden.yaml: `contact: mailto:you@example.org` beside `push`.",
      uk: "Задайте її в Налаштуваннях, Пристрої, або в garden.yaml: `contact: mailto:you@example.org` поруч із `push`.",
    },
    details: { destination: name },
  });

export const noDevice = (name: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `notify ${name}: no device is subscribed`,
    uk: `notify ${name}: жоден пристрій не підписано`,
    hint: {
      en: "Open the web app on the device: Settings, Notifications, “Notify this device”.",
      uk: "Відкрийте вебзастосунок на пристрої: Налаштування, Сповіщення, «Сповіщати цей пристрій».",
    },
    details: { destination: name },
  });
