import { createHash } from "node:crypto";
import { html, raw } from "hono/html";
import { type Language, languages, type Text } from "../base/text.ts";
import type { Identity } from "../domain/identity.ts";
import type { Garden } from "../garden/core/garden.ts";
import { APP } from "./web-app.ts";

export interface PlainPage {
  readonly html: string;
  /** Content security policy: allows the style of this page and nothing else. */
  readonly policy: string;
}

interface PlainPageFacts {
  /** Store and git work: requests are answered. Other parts in trouble are for the owner, in the app. */
  readonly isServing: boolean;
  readonly hasWebApp: boolean;
  readonly visitor: Identity | undefined;
}

type Html = ReturnType<typeof html>;
type Named = Pick<Garden, "config">;

/**
 * The page at `/`: what this server is, whether it works, and how to sign in. It has no script and shows nothing of the garden but
 * its name.
 */
export function plainPage(
  garden: Named,
  { isServing, hasWebApp, visitor }: PlainPageFacts,
  language: Language,
): Promise<PlainPage> {
  const say = (text: Text): string => text[language];
  const content = html`<h1>${garden.config.name}</h1>
<p>${say(words.about)}</p>
<p>${say(isServing ? words.healthy : words.down)}</p>
${section(visitor, hasWebApp, say)}`;
  return framed(garden, content, visitor, language);
}

/** A failure as a page, for a person who opened an address in a browser: what happened and what to do. */
export function failurePage(
  garden: Named,
  failure: { readonly message: string; readonly hint: string | undefined },
  language: Language,
): Promise<PlainPage> {
  const content = html`<h1>${failure.message.replace(/^./u, (first) => first.toLocaleUpperCase(language))}</h1>
${failure.hint === undefined ? "" : html`<p>${withCode(failure.hint)}</p>`}
<p><a href="/">${words.toStart[language]}</a></p>`;
  return framed(garden, content, undefined, language);
}

async function framed(
  { config }: Named,
  content: Html,
  visitor: Identity | undefined,
  language: Language,
): Promise<PlainPage> {
  const say = (text: Text): string => text[language];
  const page = await html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${config.name} · Garden Bloom</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<main>
${content}
</main>
<footer>
<nav aria-label="${say(words.languages)}">${languages.map((each) => languageLink(each, language))}</nav>
<a href="/openapi.json">${say(words.api)}</a> <a href="/health">${say(words.status)}</a>
${visitor ? html`<form method="post" action="/sign-out"><button>${say(words.signOut)}</button></form>` : ""}
</footer>
</body>
</html>
`;
  const hash = createHash("sha256").update(STYLE).digest("base64");
  return {
    html: String(page),
    policy: `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  };
}

export const pageHeaders = ({ policy }: PlainPage, language: Language): Record<string, string> => ({
  "Content-Type": "text/html; charset=UTF-8",
  "Content-Security-Policy": policy,
  "Content-Language": language,
  Vary: "Accept, Accept-Language, Cookie",
});

/** Text with its `code` spans as elements. */
const withCode = (text: string): Html[] =>
  text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));

function section(visitor: Identity | undefined, hasWebApp: boolean, say: (text: Text) => string): Html {
  if (visitor?.type === "guest")
    return html`<h2>${say(words.guest)}</h2><p><a href="/notes">${say(words.guestNotes)}</a></p>`;
  const app = hasWebApp ? html`<p>${say(words.app)} <a href="${APP}">${APP}</a></p>` : html`<p>${say(words.noApp)}</p>`;
  if (visitor) return html`<h2>${say(words.signedIn)}</h2>${app}`;
  return html`<h2>${say(words.signIn)}</h2><p>${say(words.signInHow)} <code>bloom token link</code></p>${app}`;
}

const languageLink = (each: Language, current: Language): Html =>
  each === current
    ? html`<a href="/?lang=${each}" lang="${each}" hreflang="${each}" aria-current="true">${names[each]}</a> `
    : html`<a href="/?lang=${each}" lang="${each}" hreflang="${each}">${names[each]}</a> `;

const names: Readonly<Record<Language, string>> = { uk: "Українська", en: "English" };

const words = {
  about: {
    en: "A garden of notes: agents propose, people decide, git remembers.",
    uk: "Сад нотаток: агенти пропонують, люди вирішують, git пам’ятає.",
  },
  healthy: { en: "The garden is running.", uk: "Сад працює." },
  down: {
    en: "Part of the garden is down; writes are paused.",
    uk: "Частина саду недоступна; поки що нічого не записується.",
  },
  signIn: { en: "Sign in", uk: "Вхід" },
  signInHow: {
    en: "Open the link that was printed when the garden was started. It works once; a new one comes from",
    uk: "Відкрийте посилання, надруковане під час запуску саду. Воно діє один раз; нове дає команда",
  },
  signedIn: { en: "You are signed in.", uk: "Ви увійшли." },
  signOut: { en: "Sign out", uk: "Вийти" },
  app: {
    en: "After signing in, open the app (it needs JavaScript):",
    uk: "Після входу відкрийте застосунок (потрібен JavaScript):",
  },
  noApp: {
    en: "This installation has no web app: use the `bloom` command or the API.",
    uk: "Тут немає вебзастосунку: користуйтеся командою `bloom` або API.",
  },
  guest: { en: "You are a guest here.", uk: "Ви тут гість." },
  guestNotes: { en: "Notes that are open to you", uk: "Відкриті для вас нотатки" },
  api: { en: "API (OpenAPI)", uk: "API (OpenAPI)" },
  status: { en: "Status", uk: "Стан" },
  toStart: { en: "To the start page", uk: "На початкову сторінку" },
  languages: { en: "Language", uk: "Мова" },
} as const satisfies Record<string, Text>;

const STYLE = `
:root { color-scheme: light dark; }
body { max-width: 38rem; margin: 12vh auto 2rem; padding: 0 1.25rem; font: 1.0625rem/1.6 system-ui, sans-serif; }
h1 { font: 500 2rem/1.2 Literata, Georgia, serif; letter-spacing: -.01em; overflow-wrap: anywhere; }
code { font-family: ui-monospace, monospace; }
footer { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin-top: 3rem; }
a:focus-visible, button:focus-visible { outline: 3px solid; outline-offset: 3px; }
`;
