import { spawn } from "node:child_process";
import { Failure, isFailure } from "../../base/failure.ts";
import type { NotifyDestination } from "../../domain/config/garden-config.ts";
import type { OutgoingMessage } from "../../domain/notification.ts";
import { webhookSignature } from "../../domain/webhook-signature.ts";
import type { Messenger } from "../../ports/messenger.ts";
import { commandFailed, commandNotStarted, maybeDelivered, noNotifySecret, webhookRefused } from "./failures.ts";
import type { MessengerSettings } from "./messenger-settings.ts";
import { pushToDevices } from "./web-push.ts";

const PATIENCE_MS = 20_000;
const MAX_SAID = 500;
const PASSED_ON = ["PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "TZ", "TMPDIR", "XDG_RUNTIME_DIR"];

/** Sends by signed webhook, by a program of the owner's, or to the owner's devices. */
export const messenger = (settings: MessengerSettings): Messenger => ({
  send: (destination, message) =>
    destination.command
      ? runCommand(destination.command, destination, message, settings)
      : destination.push
        ? pushToDevices(destination.push, destination, message, settings)
        : postWebhook(new URL(destination.webhook!), destination, message, settings),
});

async function postWebhook(
  url: URL,
  { name, secret_env }: NotifyDestination,
  message: OutgoingMessage,
  { secretOf, egressTo, world, patienceMs = PATIENCE_MS }: MessengerSettings,
): Promise<void> {
  const secret = secretOf(secret_env!);
  if (secret === undefined || secret === "") throw noNotifySecret(name, secret_env!);
  const body = Buffer.from(JSON.stringify(message));
  const timestamp = String(Math.floor(world.now() / 1000));
  const headers = {
    "content-type": "application/json",
    "x-bloom-webhook": name,
    "x-bloom-timestamp": timestamp,
    "x-bloom-signature": webhookSignature(secret, timestamp, body),
    "x-correlation-id": message.id,
  };
  let response: Response;
  try {
    const signal = AbortSignal.timeout(patienceMs);
    response = await egressTo(url).fetch(url, { method: "POST", body, headers, redirect: "error", signal });
  } catch (error) {
    // Refused by the allow-list, or no connection: nothing was sent. Anything else may have arrived.
    if (isFailure(error)) throw error;
    throw maybeDelivered(name, error);
  }
  await response.body?.cancel();
  if (!response.ok) throw webhookRefused(name, url.host, response.status);
}

/** The message on standard input: its title, an empty line, its text. Nothing of it gets into a shell. */
function runCommand(
  [program, ...args]: readonly string[],
  { name }: NotifyDestination,
  { kind, title, text }: OutgoingMessage,
  { environment, patienceMs = PATIENCE_MS }: MessengerSettings,
): Promise<void> {
  const passed = Object.fromEntries(
    PASSED_ON.flatMap((key) => (environment[key] === undefined ? [] : [[key, environment[key]]])),
  );
  return new Promise((resolve, reject) => {
    const child = spawn(program!, args, {
      env: { ...passed, BLOOM_NOTIFY_KIND: kind, BLOOM_NOTIFY_TITLE: title },
      stdio: ["pipe", "ignore", "pipe"],
    });
    let said = "";
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      child.kill("SIGKILL");
    }, patienceMs);
    child.stderr.on("data", (part: Buffer) => (said = (said + part.toString()).slice(0, MAX_SAID)));
    child.stdin.on("error", () => undefined); // a program need not read its input
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(commandNotStarted(name, program!, error));
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      if (isLate)
        reject(
          maybeDelivered(name, new Failure("AGENT_TIMEOUT", { en: "no end in time", uk: "не завершилася вчасно" })),
        );
      else if (code === 0) resolve();
      else reject(commandFailed(name, program!, code, said));
    });
    child.stdin.end(`${title}\n\n${text}\n`);
  });
}
