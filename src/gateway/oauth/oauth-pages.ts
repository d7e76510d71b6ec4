import { html } from "hono/html";
import type { Language, Text } from "../../base/text.ts";
import type { Action } from "../../domain/proposal/action.ts";
import { USUAL_ACTIONS } from "../../garden/agents/access/connect-agent.ts";
import type { OauthClient } from "../../garden/agents/access/oauth/oauth-clients.ts";
import type { Html } from "../plain-page.ts";
import type { AuthorizeFields } from "./authorize-request.ts";

/** Actions that the form offers: changes of notes, one each. Others are for the contract. */
export const OFFERED_ACTIONS: readonly Action[] = [...USUAL_ACTIONS, "propose-summary"];

export interface ConsentForm {
  readonly client: OauthClient;
  readonly redirect: string;
  readonly fields: AuthorizeFields;
  /** The name that the form proposes, or that was sent. */
  readonly agent: string;
  /** An agent of this name exists: its contract is the grant, and the form asks again. */
  readonly existing?: { readonly actions: readonly string[]; readonly folder: string | undefined };
  readonly problem?: string | undefined;
}

/**
 * The owner chooses the grant. Nothing is confirmed by one click or by the Enter key: a box has to be ticked first, the first button is
 * the one that refuses, and no field has the focus.
 */
export function consentForm(form: ConsentForm, language: Language): Html {
  const say = (text: Text): string => text[language];
  const { client, redirect, fields, agent, existing, problem } = form;
  const hidden = Object.entries(fields).filter(([, value]) => value !== undefined);
  return html`<h1>${say(words.title).replace("{}", client.name)}</h1>
<p class="lede">${say(words.asks)}</p>
<p>${say(words.answer)} <code>${shownPlace(redirect)}</code></p>
${problem === undefined ? "" : html`<p role="alert"><b>${problem}</b></p>`}
<form method="post" action="/oauth/authorize" class="consent">
${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button class="button large" name="decision" value="refuse">${say(words.refuse)}</button>
<label class="labelled"><span>${say(words.agent)}</span><input class="field" name="agent" required maxlength="63" pattern="[a-z0-9]([a-z0-9\\-]*[a-z0-9])?" value="${agent}" autocomplete="off"></label>
${existing ? existingGrant(existing, agent, say) : newGrant(say)}
<label class="row"><input type="checkbox" name="confirmed" value="yes" required> ${say(words.confirmed).replace("{}", client.name)}</label>
<button class="button primary large" name="decision" value="connect">${say(words.connect)}</button>
</form>`;
}

const newGrant = (
  say: (text: Text) => string,
): Html => html`<fieldset class="plain"><legend class="quiet small">${say(words.may)}</legend>
${OFFERED_ACTIONS.map((action) => html`<label class="row"><input type="checkbox" name="action" value="${action}"${USUAL_ACTIONS.includes(action) ? html` checked` : ""}> ${say(actionWords[action]!)}</label> `)}
</fieldset>
<label class="labelled"><span>${say(words.folder)}</span><input class="field" name="folder" maxlength="500" placeholder="${say(words.all)}" autocomplete="off"></label>
<label class="labelled"><span>${say(words.rate)}</span><input class="field" name="per_minute" type="number" min="1" max="1000" placeholder="${say(words.usualRate)}" autocomplete="off"></label>`;

const existingGrant = (
  { actions, folder }: NonNullable<ConsentForm["existing"]>,
  agent: string,
  say: (text: Text) => string,
): Html => html`<input type="hidden" name="existing" value="${agent}">
<p>${say(words.existing)} ${actions.map((action) => html`<code>${action}</code> `)}${folder === undefined ? "" : html`(<code>${folder}</code>)`}</p>`;

const actionWords: Readonly<Record<string, Text>> = {
  "propose-note": { en: "new notes", uk: "нові нотатки" },
  "propose-edit": { en: "edits", uk: "правки" },
  "propose-tag": { en: "tags", uk: "теги" },
  "propose-comment": { en: "comments", uk: "коментарі" },
  "propose-summary": { en: "summaries", uk: "підсумки" },
};

