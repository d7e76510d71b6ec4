import type { Failure } from "../../base/failure.ts";
import { type Text, verbatim } from "../../base/text.ts";
import { isLoopback } from "../../domain/garden-address.ts";
import { isGatewayRole, type ProcessRole, processRoles } from "../../domain/peer.ts";
import { makeSignInCode } from "../../garden/agents/access/sign-in.ts";
import { forgetGatewayUrl, recordGatewayUrl, signInLink } from "../../garden/core/access/gateway-url.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { holdServed, recordKnownGarden } from "../../garden/life/known-gardens.ts";
import { holdUpkeep, startUpkeep, type Upkeep } from "../../garden/life/upkeep.ts";
import type { Command, CommandContext, ServeWish } from "../command.ts";
import { usageError } from "../failures.ts";
import { choiceOption, example, option, textOption } from "../options.ts";
import { formatTime } from "../text-layout.ts";
import { withGarden } from "../with-garden.ts";

const DEFAULT_PORT = 4440;
const LOG_FORMS = ["json"] as const;
/** A worker serves /health and /metrics only, beside a gateway on the same machine. */
const DEFAULT_WORKER_PORT = 4460;

export const upCommand: Command = {
  name: "up",
  summary: { en: "serve the garden on HTTP until stopped", uk: "запустити сад, доки його не зупинять" },
  usage: "",
  words: [0, 0],
  options: {
    port: option(
      "N",
      `port (default: PORT, or ${DEFAULT_PORT} or the next free one)`,
      `порт (інакше PORT, інакше ${DEFAULT_PORT} або наступний вільний)`,
    ),
    role: option(
      "ROLE",
      "gateway (answers, decides and applies), worker (carries out runs), or all (default)",
      "gateway (відповідає, вирішує й застосовує), worker (виконує запуски) або all (інакше)",
    ),
    log: option(
      "FORM",
      "json: a line of JSON for each request, run and failure, with its correlation id",
      "json: рядок JSON на кожен запит, запуск і збій, з correlation id",
    ),
    host: option(
      "H",
      "address (default: BLOOM_HOST, or this machine only)",
      "адреса (інакше BLOOM_HOST, інакше лише ця машина)",
    ),
  },
  examples: [
    example("bloom up", "reachable from this machine only", "лише для цієї машини"),
    example("bloom up --port 8080", "on another port", "на вибраному порті"),
    example("bloom up --role worker", "carry out runs beside a gateway", "виконувати запуски поряд зі шлюзом"),
  ],
  run: (context) => {
    const role = choiceOption(context, "role", processRoles) ?? "all";
    const usual = isGatewayRole(role) ? DEFAULT_PORT : DEFAULT_WORKER_PORT;
    const asked = textOption(context, "port") ?? context.machine.port;
    const host = textOption(context, "host") ?? context.machine.host ?? "127.0.0.1";
    const addresses = WILDCARDS.includes(host) ? (context.machine.addresses?.() ?? []) : [];
    const at: ServeWish = {
      role,
      log: choiceOption(context, "log", LOG_FORMS),
      host,
      port: asked === undefined ? usual : portNumber(asked),
      findFree: asked === undefined,
      // An address cannot be rebound by DNS as a name can, so the machine's own addresses need no setting.
      allowedHosts: [...context.machine.allowedHosts, ...addresses],
    };
    return withGarden(context, async (garden) => {
      const stopped = context.machine.stopRequested();
      const reportTrouble = (what: string, failure: Failure): void =>
        context.say(
          { en: `! ${what}: ${failure.text.en}`, uk: `! ${what}: ${failure.text.uk}` },
          { event: "trouble", part: what, code: failure.code, message: failure.text.en },
        );
      const serving = await context.machine.serve(garden, at, (failure) => reportTrouble("runs", failure));
      const served = isGatewayRole(role) ? await holdServed(context.ground, garden.dir) : undefined;
      const upkeep = await keepUp(context, garden, role, reportTrouble);
      try {
        printAddress(context, garden.config.name, role, serving.url);
        if (!isLoopback(host)) warnOfNetwork(context, new URL(serving.url).port, addresses);
        if (isGatewayRole(role)) {
          await recordGatewayUrl(garden, serving.url, WILDCARDS.includes(host));
          await recordKnownGarden(context.ground, garden.dir);
          await printSignInLink(context, garden, serving.url);
        }
        await stopped;
      } finally {
        await forgetGatewayUrl(garden, serving.url).catch(() => undefined);
        served?.release();
        await serving.stop();
        await upkeep.stop();
      }
      return { text: verbatim(""), json: undefined };
    });
  },
};

