import type { Failure } from "../../base/failure.ts";
import { verbatim } from "../../base/text.ts";
import { makeSignInCode } from "../../garden/agents/access/sign-in.ts";
import { forgetGatewayUrl, recordGatewayUrl, signInLink } from "../../garden/core/access/gateway-url.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { startUpkeep } from "../../garden/life/upkeep.ts";
import type { Command, CommandContext } from "../command.ts";
import { usageError } from "../failures.ts";
import { example, option, textOption } from "../options.ts";
import { formatTime } from "../text-layout.ts";
import { withGarden } from "../with-garden.ts";

const DEFAULT_PORT = 4440;

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
    host: option(
      "H",
      "address (default: BLOOM_HOST, or this machine only)",
      "адреса (інакше BLOOM_HOST, інакше лише ця машина)",
    ),
  },
  examples: [
    example("bloom up", "reachable from this machine only", "лише для цієї машини"),
    example("bloom up --port 8080", "on another port", "на вибраному порті"),
  ],
  run: (context) => {
    const asked = textOption(context, "port") ?? context.machine.port;
    const at = {
      host: textOption(context, "host") ?? context.machine.host ?? "127.0.0.1",
      port: asked === undefined ? DEFAULT_PORT : portNumber(asked),
      findFree: asked === undefined,
      allowedHosts: context.machine.allowedHosts,
    };
    return withGarden(context, async (garden) => {
      const stopped = context.machine.stopRequested();
      const reportTrouble = (what: string, failure: Failure): void =>
        context.say({ en: `! ${what}: ${failure.text.en}`, uk: `! ${what}: ${failure.text.uk}` });
      const serving = await context.machine.serve(garden, at, (failure) => reportTrouble("runs", failure));
      const upkeep = startUpkeep(garden, reportTrouble, await context.machine.messenger?.(garden));
      try {
        printAddress(context, garden.config.name, serving.url);
        await recordGatewayUrl(garden, serving.url);
        await printSignInLink(context, garden, serving.url);
        await stopped;
      } finally {
        await forgetGatewayUrl(garden).catch(() => undefined);
        await serving.stop();
        await upkeep.stop();
      }
      return { text: verbatim(""), json: undefined };
    });
  },
};

const printAddress = (context: CommandContext, name: string, url: string): void =>
  context.say({ en: `“${name}” is running at ${url}`, uk: `«${name}» працює: ${url}` }, { name, url });

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
    { en: `--port: not a port: ${text}`, uk: `це не порт: ${text}` },
    {
      en: "Use a number from 0 to 65535 (0: any free port).",
      uk: "Вкажіть число від 0 до 65535 (0 — будь-який вільний).",
    },
  );
}