/** The host, or the scheme of a native program: what a person can compare. */
function shownPlace(redirect: string): string {
  const { protocol, host } = new URL(redirect);
  return host === "" || !protocol.startsWith("http") ? `${protocol}//` : host;
}

/** A link and a refresh instead of a redirect: browsers apply `form-action` to redirects after a form. */
export const returnPage = (
  client: string,
  address: string,
  language: Language,
): Html => html`<meta http-equiv="refresh" content="0;url=${address}">
<h1>${words.done[language]}</h1>
<p><a class="button primary large" href="${address}">${words.back[language].replace("{}", client)}</a></p>`;

/** A cookie with SameSite=Strict is not sent when another site opened the page, but it is when the page opens itself. */
export const againPage = (address: string): Html =>
  html`<meta http-equiv="refresh" content="0;url=${address}"><p><a href="${address}">…</a></p>`;

export const signInFirst = (address: string, language: Language): Html => html`<h1>${words.signIn[language]}</h1>
<p class="lede">${words.signInHow[language]}</p>
<p class="command"><span aria-hidden="true">$</span> <code>bloom token link</code></p>
<p><a class="button large" href="${address}">${words.signedIn[language]}</a></p>`;

export const oauthWords = {
  client: {
    en: "this program is not registered here",
    uk: "ця програма тут не зареєстрована",
    hint: {
      en: "Start the connection again in the program: it registers itself. Nothing was granted.",
      uk: "Почніть приєднання в програмі знову: вона зареєструється сама. Нічого не дозволено.",
    },
  },
  redirect: {
    en: "the address for the answer is not one that the program registered",
    uk: "адреса для відповіді — не та, яку зареєструвала програма",
    hint: {
      en: "Nothing was sent to it, and nothing was granted. Start the connection again in the program.",
      uk: "Туди нічого не надіслано, і нічого не дозволено. Почніть приєднання в програмі знову.",
    },
  },
} as const;

const words = {
  title: { en: "Connect {}?", uk: "Приєднати {}?" },
  asks: {
    en: "It asks to work in this garden. It will read notes and propose changes; every change waits for your decision.",
    uk: "Програма просить працювати в цьому саду. Вона читатиме нотатки й пропонуватиме зміни; кожна чекатиме на ваше рішення.",
  },
  answer: { en: "Your answer goes to", uk: "Вашу відповідь буде надіслано до" },
  agent: { en: "Name of its agent here", uk: "Ім’я її агента тут" },
  may: { en: "May propose", uk: "Може пропонувати" },
  folder: { en: "Folder", uk: "Тека" },
  all: { en: "all notes", uk: "усі нотатки" },
  usualRate: { en: "as all agents", uk: "як усі агенти" },
  rate: { en: "Changes a minute", uk: "Змін за хвилину" },
  existing: {
    en: "An agent of this name exists. The program will act as it, and its contract stays:",
    uk: "Агент із таким ім’ям уже є. Програма діятиме як він, і його контракт лишиться:",
  },
  confirmed: {
    en: "I started this connection in {} myself.",
    uk: "Я сам(а) почав(ла) це приєднання в {}.",
  },
  connect: { en: "Connect", uk: "Приєднати" },
  refuse: { en: "Refuse", uk: "Відмовити" },
  done: { en: "Connected.", uk: "Приєднано." },
  back: { en: "Back to {}", uk: "Назад до {}" },
  signIn: { en: "Sign in first", uk: "Спершу увійдіть" },
  signInHow: {
    en: "A program asks to be connected to this garden. Open a sign-in link in this browser, then come back here.",
    uk: "Програма просить приєднати її до цього саду. Відкрийте в цьому браузері посилання для входу й поверніться сюди.",
  },
  signedIn: { en: "I am signed in", uk: "Я увійшов (увійшла)" },
} as const satisfies Record<string, Text>;