/** The periodic work of this process. A worker only notices changed settings: it decides and applies nothing. */
async function keepUp(
  context: CommandContext,
  garden: Garden,
  role: ProcessRole,
  report: (what: string, failure: Failure) => void,
): Promise<Upkeep> {
  if (!isGatewayRole(role)) return startUpkeep(garden, report, { mayWork: () => false });
  const held = holdUpkeep(garden, (failure) => report("upkeep", failure));
  await held.tried;
  const messenger = await context.machine.messenger?.(garden);
  const { sendNews } = context.machine;
  const upkeep = startUpkeep(garden, report, { messenger, sendNews, mayWork: () => held.isHeld });
  return {
    async stop() {
      await upkeep.stop();
      await held.close();
    },
  };
}

const WILDCARDS = ["0.0.0.0", "::"];

/** Other machines can reach the garden now, and plain HTTP protects neither the notes nor the sign-in on their way. */
function warnOfNetwork(context: CommandContext, port: string, addresses: readonly string[]): void {
  const urls = addresses.map((address) => `http://${address.includes(":") ? `[${address}]` : address}:${port}/`);
  const also = (lead: string): string => urls.map((url) => `  ${lead} ${url}\n`).join("");
  context.say(
    {
      en: `${also("From other machines:")}! Plain HTTP: others on the network can read what is sent, sign-in links included. Use it on a network you trust, or put a proxy with HTTPS in front and name its host in BLOOM_ALLOWED_HOSTS.`,
      uk: `${also("З інших машин:")}! HTTP без шифрування: інші в цій мережі можуть прочитати передане, разом із посиланнями для входу. Вмикайте це лише в мережі, якій довіряєте, або поставте попереду проксі з HTTPS і вкажіть його ім'я в BLOOM_ALLOWED_HOSTS.`,
    },
    { urls, plain_http: true },
  );
}

function printAddress(context: CommandContext, name: string, role: ProcessRole, url: string): void {
  const worker: Text = {
    en: `A worker of “${name}” is running; its health: ${url}health`,
    uk: `Виконавець запусків саду «${name}» працює; його стан: ${url}health`,
  };
  const gateway: Text = { en: `“${name}” is running at ${url}`, uk: `«${name}» працює: ${url}` };
  context.say(isGatewayRole(role) ? gateway : worker, { name, role, url });
}

/** Only the owner can read this terminal. The link expires soon and works once. */
async function printSignInLink(context: CommandContext, garden: Garden, url: string): Promise<void> {
  const { code, expires_at } = await makeSignInCode(garden);
  const sign_in = signInLink(url, code);
  const until = formatTime(expires_at).slice("2026-02-14 ".length);
  context.say(
    {
      en: `To sign in, open this link in your browser: ${sign_in}\n  It works once, until ${until}; for a new one: \`bloom token link\`. Ctrl+C stops the garden.`,
      uk: `Щоб увійти, відкрийте це посилання в браузері: ${sign_in}\n  Воно спрацює один раз, до ${until}; нове дасть \`bloom token link\`. Зупинити сад — Ctrl+C.`,
    },
    { sign_in, expires_at },
  );
}

function portNumber(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw usageError(
    { en: `--port: not a port: ${text}`, uk: `--port: це не порт: ${text}` },
    {
      en: "Use a number from 0 to 65535 (0: any free port).",
      uk: "Вкажіть число від 0 до 65535 (0 — будь-який вільний).",
    },
  );
}
