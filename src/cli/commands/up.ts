import type { Failure } from "../../base/failure.ts";
import { verbatim } from "../../base/text.ts";
import { makeSignInCode } from "../../garden/agents/access/sign-in.ts";
import { forgetGatewayPlace, signInLink, tellGatewayPlace } from "../../garden/core/access/gateway-place.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { keepUp } from "../../garden/life/upkeep.ts";
import { type Command, type Context, textOption } from "../command.ts";
import { wrongUse } from "../parse.ts";
import { withGarden } from "../with-garden.ts";

const DEFAULT_PORT = 4440;

export const up: Command = {
  name: "up",
  summary: { en: "serve the garden until stopped", uk: "запустити сад, доки його не зупинять" },
  usage: "",
  words: [0, 0],
  options: {
    port: {
      type: "string",
      value: "N",
      about: {
        en: `where to listen (else PORT, else ${DEFAULT_PORT} or the next free)`,
        uk: `порт (інакше PORT, інакше ${DEFAULT_PORT} або наступний вільний)`,
      },
    },
    host: {
      type: "string",
      value: "H",
      about: {
        en: "address to listen at (else BLOOM_HOST, else this machine only)",
        uk: "адреса (інакше BLOOM_HOST, інакше лише ця машина)",
      },
    },
  },
  examples: [
    { line: "bloom up", does: { en: "for this machine only", uk: "лише для цієї машини" } },
    { line: "bloom up --port 8080", does: { en: "at a port of your choice", uk: "на вибраному порті" } },
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
      const tellTrouble = (what: string, failure: Failure): void =>
        context.say({ en: `! ${what}: ${failure.text.en}`, uk: `! ${what}: ${failure.text.uk}` });
      const serving = await context.machine.serve(garden, at, (failure) => tellTrouble("runs", failure));
      const upkeep = keepUp(garden, tellTrouble);
      try {
        tell(context, garden.config.name, serving.url);
        await tellGatewayPlace(garden, serving.url);
        await tellLink(context, garden, serving.url);
        await stopped;
      } finally {
        await forgetGatewayPlace(garden).catch(() => undefined);
        await serving.stop();
        await upkeep.stop();
      }
      return { text: verbatim(""), json: undefined };
    });
  },
};

const tell = (context: Context, name: string, url: string): void =>
  context.say({ en: `“${name}” is up: ${url}`, uk: `«${name}» працює: ${url}` }, { name, url });

/** Whoever reads this terminal is the owner. The link is good once, and for a short while. */
async function tellLink(context: Context, garden: Garden, url: string): Promise<void> {
  const { code, expires_at } = await makeSignInCode(garden);
  const sign_in = signInLink(url, code);
  const until = expires_at.slice(11, 16);
  context.say(
    {
      en: `To sign in, open this link in your browser: ${sign_in}\n  It works once, until ${until} UTC; for another: \`bloom token link\`. Ctrl+C stops the garden.`,
      uk: `Щоб увійти, відкрийте це посилання в браузері: ${sign_in}\n  Воно спрацює один раз, до ${until} UTC; нове дасть \`bloom token link\`. Зупинити сад — Ctrl+C.`,
    },
    { sign_in, expires_at },
  );
}

function portNumber(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw wrongUse(
    { en: `not a port: ${text}`, uk: `це не порт: ${text}` },
    {
      en: "Use a number from 0 to 65535 (0: any free one).",
      uk: "Вкажіть число від 0 до 65535 (0 — будь-який вільний).",
    },
  );
}
