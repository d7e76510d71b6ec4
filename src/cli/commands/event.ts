import { joined, type Text, verbatim } from "../../base/text.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { type EventWish, emit, recentEvents } from "../../garden/runs/events.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { usageError } from "../failures.ts";
import { example, numberOption, option, textOption } from "../options.ts";
import { gardenCommand, type Subcommands } from "../subcommands.ts";
import { alignColumns, formatTime, oneLine } from "../text-layout.ts";

const DEFAULT_SHOWN = 20;

const subcommands: Subcommands = {
  list: {
    usage: "[--limit N]",
    words: [0, 0],
    does: { en: "the newest events from outside", uk: "останні події ззовні" },
    run: (context, garden) => listEvents(context, garden),
  },
  publish: {
    usage: "NAME [--id ID] [--subject S] [--payload JSON]",
    words: [1, 1],
    does: {
      en: "tell the agents that wait for it; the same --id again is the same event",
      uk: "повідомити агентів, що на неї чекають; той самий --id — та сама подія",
    },
    run: (context, garden, [name]) => publishEvent(context, garden, name!),
  },
};

export const eventCommand = gardenCommand({
  name: "event",
  summary: { en: "publish and list events that agents wait for", uk: "події, на які чекають агенти" },
  usual: "list",
  subcommands,
  options: {
    id: option("ID", "publish: the event's id (default: a new one)", "publish: id події (інакше новий)"),
    subject: option("S", "publish: a path or an address that it is about", "publish: шлях або адреса, про що вона"),
    payload: option("JSON", "publish: data for the runs", "publish: дані для запусків"),
    limit: option("N", `list: at most so many (default ${DEFAULT_SHOWN})`, `list: не більше (${DEFAULT_SHOWN})`),
  },
  examples: [
    example(
      "bloom event publish mail/received --id 42",
      "once, however often it is repeated",
      "один раз, скільки не повторюй",
    ),
  ],
});

async function publishEvent(context: CommandContext, garden: Garden, name: string): Promise<CommandReport> {
  const id = textOption(context, "id") ?? Buffer.from(garden.world.random(8)).toString("hex");
  const payload = payloadOf(textOption(context, "payload"));
  const subject = textOption(context, "subject") ?? "";
  const event = await emit(garden, { name, id, subject, by: "owner", ...(payload !== undefined && { payload }) });
  return {
    text: {
      en: `${name} ${id} is published; \`bloom up\` starts the runs.`,
      uk: `${name} ${id} оголошено; запуски почне \`bloom up\`.`,
    },
    json: { event: { name, id, at: event.at, subject } },
  };
}

async function listEvents(context: CommandContext, garden: Garden): Promise<CommandReport> {
  const events = await recentEvents(garden, numberOption(context, "limit") ?? DEFAULT_SHOWN);
  const lines = alignColumns(
    events.map(({ at, name, id, isPending }) => [
      formatTime(at),
      name,
      oneLine(id),
      isPending ? "pending" : "delivered",
    ]),
  );
  const json = { events: events.map(({ isPending, ...event }) => ({ ...event, pending: isPending })) };
  return { text: lines.length === 0 ? NONE : joined(lines.map(verbatim), "\n"), json, asked: true };
}

function payloadOf(text: string | undefined): EventWish["payload"] {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as EventWish["payload"];
  } catch {
    throw usageError(
      { en: `--payload: not JSON: ${text}`, uk: `--payload: це не JSON: ${text}` },
      { en: 'For instance --payload \'{"from": "Ann"}\'.', uk: 'Наприклад, --payload \'{"from": "Ann"}\'.' },
    );
  }
}

const NONE: Text = { en: "No events from outside yet.", uk: "Подій ззовні ще не було." };
