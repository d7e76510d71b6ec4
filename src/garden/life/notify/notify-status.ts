import { Failure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import type { NotifyDestination } from "../../../domain/config/garden-config.ts";
import type { Messenger } from "../../../ports/messenger.ts";
import { currentSettings } from "../../core/access/current-settings.ts";
import type { Garden } from "../../core/garden.ts";
import { messageContext } from "./deliver.ts";
import { testMessage } from "./message-text.ts";
import { messagesOf } from "./outbox.ts";

/** A destination and what became of its messages of the last two weeks. */
export interface NotifyReport {
  readonly name: string;
  readonly to: "webhook" | "command" | "push";
  readonly address: string;
  readonly kinds: NotifyDestination["kinds"];
  readonly digest?: string;
  readonly quiet?: { readonly from: string; readonly to: string };
  readonly sent: number;
  readonly waiting: number;
  /** Given up, or unknown whether it arrived. */
  readonly failed: number;
  readonly last_sent_at?: string;
  /** Why the last message is not sent, or did not arrive. */
  readonly error?: Text;
}

export async function notifyReports(garden: Garden): Promise<readonly NotifyReport[]> {
  const { notify } = await currentSettings(garden);
  return await Promise.all(notify.map((destination) => reportOf(garden, destination)));
}

async function reportOf({ store }: Garden, destination: NotifyDestination): Promise<NotifyReport> {
  const { name, webhook, command, push, kinds, digest, quiet } = destination;
  const messages = await messagesOf(store, name);
  const count = (...states: string[]): number => messages.filter(({ state }) => states.includes(state)).length;
  const lastSent = messages.findLast(({ sent_at }) => sent_at !== undefined)?.sent_at;
  const error = messages.at(-1)?.error;
  return {
    name,
    to: command ? "command" : push ? "push" : "webhook",
    // The path of a webhook is often its secret.
    address: command ? command[0]! : push ? push.join(", ") : new URL(webhook!).host,
    kinds,
    ...(digest !== undefined && { digest }),
    ...(quiet && { quiet }),
    sent: count("sent"),
    waiting: count("waiting", "sending"),
    failed: count("unknown", "given-up"),
    ...(lastSent !== undefined && { last_sent_at: lastSent }),
    ...(error && { error }),
  };
}

export interface NotifyTest {
  readonly name: string;
  readonly ok: boolean;
  readonly error?: Text;
  readonly hint?: Text;
}

/** Sends one test message now, to one destination or to all. Throws NOT_FOUND for an unknown name. */
export async function testNotify(garden: Garden, messenger: Messenger, name?: string): Promise<readonly NotifyTest[]> {
  const config = await currentSettings(garden);
  const wanted = config.notify.filter((each) => name === undefined || each.name === name);
  if (wanted.length === 0) throw noDestination(name);
  const context = await messageContext(garden, config);
  const at = new Date(garden.world.now()).toISOString();
  return await Promise.all(
    wanted.map(async (to): Promise<NotifyTest> => {
      try {
        await messenger.send(
          to,
          testMessage(`test_${Buffer.from(garden.world.random(8)).toString("hex")}`, at, context),
        );
        return { name: to.name, ok: true };
      } catch (error) {
        const failure =
          error instanceof Failure ? error : new Failure("INTERNAL_ERROR", { en: String(error), uk: String(error) });
        return { name: to.name, ok: false, error: failure.text, ...(failure.hint && { hint: failure.hint }) };
      }
    }),
  );
}

const noDestination = (name: string | undefined): Failure =>
  new Failure("NOT_FOUND", {
    en: name === undefined ? "garden.yaml has no `notify`" : `garden.yaml has no destination ${name} in \`notify\``,
    uk: name === undefined ? "у garden.yaml немає `notify`" : `у \`notify\` garden.yaml немає ${name}`,
    hint: { en: "docs/notifications.md shows how to add one.", uk: "Як його додати, показує docs/notifications.md." },
    details: { ...(name !== undefined && { destination: name }) },
  });
