import { createHash } from "node:crypto";
import { basename } from "node:path";
import { html, raw } from "hono/html";
import { type Language, languages, type Text } from "../base/text.ts";
import type { Identity } from "../domain/identity.ts";
import type { Action } from "../domain/proposal/action.ts";
import type { ProposalCard } from "../domain/proposal/proposal.ts";
import type { PersonRequest } from "../domain/run/request.ts";
import { listPending } from "../garden/changes/proposals/list-proposals.ts";
import type { Garden } from "../garden/core/garden.ts";
import { type GardenStatus, gardenStatus } from "../garden/records/status.ts";
import { openRequests } from "../garden/runs/hold.ts";
import { flowerOf } from "./flower.ts";
import { gardenHealth, type Health, type PartHealth } from "./health.ts";
import { pageStyle } from "./page-style.ts";
import type { RunsFace } from "./route.ts";

export interface Page {
  readonly html: string;
  /** The content security policy that fits this page and no other. */
  readonly policy: string;
  readonly language: Language;
}

type Html = ReturnType<typeof html>;

/**
 * The first page: that the garden is alive and how its parts are; to the owner also what is in it and what waits for a
 * decision. A stranger learns how to sign in, and nothing of what is inside. No script.
 */
export async function firstPage(
  garden: Garden,
  runs: RunsFace | undefined,
  language: Language,
  visitor?: Identity,
): Promise<Page> {
  const health = await gardenHealth(garden, runs);
  const isOwner = visitor?.type === "owner";
  const status = isOwner ? await gardenStatus(garden).catch(() => undefined) : undefined; // what is wrong stands in the health
  const waiting = isOwner ? await listPending(garden, { limit: SHOWN }).catch(() => undefined) : undefined;
  const asked = isOwner ? await openRequests(garden).catch(() => []) : [];
  const say = (text: Text): string => text[language];
  const name = garden.config.name;
  const grownFrom = status?.head?.commit;
  const flower = flowerOf(grownFrom ?? "5".repeat(40), say(words.flower));
  const style = pageStyle(flower.hue);
  const page = await html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${name} · Garden Bloom</title>
<style>${raw(style)}</style>
</head>
<body>
<header>
<span class="brand">Garden Bloom</span>
<nav aria-label="${say(words.languages)}">${languages.map((each) => languageLink(each, language))}</nav>
</header>
<main>
${flower.drawing}
<div>
<h1>${name}</h1>
<p class="lead">${lead(health, say)}</p>
${askedList(asked, say)}
${isOwner ? waitingList(waiting?.proposals, status?.pending, language) : signInHelp(visitor, say)}
<dl>
${status ? facts(garden, status, language) : ""}
${row(say(words.store), part(health.parts.store, language, say(roles[health.parts.store.about] ?? NO_ROLE)))}
${row(say(words.git), part(health.parts.git, language, health.parts.git.about))}
${health.parts.engine.status === "off" ? "" : row(say(words.engine), part(health.parts.engine, language, ""))}
</dl>
</div>
</main>
<footer>
<span>${isOwner ? say(grownFrom === undefined ? words.noCommit : words.grown) : ""}</span>
<span class="links"><a href="/openapi.json">/openapi.json</a> <a href="/health">/health</a>${visitor ? html` <form method="post" action="/sign-out"><button>${say(words.signOut)}</button></form>` : ""}</span>
</footer>
</body>
</html>
`;
  const hash = createHash("sha256").update(style).digest("base64");
  return {
    html: String(page),
    policy: `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
    language,
  };
}

const lead = (health: Health, say: (text: Text) => string): Html =>
  health.status === "ok"
    ? html`<strong>${say(words.alive)}</strong> ${say(words.aliveMore)}`
    : html`<strong>${say(words.unwell)}</strong> ${say(words.unwellMore)}`;

