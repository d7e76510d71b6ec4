import { createHash } from "node:crypto";
import { html, raw } from "hono/html";
import { type Language, languages, type Text } from "../base/text.ts";
import { flowerShape } from "../domain/flower.ts";
import type { Identity } from "../domain/identity.ts";
import type { Garden } from "../garden/core/garden.ts";
import { firstCommit } from "../garden/records/agents/flower-facts.ts";
import { flowerSvg } from "./flower-svg.ts";
import type { Health } from "./health.ts";
import { APP } from "./web-app.ts";

export interface PlainPage {
  readonly html: string;
  /** Content security policy: styles and fonts of this server, and nothing else. */
  readonly policy: string;
}

interface PlainPageFacts {
  readonly health: Health;
  readonly visitor: Identity | undefined;
  /** The style sheets of the web app; none if there is no app. */
  readonly styles: readonly string[];
}

export type Html = ReturnType<typeof html>;
type Say = (text: Text) => string;

/** The flower of the sign-in page: the whole plant, in three rings. */
const PLANT = { sizePx: 520, rings: 3, hasStem: true } as const;
const WILTED = { sizePx: 260, rings: 1, hasStem: true } as const;

/**
 * The page at `/`: what this server is, whether it works, and how to sign in. It has no script and shows nothing of the garden but
 * its name and its flower.
 */
export async function plainPage(garden: Garden, facts: PlainPageFacts, language: Language): Promise<PlainPage> {
  const say: Say = (text) => text[language];
  const seed = await flowerText(garden);
  const content = html`${flowerSvg(seed, PLANT)}
<div class="door-text">
<div><h1>${garden.config.name}</h1>
<p class="lede">${say(words.about)}</p></div>
${section(facts, say)}
${states(facts.health, say)}
</div>`;
  const origin = html`${say(words.grows)} <code>${seed.slice(0, 7)}</code>`;
  return framed(garden, { content, origin, seed, visitor: facts.visitor, styles: facts.styles }, language);
}

/** A failure as a page, for a person who opened an address in a browser: what happened and what to do. */
export async function failurePage(
  garden: Garden,
  failure: { readonly message: string; readonly hint: string | undefined; readonly styles: readonly string[] },
  language: Language,
): Promise<PlainPage> {
  const seed = await flowerText(garden);
  const content = html`${flowerSvg(seed, WILTED, "draft")}
<div class="door-text">
<h1>${failure.message.replace(/^./u, (first) => first.toLocaleUpperCase(language))}</h1>
${failure.hint === undefined ? "" : html`<p class="lede">${withCode(failure.hint)}</p>`}
<p><a class="button large" href="/">${words.toStart[language]}</a></p>
</div>`;
  return framed(garden, { content, origin: "", seed, visitor: undefined, styles: failure.styles }, language);
}

/** A page with a form or a message, in the frame of the sign-in page. */
export async function doorPage(
  garden: Garden,
  { content, styles }: { readonly content: Html; readonly styles: readonly string[] },
  language: Language,
): Promise<PlainPage> {
  const seed = await flowerText(garden);
  const inner = html`${flowerSvg(seed, WILTED)}<div class="door-text">${content}</div>`;
  return framed(garden, { content: inner, origin: "", seed, visitor: undefined, styles }, language);
}

/** Without a commit (no main branch) the flower grows from the garden's name. */
const flowerText = (garden: Garden): Promise<string> => firstCommit(garden.repo).catch(() => garden.config.name);

interface Frame {
  readonly content: Html;
  /** Shown at the start of the footer. */
  readonly origin: Html | string;
  readonly seed: string;
  readonly visitor: Identity | undefined;
  readonly styles: readonly string[];
}

