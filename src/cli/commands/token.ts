import { Failure } from "../../base/failure.ts";
import { joined, type Text, verbatim } from "../../base/text.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { type Action, actions, isAction } from "../../domain/proposal/action.ts";
import { connectAgent, grantIn } from "../../garden/agents/access/connect-agent.ts";
import { makeSignInCode } from "../../garden/agents/access/sign-in.ts";
import {
  expiryOf,
  type IssuedWish,
  issueToken,
  listTokens,
  revokeToken,
  type TokenRecord,
} from "../../garden/agents/access/tokens.ts";
import { gatewayUrl, signInLink } from "../../garden/core/access/gateway-url.ts";
import type { Garden } from "../../garden/core/garden.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { usageError } from "../failures.ts";
import { example, option, textOption } from "../options.ts";
import { gardenCommand } from "../subcommands.ts";
import { formatTime } from "../text-layout.ts";

const MAX_DAYS = 366;
const MAX_RATE = 1000;

export const tokenCommand = gardenCommand({
  name: "token",
  summary: { en: "manage access tokens and sign-in links", uk: "токени для скриптів і гостей та посилання для входу" },
  subcommands: {
    new: {
      usage: "[NAME] [--zone NAME] [--days N]",
      words: [0, 1],
      does: {
        en: "create a token for a script, or a code for the guests of a zone",
        uk: "токен для скрипту або код для гостей зони",
      },
      async run(context, garden, [name]) {
        const wish = wishOf(name, textOption(context, "zone"));
        const made = await issueToken(garden, wish, { by: "owner", days: daysOf(textOption(context, "days")) });
        const about: Text = {
          en: `${made.id}, valid until ${formatTime(made.expires_at)}. It is shown only once:`,
          uk: `${made.id}, діє до ${formatTime(made.expires_at)}. Його показано лише цього разу:`,
        };
        return { text: joined([about, verbatim(made.token)], "\n"), json: made, asked: true };
      },
    },
    agent: {
      usage: "NAME [--actions A,B] [--folder DIR] [--per-minute N] [--starts AGENT,AGENT] [--days N]",
      words: [1, 1],
      does: {
        en: "connect a program outside of the garden (MCP, HTTP): an agent whose contract is its grant, and its token",
        uk: "приєднати програму поза садом (MCP, HTTP): агент, чий контракт — його дозвіл, і токен",
      },
      run: (context, garden, [agent]) => connectOutside(context, garden, agent!),
    },
    list: {
      usage: "",
      words: [0, 0],
      does: { en: "list all tokens", uk: "усі токени" },
      async run(_, garden) {
        const records = await listTokens(garden);
        const lines = records.map((record) => verbatim(tokenLine(record, garden.world.now())));
        const none: Text = { en: "No tokens yet.", uk: "Токенів немає." };
        const tokens = records.map(({ claims, ...rest }) => ({ ...claims, ...rest, expires_at: expiryOf(claims) }));
        return { text: lines.length === 0 ? none : joined(lines, "\n"), json: { tokens }, asked: true };
      },
    },
    revoke: {
      usage: "ID",
      words: [1, 1],
      does: { en: "revoke a token at once", uk: "одразу припинити дію токена" },
      async run(_, garden, [id]) {
        const { revoked_at } = await revokeToken(garden, id!, "owner");
        return { text: { en: `${id} is revoked.`, uk: `${id} більше не діє.` }, json: { id, revoked_at } };
      },
    },
    link: {
      usage: "[--url URL]",
      words: [0, 0],
      does: { en: "print a one-time sign-in link", uk: "одноразове посилання для входу" },
      async run(context, garden) {
        const url = textOption(context, "url") ?? (await gatewayUrl(garden));
        if (url === undefined || !URL.canParse(url)) throw notServed();
        const { code, expires_at } = await makeSignInCode(garden);
        const link = signInLink(url, code);
        return { text: verbatim(link), json: { link, expires_at }, asked: true };
      },
    },
  },
  options: {
    zone: option("NAME", "new: for guests of this zone", "new: код для гостей цієї зони"),
    actions: option("A,B", "agent: actions that it may propose", "agent: що він може пропонувати"),
    folder: option("DIR", "agent: it sees and changes only this folder", "agent: бачить і змінює лише цю теку"),
    "per-minute": option(
      "N",
      "agent: changes that it may propose in a minute (default: the garden's limit)",
      "agent: скільки змін за хвилину може пропонувати (інакше межа саду)",
    ),
    starts: option("AGENT,AGENT", "agent: agents whose runs it may start", "agent: кого він може запускати"),
    days: option(
      "N",
      "new, agent: days until it expires (default: 90, for guests 30)",
      "new, agent: скільки він діє (інакше 90 днів, для гостей 30)",
    ),
    url: option("URL", "link: address of the running garden", "link: де працює сад"),
  },
  examples: [
    example("bloom token new backup-script --days 30", "a token for a script", "токен для скрипту"),
    example("bloom token new --zone porch", "a code for guests", "код для гостей"),
    example(
      "bloom token agent claude --folder notes/work",
      "a program that works over MCP",
      "програма, що працює через MCP",
    ),
  ],
});