function facts(garden: Garden, status: GardenStatus, language: Language): Html[] {
  const say = (text: Text): string => text[language];
  const { head } = status;
  const rows = [
    row(say(words.folder), html`<code>${basename(garden.dir)}</code>`),
    row(say(words.notes), html`<span class="number">${status.notes.toLocaleString(language)}</span>`),
    row(say(words.agents), agentLinks(status.agents, language)),
  ];
  if (head) {
    const zone = garden.config.schedule.timezone;
    const time = new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, {
      dateStyle: "long",
      timeStyle: "short",
      timeZone: zone,
    });
    rows.push(
      row(
        say(words.head),
        html`${head.subject}<span class="quiet below"><code>${head.commit.slice(0, 10)}</code> · ${head.author} · <time datetime="${new Date(head.at).toISOString()}">${time.format(head.at)} ${zone === "UTC" ? "UTC" : ""}</time></span>`,
      ),
    );
  }
  if (status.uncommitted.length > 0) {
    rows.push(
      row(
        say(words.uncommitted),
        html`<span class="number">${status.uncommitted.length.toLocaleString(language)}</span>`,
      ),
    );
  }
  return rows;
}

function agentLinks(slugs: readonly string[], language: Language): Html {
  const number = html`<span class="number">${slugs.length.toLocaleString(language)}</span>`;
  if (slugs.length === 0) return number;
  const links = slugs.slice(0, SHOWN).map((slug) => html` <a href="/agents/${slug}">${slug}</a>`);
  return html`${number}<span class="quiet below">${links}${slugs.length > SHOWN ? " …" : ""}</span>`;
}

/** What waits for the owner, newest last, with links to all that is known of each. */
function waitingList(cards: readonly ProposalCard[] | undefined, count: number | undefined, language: Language): Html {
  const say = (text: Text): string => text[language];
  if (!cards) return html``;
  if (cards.length === 0) return html`<section><h2>${say(words.nothingWaits)}</h2></section>`;
  const rest = (count ?? cards.length) - cards.length;
  return html`<section>
<h2>${say(words.waiting)}: <span class="number">${(count ?? cards.length).toLocaleString(language)}</span></h2>
<ol class="waiting">
${cards.map(
  (
    card,
  ) => html`<li><a href="/proposals/${card.id}">${card.summary}</a><span class="quiet below">${say(actionWords[card.action])} · <code>${card.target}</code> · ${card.source.type === "owner" ? say(words.owner) : card.source.identity} · <time datetime="${card.created_at}">${card.created_at.slice(0, 16).replace("T", " ")} UTC</time></span></li>
`,
)}</ol>
${rest > 0 ? html`<p class="quiet"><a href="/proposals/pending">${say(words.more)}: ${rest.toLocaleString(language)}</a></p>` : ""}
<p class="quiet next">${say(words.decide)} <code>bloom proposals show ${cards[0]!.id.split("_").at(-1)}</code></p>
</section>`;
}

/** What runs ask, with how to answer. */
function askedList(requests: readonly PersonRequest[], say: (text: Text) => string): Html {
  if (requests.length === 0) return html``;
  return html`<section>
<h2>${say(words.asked)}</h2>
<ol class="waiting">
${requests.slice(0, SHOWN).map(
  ({
    id,
    ask,
    agent_slug,
    run_id,
  }) => html`<li><a href="/runs/${run_id}">${ask.question}</a><span class="quiet below">${agent_slug} · <code>bloom requests answer ${id}</code></span></li>
`,
)}</ol>
</section>`;
}

const signInHelp = (visitor: Identity | undefined, say: (text: Text) => string): Html =>
  visitor?.type === "guest"
    ? html`<section><h2>${say(words.guest)}</h2><p><a href="/notes">${say(words.guestNotes)}</a></p></section>`
    : html`<section><h2>${say(words.signIn)}</h2><p>${say(words.signInHow)} <code>bloom token link</code></p></section>`;

const row = (label: string, value: Html): Html => html`<div><dt>${label}</dt><dd>${value}</dd></div>
`;

function part({ status, remarks }: PartHealth, language: Language, about: string): Html {
  const well = status === "ok";
  return html`<span class="state ${well ? "well" : "ill"}">${well ? "✓" : "✗"} ${(well ? words.well : words.ill)[language]}</span>${about ? html` <span class="quiet">${about}</span>` : ""}${remarks.map((remark) => html` <span class="quiet below">${remark[language]}</span>`)}`;
}

