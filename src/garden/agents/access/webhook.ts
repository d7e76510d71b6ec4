import { createHash, createHmac } from "node:crypto";
import { Failure } from "../../../base/failure.ts";
import type { Identity } from "../../../domain/identity.ts";
import { keys } from "../../../domain/layout.ts";
import { everyKey } from "../../../ports/store.ts";
import { settingsNow } from "../../core/access/current-settings.ts";
import type { Garden } from "../../core/garden.ts";
import { sameText } from "./token.ts";

type Ground = Pick<Garden, "folder" | "world" | "store">;

/** How far the sender's clock may be from ours, and so how long a signature is good. */
export const WINDOW_SECONDS = 5 * 60;

export interface SignedRequest {
  readonly name: string;
  /** Seconds since 1970, as the sender wrote them. */
  readonly timestamp: string;
  /** `sha256=<64 hex digits>` over `<timestamp>.<body>`. */
  readonly signature: string;
}

/** What a sender writes into `X-Bloom-Signature`. */
export const webhookSignature = (secret: string, timestamp: string, body: Uint8Array): string =>
  `sha256=${createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest("hex")}`;

/**
 * Whom a signed request proves. A signature is good once: its hash is in the store before anything is done with the body,
 * so that the same request is refused when it comes again, after a restart and on another machine too. A sender that got
 * no answer signs anew, with the same correlation id.
 */
export async function identityOfWebhook(
  garden: Ground,
  secretOf: (variable: string) => string | undefined,
  signed: SignedRequest,
  body: Uint8Array,
): Promise<Identity> {
  const hook = (await settingsNow(garden)).webhooks.find(({ name }) => name === signed.name);
  const secret = hook && secretOf(hook.secret_env);
  if (hook && !secret) throw noSecret(hook.secret_env);
  // An unknown name costs as much time as a wrong signature.
  const expected = webhookSignature(secret ?? "nobody's", signed.timestamp, body);
  if (!sameText(signed.signature, expected) || !hook) throw notSigned();
  const now = garden.world.now();
  if (!/^\d{1,12}$/.test(signed.timestamp) || Math.abs(Number(signed.timestamp) - now / 1000) > WINDOW_SECONDS)
    throw outOfWindow();
  const hash = createHash("sha256").update(`${hook.name}\0${signed.signature}`).digest("hex");
  // By the day that the sender wrote: a replay after midnight looks in the same place.
  const day = new Date(Number(signed.timestamp) * 1000).toISOString().slice(0, 10);
  const record = { webhook: hook.name, at: new Date(now).toISOString() };
  const claimed = await garden.store.create(
    keys.usedSignature(day, hash),
    Buffer.from(`${JSON.stringify(record, null, 2)}\n`),
  );
  if (claimed.kind === "taken") throw replayed();
  return { type: "webhook", name: hook.name, actions: hook.actions };
}

/** Clears away signatures of days whose window is long over. */
export async function forgetOldSignatures({ store, world }: Pick<Garden, "store" | "world">): Promise<void> {
  const yesterday = new Date(world.now() - 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
  for await (const { key } of everyKey(store, keys.usedSignatures)) {
    if (key.slice(keys.usedSignatures.length).slice(0, 10) >= yesterday) return; // keys come in order of days
    const there = await store.get(key);
    if (there) await store.remove(key, there.hash);
  }
}

const notSigned = (): Failure =>
  new Failure("AUTH_REQUIRED", {
    en: "no webhook of this garden signed this request",
    uk: "цей запит не підписав жоден вебхук цього саду",
  });

const outOfWindow = (): Failure =>
  new Failure(
    "TOKEN_EXPIRED",
    {
      en: `X-Bloom-Timestamp is more than ${WINDOW_SECONDS} seconds away from the gateway's clock`,
      uk: `X-Bloom-Timestamp відрізняється від годинника шлюзу більш ніж на ${WINDOW_SECONDS} секунд`,
    },
    { details: { window_seconds: WINDOW_SECONDS } },
  );

const replayed = (): Failure =>
  new Failure(
    "FORBIDDEN",
    { en: "this signature has been used already", uk: "цей підпис уже використано" },
    {
      hint: {
        en: "Sign each request anew with the time of sending; a correlation id makes a repetition harmless.",
        uk: "Підписуйте кожен запит наново з часом надсилання; повтор знешкоджує correlation id.",
      },
    },
  );

const noSecret = (variable: string): Failure =>
  new Failure(
    "UPSTREAM_UNAVAILABLE",
    {
      en: `the secret of this webhook is not set (${variable})`,
      uk: `секрет цього вебхука не задано (${variable})`,
    },
    {
      hint: {
        en: `Start \`bloom up\` with ${variable} in its environment.`,
        uk: `Запустіть \`bloom up\` зі змінною ${variable} у середовищі.`,
      },
      details: { part: "webhooks" },
    },
  );
