import type { Language, Text } from "../../../base/text.ts";
import type { NotifyEvent, NotifyKind, OutgoingMessage } from "../../../domain/notification.ts";
import type { OutboxMessage } from "./outbox.ts";

export interface MessageContext {
  readonly garden: string;
  readonly language: Language;
  /** Where the garden is served; undefined if nowhere. */
  readonly url: string | undefined;
  /** Says what kind of thing happened, not what it is about. */
  readonly brief?: boolean | undefined;
}

/** The message in the garden's language. */
export function outgoingMessage(
  message: Pick<OutboxMessage, "id" | "made_at" | "events">,
  context: MessageContext,
): OutgoingMessage {
  const { garden, language } = context;
  const events = message.events.map((event) => shown(event, context));
  const [first] = message.events;
  const title = events.length === 1 ? events[0]!.title : WORDS.several[language].replace("{}", String(events.length));
  return {
    id: message.id,
    garden,
    at: message.made_at,
    kind: events.length === 1 ? first!.kind : "digest",
    title: `${garden}: ${title}`,
    text: events.map((event) => `- ${event.title}${event.link === undefined ? "" : `\n  ${event.link}`}`).join("\n"),
    events,
  };
}

const shown = ({ kind, at, subject, title, path }: NotifyEvent, { language, url, brief }: MessageContext) => ({
  kind,
  at,
  subject,
  title: (brief === true ? KIND_WORDS[kind] : title)[language],
  ...(url !== undefined && { link: new URL(`app/${path}`, url).href }),
});

export function testMessage(id: string, at: string, { garden, language, url }: MessageContext): OutgoingMessage {
  return {
    id,
    garden,
    at,
    kind: "test",
    title: `${garden}: ${WORDS.test[language]}`,
    text: [WORDS.testText[language], ...(url === undefined ? [] : [url])].join("\n"),
    events: [],
  };
}

const KIND_WORDS: Readonly<Record<NotifyKind, Text>> = {
  proposal: { en: "A change waits for your decision", uk: "Зміна чекає на ваше рішення" },
  expiring: { en: "A change expires soon", uk: "Зміна скоро втратить силу" },
  question: { en: "A run asks you something", uk: "Запуск має до вас запитання" },
  "agent-error": { en: "An agent stopped", uk: "Агент зупинився" },
  "run-failed": { en: "A run failed", uk: "Запуск був невдалим" },
  "apply-failed": { en: "An approved change could not be applied", uk: "Схвалену зміну не вдалося застосувати" },
  regression: { en: "Results got worse", uk: "Результати погіршилися" },
  "settings-refused": { en: "The settings are refused", uk: "Налаштування відхилено" },
  "disk-full": { en: "The disk is full", uk: "Диск заповнено" },
};

const WORDS = {
  several: { en: "{} things need you", uk: "на вас чекає: {}" },
  test: { en: "a test message", uk: "пробне повідомлення" },
  testText: {
    en: "Notifications of this garden arrive here.",
    uk: "Сповіщення цього саду приходять сюди.",
  },
} as const;