const languageLink = (each: Language, current: Language): Html =>
  each === current
    ? html`<a href="?lang=${each}" lang="${each}" hreflang="${each}" aria-current="true">${names[each]}</a>`
    : html`<a href="?lang=${each}" lang="${each}" hreflang="${each}">${names[each]}</a>`;

const SHOWN = 8;

const actionWords: Readonly<Record<Action, Text>> = {
  "propose-note": { en: "new note", uk: "нова нотатка" },
  "propose-edit": { en: "edit", uk: "правка" },
  "propose-tag": { en: "tags", uk: "теги" },
  "propose-comment": { en: "comment", uk: "коментар" },
  "propose-summary": { en: "summary", uk: "підсумок" },
  "propose-artifact": { en: "artifact", uk: "артефакт" },
  "memory-update": { en: "memory", uk: "пам'ять" },
  "logic-update": { en: "logic", uk: "логіка" },
  "logic-rollback": { en: "back to an earlier logic", uk: "повернення логіки" },
  "propose-merge": { en: "merge of a session", uk: "злиття сесії" },
};

const NO_ROLE: Text = { en: "", uk: "" };
const roles: Readonly<Record<string, Text | undefined>> = {
  owner: { en: "held by this process", uk: "його тримає цей процес" },
  client: { en: "through the process that holds it", uk: "через процес, що його тримає" },
  remote: { en: "in a bucket", uk: "у бакеті" },
};

const names: Readonly<Record<Language, string>> = { uk: "Українська", en: "English" };

const words = {
  languages: { en: "Language", uk: "Мова" },
  alive: { en: "The garden is alive.", uk: "Сад живе." },
  aliveMore: {
    en: "Its history is ordinary git, its records are ordinary files. Both are in place.",
    uk: "Його історія — звичайний git, його записи — звичайні файли. І те, й інше на місці.",
  },
  unwell: { en: "Something is not well.", uk: "Щось негаразд." },
  unwellMore: {
    en: "Nothing is written while a part is away; below stands which one.",
    uk: "Поки якась частина недоступна, нічого не записується; нижче сказано, яка саме.",
  },
  waiting: { en: "Waiting for you", uk: "Чекає на вас" },
  nothingWaits: { en: "Nothing waits for you.", uk: "Ніщо на вас не чекає." },
  more: { en: "More", uk: "Ще" },
  decide: { en: "To see what it would change, and decide:", uk: "Побачити, що зміниться, і вирішити:" },
  owner: { en: "owner", uk: "власник" },
  signIn: { en: "Sign in", uk: "Вхід" },
  signInHow: {
    en: "Open the link that was printed when the garden was started. It is good once; a new one comes from",
    uk: "Відкрийте посилання, надруковане під час запуску саду. Воно діє один раз; нове дає команда",
  },
  signOut: { en: "Sign out", uk: "Вийти" },
  guest: { en: "You are a guest here.", uk: "Ви тут гість." },
  guestNotes: { en: "Notes that are open to you", uk: "Відкриті для вас нотатки" },
  folder: { en: "Folder", uk: "Тека" },
  notes: { en: "Notes", uk: "Нотатки" },
  agents: { en: "Agents", uk: "Агенти" },
  head: { en: "Last commit", uk: "Останній коміт" },
  uncommitted: { en: "Files not committed", uk: "Незакомічені файли" },
  store: { en: "Store", uk: "Сховище" },
  git: { en: "Git", uk: "Git" },
  engine: { en: "Runs", uk: "Запуски" },
  asked: { en: "Agents ask you", uk: "Агенти питають вас" },
  well: { en: "works", uk: "працює" },
  ill: { en: "does not work", uk: "не працює" },
  flower: { en: "A drawn flower", uk: "Намальована квітка" },
  grown: {
    en: "The flower grows from the last commit: each commit, another flower.",
    uk: "Квітка виростає з останнього коміту: новий коміт — нова квітка.",
  },
  noCommit: { en: "No commit could be read.", uk: "Жодного коміту не вдалося прочитати." },
} as const satisfies Record<string, Text>;
