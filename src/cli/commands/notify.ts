import { Failure } from "../../base/failure.ts";
import { joined, type Text, verbatim } from "../../base/text.ts";
import type { Garden } from "../../garden/core/garden.ts";
import {
  type NotifyReport,
  type NotifyTest,
  notifyReports,
  testNotify,
} from "../../garden/life/notify/notify-status.ts";
import { pushDevices, removePushDevice } from "../../garden/life/push/push-devices.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { example } from "../options.ts";
import { gardenCommand, type Subcommands } from "../subcommands.ts";
import { alignColumns, formatTime, oneLine } from "../text-layout.ts";

/** A message was not delivered. */
const EXIT_UNDELIVERED = 1;

const subcommands: Subcommands = {
  list: {
    usage: "",
    words: [0, 0],
    does: {
      en: "destinations of notifications, what was sent and what failed",
      uk: "куди надходять сповіщення, що надіслано і що не вдалося",
    },
    run: (_, garden) => listDestinations(garden),
  },
  test: {
    usage: "[NAME]",
    words: [0, 1],
    does: { en: "send a test message now", uk: "надіслати пробне повідомлення зараз" },
    run: (context, garden, [name]) => sendTest(context, garden, name),
  },
  devices: {
    usage: "",
    words: [0, 0],
    does: { en: "devices that are told by Web Push", uk: "пристрої, які отримують сповіщення Web Push" },
    run: (_, garden) => listDevices(garden),
  },
  forget: {
    usage: "DEVICE",
    words: [1, 1],
    does: { en: "stop telling a device (its id or name)", uk: "більше не сповіщати пристрій (id або назва)" },
    run: (_, garden, [device]) => forgetDevice(garden, device!),
  },
};

export const notifyCommand = gardenCommand({
  name: "notify",
  summary: { en: "notifications to you: destinations and tests", uk: "сповіщення для вас: куди і чи доходять" },
  usual: "list",
  subcommands,
  options: {},
  examples: [example("bloom notify test phone", "does a message arrive?", "чи дійде повідомлення?")],
});

async function listDestinations(garden: Garden): Promise<CommandReport> {
  const destinations = await notifyReports(garden);
  const text = destinations.length === 0 ? NONE : joined(destinations.map(reportText), "\n");
  return { text, json: { destinations }, asked: true };
}

function reportText({ name, to, address, digest, quiet, sent, waiting, failed, error }: NotifyReport): Text {
  const when: Text = {
    en: `${digest === undefined ? "at once" : `daily at ${digest}`}${quiet ? `, quiet ${quiet.from}–${quiet.to}` : ""}`,
    uk: `${digest === undefined ? "одразу" : `щодня о ${digest}`}${quiet ? `, тиша ${quiet.from}–${quiet.to}` : ""}`,
  };
  const last = error ? { en: `\n  ! ${oneLine(error.en)}`, uk: `\n  ! ${oneLine(error.uk)}` } : verbatim("");
  return {
    en: `${name}  ${to} ${address}, ${when.en}  sent ${sent}, waiting ${waiting}, failed ${failed}${last.en}`,
    uk: `${name}  ${to} ${address}, ${when.uk}  надіслано ${sent}, чекає ${waiting}, не вдалося ${failed}${last.uk}`,
  };
}

async function sendTest(context: CommandContext, garden: Garden, name: string | undefined): Promise<CommandReport> {
  const messenger = await context.machine.messenger?.(garden);
  if (!messenger) throw cannotSend();
  const results = await testNotify(garden, messenger, name);
  const isDelivered = results.every(({ ok }) => ok);
  return {
    text: joined(results.map(testText), "\n"),
    json: { results },
    asked: true,
    exit: isDelivered ? 0 : EXIT_UNDELIVERED,
  };
}

const testText = ({ name, error, hint }: NotifyTest): Text =>
  error
    ? { en: `✗ ${error.en}${hint ? `\n→ ${hint.en}` : ""}`, uk: `✗ ${error.uk}${hint ? `\n→ ${hint.uk}` : ""}` }
    : { en: `✓ ${name}: sent`, uk: `✓ ${name}: надіслано` };

async function listDevices(garden: Garden): Promise<CommandReport> {
  const devices = (await pushDevices(garden)).map(({ id, name, endpoint, added_at }) => ({
    id,
    name,
    host: new URL(endpoint).host,
    added_at,
  }));
  const lines = alignColumns(
    devices.map(({ id, name, host, added_at }) => [id, oneLine(name), host, formatTime(added_at)]),
  );
  return { text: lines.length === 0 ? NO_DEVICES : verbatim(lines.join("\n")), json: { devices }, asked: true };
}

async function forgetDevice(garden: Garden, named: string): Promise<CommandReport> {
  const { id, name } = await removePushDevice(garden, named);
  return {
    text: { en: `Removed: ${oneLine(name)}`, uk: `Прибрано: ${oneLine(name)}` },
    json: { kind: "removed", id },
  };
}

const NO_DEVICES: Text = {
  en: "No devices. Add one in the web app on the device itself: Settings, Notifications.",
  uk: "Жодного пристрою. Додайте його у вебзастосунку на самому пристрої: Налаштування, Сповіщення.",
};

const NONE: Text = {
  en: "No destinations. Add `notify` to garden.yaml: docs/notifications.md",
  uk: "Немає куди надсилати. Додайте `notify` до garden.yaml: docs/notifications.md",
};

const cannotSend = (): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", {
    en: "this bloom cannot send messages",
    uk: "цей bloom не може надсилати повідомлень",
    details: { part: "messenger" },
  });