async function framed(garden: Garden, frame: Frame, language: Language): Promise<PlainPage> {
  const say: Say = (text) => text[language];
  const { hue, innerHues } = flowerShape(frame.seed, PLANT);
  const hasApp = frame.styles.length > 0;
  const style = `${hasApp ? "" : STYLE}.flower{--flower:${hue};--flower-2:${innerHues[0]};--flower-3:${innerHues[1]}}`;
  const page = await html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${garden.config.name} · Garden Bloom</title>
${frame.styles.map((address) => html`<link rel="stylesheet" href="${address}">`)}
${hasApp ? html`<link rel="icon" href="${APP}flower.svg" type="image/svg+xml">` : ""}
<style>${raw(style)}</style>
</head>
<body class="door">
<header><b>Garden Bloom</b><nav aria-label="${say(words.languages)}">${languages.map((each) => languageLink(each, language))}</nav></header>
<main>
${frame.content}
</main>
<footer>
<span>${frame.origin}</span>
<a href="/openapi.json">${say(words.api)}</a> <a href="/health">${say(words.status)}</a>
${frame.visitor ? html`<form method="post" action="/sign-out"><button class="button small">${say(words.signOut)}</button></form>` : ""}
</footer>
</body>
</html>
`;
  const hash = createHash("sha256").update(style).digest("base64");
  return {
    html: String(page),
    policy: [
      "default-src 'none'",
      ...(hasApp
        ? [`style-src 'self' 'sha256-${hash}'`, "font-src 'self'", "img-src 'self'"]
        : [`style-src 'sha256-${hash}'`]),
      "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    ].join("; "),
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

function section({ visitor, styles }: PlainPageFacts, say: Say): Html {
  if (visitor?.type === "guest")
    return html`<section><h2>${say(words.guest)}</h2><p><a class="button large" href="/notes">${say(words.guestNotes)}</a></p></section>`;
  const hasApp = styles.length > 0;
  if (visitor)
    return html`<section><h2>${say(words.signedIn)}</h2><p>${hasApp ? html`<a class="button primary large" href="${APP}">${say(words.open)}</a>` : withCode(say(words.noApp))}</p></section>`;
  return html`<section>
<h2>${say(words.signIn)}</h2>
<p class="quiet">${say(words.signInHow)}</p>
<form method="get" action="/sign-in">
<label><span class="hidden-visually">${say(words.link)}</span><input class="field" name="code" required maxlength="2000" autocomplete="off" placeholder="${say(words.link)}"></label>
<button class="button primary large">${say(words.signIn)}</button>
</form>
<p class="small faint">${say(words.noLink)}</p>
<p class="command"><span aria-hidden="true">$</span> <code>bloom token link</code></p>
${hasApp ? html`<noscript><p class="small">${say(words.script)}</p></noscript>` : html`<p class="small">${withCode(say(words.noApp))}</p>`}
</section>`;
}

/** Store, git and runs: the parts without which nobody can work here. Other parts are for the owner, in the app. */
function states({ parts, serving }: Health, say: Say): Html {
  const shown = [
    { name: say(words.store), part: parts.store },
    { name: `Git ${/\d[\d.]*/.exec(parts.git.about)?.[0] ?? ""}`, part: parts.git },
    { name: say(words.runs), part: parts.engine },
  ];
  return html`<p class="door-states">${shown.map(
    ({ name, part }) =>
      html`<span class="state ${part.status === "ok" ? "good" : part.status === "off" ? "" : "bad"}">${name}</span> `,
  )}<span class="meta">${say(serving ? words.healthy : words.down)}</span></p>`;
}

const languageLink = (each: Language, current: Language): Html =>
  each === current
    ? html`<a href="/?lang=${each}" lang="${each}" hreflang="${each}" aria-current="true">${names[each]}</a> `
    : html`<a href="/?lang=${each}" lang="${each}" hreflang="${each}">${names[each]}</a> `;

const names: Readonly<Record<Language, string>> = { uk: "Українська", en: "English" };

const words = {
  about: { en: "Agents propose, you decide, git remembers.", uk: "Агенти пропонують, ви вирішуєте, git пам’ятає." },
  healthy: { en: "The garden is running.", uk: "Сад працює." },
  down: {
    en: "Part of the garden is down; writes are paused.",
    uk: "Частина саду недоступна; поки що нічого не записується.",
  },
  store: { en: "Store", uk: "Сховище" },
  runs: { en: "Runs", uk: "Запуски" },
  signIn: { en: "Sign in", uk: "Увійти" },
  signInHow: {
    en: "Open the link that was printed when the garden started, or paste it here. A link works once.",
    uk: "Відкрийте посилання, надруковане під час запуску саду, або вставте його сюди. Воно діє один раз.",
  },
  link: { en: "Paste a sign-in link", uk: "Вставте посилання для входу" },
  noLink: { en: "No link? Make a new one in the terminal:", uk: "Немає посилання? Створіть нове в терміналі:" },
  signedIn: { en: "You are signed in.", uk: "Ви увійшли." },
  signOut: { en: "Sign out", uk: "Вийти" },
  open: { en: "Open the app", uk: "Відкрити застосунок" },
  script: { en: "The app needs JavaScript.", uk: "Застосунку потрібен JavaScript." },
  noApp: {
    en: "This installation has no web app: use the `bloom` command or the API.",
    uk: "Тут немає вебзастосунку: користуйтеся командою `bloom` або API.",
  },
  guest: { en: "You are a guest here.", uk: "Ви тут гість." },
  guestNotes: { en: "Notes that are open to you", uk: "Відкриті для вас нотатки" },
  grows: { en: "The flower grows from the first commit,", uk: "Квітка росте з першого коміту," },
  api: { en: "API", uk: "API" },
  status: { en: "Health", uk: "Стан" },
  toStart: { en: "To the start page", uk: "На початкову сторінку" },
  languages: { en: "Language", uk: "Мова" },
} as const satisfies Record<string, Text>;

/** For an installation without the web app, whose style sheet has all of this. */
const STYLE = `
:root { color-scheme: light dark; }
body { max-width: 38rem; margin: 8vh auto 2rem; padding: 0 1.25rem; font: 1.0625rem/1.6 system-ui, sans-serif; }
h1 { font: 500 2rem/1.2 Literata, Georgia, serif; letter-spacing: -.01em; overflow-wrap: anywhere; }
code { font-family: ui-monospace, monospace; }
header, footer { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; justify-content: space-between; }
.flower { display: none; }
.hidden-visually { position: absolute; clip-path: inset(50%); }
form.consent { display: grid; gap: 1rem; justify-items: start; }
form.consent > button { order: 1; }
.door-states { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
a:focus-visible, button:focus-visible, input:focus-visible { outline: 3px solid; outline-offset: 3px; }
`;
