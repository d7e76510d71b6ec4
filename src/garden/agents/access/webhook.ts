import { createHash } from "node:crypto";
import type { Identity } from "../../../domain/identity.ts";
import { keys } from "../../../domain/layout.ts";
import { webhookSignature } from "../../../domain/webhook-signature.ts";
import { everyKey } from "../../../ports/store.ts";
import { currentSettings } from "../../core/access/current-settings.ts";
import type { Garden } from "../../core/garden.ts";
import { notSigned, noWebhookSecret, signatureReplayed, staleTimestamp } from "./failures.ts";
import { sameText } from "./token.ts";

/** Allowed clock difference between sender and gateway; also the lifetime of a signature. */
export const WINDOW_SECONDS = 5 * 60;

export interface SignedRequest {
  readonly name: string;
  /** Seconds since 1970, as the sender wrote them. */
  readonly timestamp: string;
  /** `sha256=<64 hex digits>` over `<timestamp>.<body>`. */
  readonly signature: string;
}

/**
 * The identity of a signed request. A signature is valid once: its hash is stored before the body is used, so a replay is refused, also
 * after a restart and on another machine. A sender that got no answer signs again with the same correlation id.
 */
export async function identityOfWebhook(
  garden: Pick<Garden, "settings" | "world" | "store">,
  secretOf: (variable: string) => string | undefined,
  signed: SignedRequest,
  body: Uint8Array,
): Promise<Identity> {
  const hook = (await currentSettings(garden)).webhooks.find(({ name }) => name === signed.name);
  const secret = hook && secretOf(hook.secret_env);
  if (hook && !secret) throw noWebhookSecret(hook.secret_env);
  // An unknown name takes as long as a wrong signature, so timing does not reveal names.
  const expected = webhookSignature(secret ?? "nobody's", signed.timestamp, body);
  if (!sameText(signed.signature, expected) || !hook) throw notSigned();
  const now = garden.world.now();
  if (!/^\d{1,12}$/.test(signed.timestamp) || Math.abs(Number(signed.timestamp) - now / 1000) > WINDOW_SECONDS)
    throw staleTimestamp(WINDOW_SECONDS);
  const hash = createHash("sha256").update(`${hook.name}\0${signed.signature}`).digest("hex");
  // The day of the sender's timestamp: a replay after midnight finds the same key.
  const day = new Date(Number(signed.timestamp) * 1000).toISOString().slice(0, 10);
  const record = { webhook: hook.name, at: new Date(now).toISOString() };
  const claimed = await garden.store.create(
    keys.usedSignature(day, hash),
    Buffer.from(`${JSON.stringify(record, null, 2)}\n`),
  );
  if (claimed.kind === "taken") throw signatureReplayed();
  return { type: "webhook", name: hook.name, actions: hook.actions };
}

/** Removes used signatures of the days before yesterday. */
export async function forgetOldSignatures({ store, world }: Pick<Garden, "store" | "world">): Promise<void> {
  const yesterday = new Date(world.now() - 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
  for await (const { key } of everyKey(store, keys.usedSignatures)) {
    if (key.slice(keys.usedSignatures.length).slice(0, 10) >= yesterday) return; // keys come in order of days
    const there = await store.get(key);
    if (there) await store.remove(key, there.hash);
  }
}
