import { isFailure } from "../../base/failure.ts";
import type { NotifyDestination } from "../../domain/config/garden-config.ts";
import type { OutgoingMessage } from "../../domain/notification.ts";
import type { PushDevice, PushKey, PushPayload } from "../../domain/push.ts";
import { maybeDelivered, noDevice, noPushContact, pushRefused } from "./failures.ts";
import type { MessengerSettings } from "./messenger-settings.ts";
import { encryptPush, MAX_PUSH_BYTES, pairFrom, vapidHeader } from "./push-encryption.ts";

/** A message waits so long for a device that is off. */
const KEPT_SECONDS = 86_400;
/** Push services refuse more than 24 hours. */
const SIGNED_FOR_SECONDS = 12 * 3600;
const MOST_TITLE = 200;
const MOST_BODY = 600;

/**
 * Sends one message to every device whose push service the destination names. A device that unsubscribed (404, 410) is removed. Throws
 * only if no device got it (a second attempt would tell the others twice), or if there is no contact to name to the push services.
 */
export async function pushToDevices(
  hosts: readonly string[],
  destination: NotifyDestination,
  message: OutgoingMessage,
  settings: MessengerSettings,
): Promise<void> {
  const all = await settings.push.devices();
  const devices = all.filter(({ endpoint }) => hosts.includes(new URL(endpoint).host));
  if (devices.length === 0) throw noDevice(destination.name);
  const signing = { key: await settings.push.key(), contact: await contactOf(destination, settings) };
  const payload = Buffer.from(JSON.stringify(payloadOf(message)));
  const results = await Promise.all(
    devices.map((device) => pushToOne(device, payload, destination.name, signing, settings)),
  );
  if (results.includes("sent")) return;
  const failures = results.filter((result) => typeof result === "object");
  // One that may have arrived keeps the message from being sent again.
  const failure = failures.find(({ outcome }) => outcome === "unknown") ?? failures[0];
  throw failure ?? noDevice(destination.name);
}

/** RFC 8292 wants an address of whom to tell about trouble, and push services refuse one that cannot exist. */
async function contactOf({ name, contact }: NotifyDestination, { push }: MessengerSettings): Promise<string> {
  if (contact !== undefined) return contact;
  const email = await push.email();
  if (email === undefined || !REAL_ADDRESS.test(email)) throw noPushContact(name, email);
  return `mailto:${email}`;
}

const REAL_ADDRESS = /^[^\s@<>]+@(?!.*\.(?:invalid|local|localhost|test)$)[^\s@<>]+\.[^\s@<>]+$/i;

/** The message as a device shows it. */
export function payloadOf({ id, garden, title, kind, text, events }: OutgoingMessage): PushPayload {
  const [first, ...more] = events;
  const path = first?.link !== undefined && more.length === 0 ? new URL(first.link).pathname : "/app/";
  const shown = title.startsWith(`${garden}: `) ? title.slice(garden.length + 2) : title;
  const lines = more.length > 0 ? events.map((event) => event.title).join("\n") : shown;
  return {
    id,
    title: cut(more.length > 0 ? `${garden}: ${shown}` : garden, MOST_TITLE),
    body: cut(kind === "test" ? text.split("\n")[0]! : lines, MOST_BODY),
    path,
  };
}

const cut = (text: string, most: number): string =>
  (text.length > most ? `${text.slice(0, most - 1)}…` : text).toWellFormed();

async function pushToOne(
  { id, endpoint, p256dh, auth }: PushDevice,
  payload: Uint8Array,
  name: string,
  { key, contact }: { readonly key: PushKey; readonly contact: string },
  { world, egressTo, push, patienceMs = 20_000 }: MessengerSettings,
) {
  const url = new URL(endpoint);
  try {
    const expires = Math.floor(world.now() / 1000) + SIGNED_FOR_SECONDS;
    const response = await egressTo(url).fetch(url, {
      method: "POST",
      body: new Uint8Array(encryptPush(payload.subarray(0, MAX_PUSH_BYTES), { p256dh, auth }, fresh(world))),
      headers: {
        "content-type": "application/octet-stream",
        "content-encoding": "aes128gcm",
        ttl: String(KEPT_SECONDS),
        urgency: "normal",
        authorization: vapidHeader(key, url, contact, expires),
      },
      redirect: "error",
      signal: AbortSignal.timeout(patienceMs),
    });
    await response.body?.cancel();
    if (response.ok) return "sent";
    if (response.status !== 404 && response.status !== 410) return pushRefused(name, url.host, response.status);
    await push.remove(id).catch(() => undefined); // another destination may have removed it
    return "gone";
  } catch (error) {
    return isFailure(error) ? error : maybeDelivered(name, error);
  }
}

/** A private key and a salt for one message. */
function fresh(world: MessengerSettings["world"]): { secret: Uint8Array; salt: Uint8Array } {
  for (;;) {
    const secret = world.random(32);
    try {
      pairFrom(secret);
      return { secret, salt: world.random(16) };
    } catch {
      // one value of 2^32 is no key of the curve
    }
  }
}