async function connectOutside(context: CommandContext, garden: Garden, agent: string): Promise<CommandReport> {
  const may = listIn(textOption(context, "actions"))?.map(expectAction);
  const made = await connectAgent(garden, {
    agent,
    by: commandLineOwner,
    name: `mcp-${Buffer.from(garden.world.random(3)).toString("hex")}`,
    grant: grantIn({
      actions: may,
      folder: textOption(context, "folder"),
      perMinute: rateOf(textOption(context, "per-minute")),
    }),
    starts: listIn(textOption(context, "starts")),
    days: daysOf(textOption(context, "days")),
  });
  const about: Text = {
    en: `${made.created ? `Created agent ${agent}; its contract is its grant. ` : ""}Token ${made.name}, valid until ${formatTime(made.expires_at)}. It is shown only once:`,
    uk: `${made.created ? `Створено агента ${agent}; його контракт — його дозвіл. ` : ""}Токен ${made.name}, діє до ${formatTime(made.expires_at)}. Його показано лише цього разу:`,
  };
  const next: Text = {
    en: "Give it to the program: it sends the token as `Authorization: Bearer`, over MCP to /mcp of the running garden.",
    uk: "Передайте його програмі: вона надсилає токен як `Authorization: Bearer`, через MCP — на /mcp саду, що працює.",
  };
  return { text: joined([about, verbatim(made.token), next], "\n"), json: made, asked: true };
}

const listIn = (written: string | undefined): string[] | undefined => written?.split(",").map((each) => each.trim());

function expectAction(written: string): Action {
  if (isAction(written)) return written;
  throw usageError(
    { en: `--actions: there is no action ${written}`, uk: `--actions: немає дії ${written}` },
    { en: `Choose from ${actions.join(", ")}.`, uk: `Оберіть з: ${actions.join(", ")}.` },
  );
}

const wishOf = (name: string | undefined, zone: string | undefined): IssuedWish =>
  zone === undefined ? { kind: "owner", name: (name ?? "script").slice(0, 100) || "script" } : { kind: "guest", zone };

function tokenLine({ claims, made_at, revoked_at }: TokenRecord, now: number): string {
  const whose =
    claims.kind === "owner"
      ? claims.name
      : claims.kind === "guest"
        ? `guest:${claims.zone}`
        : claims.kind === "agent"
          ? `${claims.slug} ${claims.run}`
          : claims.kind === "outside"
            ? `${claims.slug} ${claims.name}`
            : "session";
  const over = revoked_at !== undefined ? `✗ ${formatTime(revoked_at)}` : claims.expires * 1000 <= now ? "✗" : "✓";
  return `${claims.id}  ${claims.kind.padEnd(7)}  ${formatTime(made_at)} – ${formatTime(claims.expires * 1000)}  ${over}  ${whose}`;
}

function daysOf(days: string | undefined): number | undefined {
  if (days === undefined) return undefined;
  if (/^\d{1,3}$/.test(days) && Number(days) >= 1 && Number(days) <= MAX_DAYS) return Number(days);
  throw usageError(
    { en: `--days: not a number of days: ${days}`, uk: `--days: це не кількість днів: ${days}` },
    { en: `Use a number from 1 to ${MAX_DAYS}.`, uk: `Вкажіть число від 1 до ${MAX_DAYS}.` },
  );
}

function rateOf(rate: string | undefined): number | undefined {
  if (rate === undefined) return undefined;
  if (/^\d{1,4}$/.test(rate) && Number(rate) >= 1 && Number(rate) <= MAX_RATE) return Number(rate);
  throw usageError(
    { en: `--per-minute: not a number of changes: ${rate}`, uk: `--per-minute: це не кількість змін: ${rate}` },
    { en: `Use a number from 1 to ${MAX_RATE}.`, uk: `Вкажіть число від 1 до ${MAX_RATE}.` },
  );
}

const notServed = (): Failure =>
  new Failure("NOT_FOUND", {
    en: "this garden is not running",
    uk: "цей сад зараз ніхто не запустив",
    hint: {
      en: "Start it with `bloom up`, which prints a link, or give its address with `--url`.",
      uk: "Запустіть `bloom up` (він сам друкує посилання) або вкажіть адресу: `--url`.",
    },
  });
