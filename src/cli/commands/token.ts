import { Failure } from "../../base/failure.ts";
import { joined, type Text, verbatim } from "../../base/text.ts";
import { makeSignInCode } from "../../garden/agents/access/sign-in.ts";
import {
  expiryOf,
  listTokens,
  makeToken,
  revokeToken,
  type TokenRecord,
  type TokenWish,
} from "../../garden/agents/access/tokens.ts";
import { gatewayPlace, signInLink } from "../../garden/core/access/gateway-place.ts";
import { settingsNow } from "../../garden/core/access/settings-now.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { type Command, type Context, type Report, textOption } from "../command.ts";
import { wrongUse } from "../parse.ts";
import { when } from "../rows.ts";
import { withGarden } from "../with-garden.ts";

const DAY_S = 24 * 60 * 60;

export const token: Command = {
  name: "token",
  summary: {
    en: "tokens for scripts and guests, and links to sign in with",
    uk: "токени для скриптів і гостей та посилання для входу",
  },
  usage: "new|list|revoke|link [NAME|ID]",
  words: [1, 2],
  options: {
    zone: {
      type: "string",
      value: "NAME",
      about: { en: "new: a code for the guests of this zone", uk: "new: код для гостей цієї зони" },
    },
    days: {
      type: "string",
      value: "N",
      about: {
        en: "new: how long it is good for (else 90 days, for guests 30)",
        uk: "new: скільки він діє (інакше 90 днів, для гостей 30)",
      },
    },
    url: {
      type: "string",
      value: "URL",
      about: { en: "link: where the garden is served", uk: "link: де працює сад" },
    },
  },
  examples: [
    { line: "bloom token link", does: { en: "a link to sign in with, once", uk: "одноразове посилання для входу" } },
    { line: "bloom token new backup-script --days 30", does: { en: "a token for a script", uk: "токен для скрипту" } },
    { line: "bloom token new --zone porch", does: { en: "a code for guests", uk: "код для гостей" } },
    { line: "bloom token revoke tok_0123456789abcdef", does: { en: "ends it at once", uk: "одразу припиняє його" } },
  ],
  run(context) {
    const [verb, argument] = context.words;
    const act = verbs[verb!];
    if (!act)
      throw wrongUse(
        { en: `not something to do with tokens: ${verb}`, uk: `з токенами такого не роблять: ${verb}` },
        { en: "Use new, list, revoke or link.", uk: "Вкажіть new, list, revoke або link." },
      );
    return withGarden(context, (garden) => act(garden, context, argument));
  },
};

type Act = (garden: Garden, context: Context, argument: string | undefined) => Promise<Report>;

const verbs: Readonly<Record<string, Act | undefined>> = {
  async new(garden, context, name) {
    const wish = await wishOf(garden, name, textOption(context, "zone"));
    const made = await makeToken(garden, wish, "owner", secondsOf(textOption(context, "days")));
    const about: Text = {
      en: `${made.id}, good until ${when(Date.parse(made.expires_at))}. It is shown this once:`,
      uk: `${made.id}, діє до ${when(Date.parse(made.expires_at))}. Його показано лише цього разу:`,
    };
    return { text: joined([about, verbatim(made.token)], "\n"), json: made, asked: true };
  },

  async list(garden) {
    const records = await listTokens(garden);
    const lines = records.map((record) => verbatim(line(record, garden.world.now())));
    const none: Text = { en: "There are no tokens.", uk: "Токенів немає." };
    const tokens = records.map(({ claims, ...rest }) => ({ ...claims, ...rest, expires_at: expiryOf(claims) }));
    return { text: lines.length === 0 ? none : joined(lines, "\n"), json: { tokens }, asked: true };
  },

  async revoke(garden, _, id) {
    if (id === undefined)
      throw wrongUse(
        { en: "which token?", uk: "який токен?" },
        { en: "Name its id: `bloom token list` shows them.", uk: "Вкажіть його id: їх показує `bloom token list`." },
      );
    const { revoked_at } = await revokeToken(garden, id, "owner");
    return { text: { en: `${id} is over.`, uk: `${id} більше не діє.` }, json: { id, revoked_at } };
  },

  async link(garden, context) {
    const url = textOption(context, "url") ?? (await gatewayPlace(garden));
    if (url === undefined || !URL.canParse(url)) throw nobodyServes();
    const { code, expires_at } = await makeSignInCode(garden);
    const link = signInLink(url, code);
    return { text: verbatim(link), json: { link, expires_at }, asked: true };
  },
};

async function wishOf(garden: Garden, name: string | undefined, zone: string | undefined): Promise<TokenWish> {
  if (zone === undefined) return { kind: "owner", name: (name ?? "script").slice(0, 100) || "script" };
  const { zones } = await settingsNow(garden);
  if (zones.some((each) => each.name === zone)) return { kind: "guest", zone };
  throw new Failure(
    "NOT_FOUND",
    { en: `garden.yaml has no zone ${zone}`, uk: `у garden.yaml немає зони ${zone}` },
    { hint: { en: "Add it to `zones` first.", uk: "Спершу додайте її до `zones`." }, details: { zone } },
  );
}

function line({ claims, made_at, revoked_at }: TokenRecord, now: number): string {
  const whose =
    claims.kind === "owner"
      ? claims.name
      : claims.kind === "guest"
        ? `guest:${claims.zone}`
        : claims.kind === "agent"
          ? `${claims.slug} ${claims.run}`
          : "session";
  const over =
    revoked_at !== undefined ? `✗ ${when(Date.parse(revoked_at))}` : claims.expires * 1000 <= now ? "✗" : "✓";
  return `${claims.id}  ${claims.kind.padEnd(7)}  ${when(Date.parse(made_at))} – ${when(claims.expires * 1000)}  ${over}  ${whose}`;
}

function secondsOf(days: string | undefined): number | undefined {
  if (days === undefined) return undefined;
  if (/^\d{1,3}$/.test(days) && Number(days) >= 1 && Number(days) <= 366) return Number(days) * DAY_S;
  throw wrongUse(
    { en: `not a number of days: ${days}`, uk: `це не кількість днів: ${days}` },
    { en: "Use a number from 1 to 366.", uk: "Вкажіть число від 1 до 366." },
  );
}

const nobodyServes = (): Failure =>
  new Failure(
    "NOT_FOUND",
    { en: "nobody serves this garden now", uk: "цей сад зараз ніхто не запустив" },
    {
      hint: {
        en: "Start it with `bloom up`, which prints a link itself, or name its address with `--url`.",
        uk: "Запустіть `bloom up` (він сам друкує посилання) або вкажіть адресу: `--url`.",
      },
    },
  );
