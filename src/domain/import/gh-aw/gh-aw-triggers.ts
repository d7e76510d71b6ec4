import type { Text } from "../../../base/text.ts";
import { joinedCron, scheduleToCron } from "../schedule-words.ts";
import { groupOf } from "./gh-aw-grants.ts";
import type { WorkflowPart } from "./gh-aw-merge.ts";
import { plainKeys } from "./gh-aw-words.ts";

interface Slot {
  readonly path: readonly PropertyKey[];
  readonly words: string;
}

/** Tells the fate of every trigger; returns the schedule of the contract. */
export function mapTriggers({ source, ledger }: WorkflowPart, name: string): string | undefined {
  const { on } = source.front;
  const group = groupOf(on);
  const slots = slotsOf(on);
  const found: { path: readonly PropertyKey[]; cron: string; chosen: boolean; words: string }[] = [];
  ledger.tell(["on"], "mapped", TRIGGERS, "triggers");
  for (const { path, words } of slots) {
    const reading = scheduleToCron(words, name);
    if (reading.kind === "cron") found.push({ path, words, ...reading });
    else if (path.length === 1) ledger.tell(path, "lost", noEvent(words));
    else ledger.tell(path, "lost", notUnderstood(words));
  }
  const cron = joinedCron(found.map((one) => one.cron)) ?? found[0]?.cron;
  const joinedAll = joinedCron(found.map((one) => one.cron)) !== undefined;
  for (const [index, one] of found.entries()) {
    const taken = joinedAll || index === 0;
    ledger.tell(
      one.path,
      taken ? "mapped" : "lost",
      taken ? runsAt(one.cron, one.chosen) : ONE_SCHEDULE,
      ...(taken ? ["triggers.cron"] : []),
    );
  }
  if ("schedule" in group) {
    const told = ledger.has(["on", "schedule"]);
    if (!told)
      ledger.tell(["on", "schedule"], found.length > 0 ? "mapped" : "lost", found.length > 0 ? TRIGGERS : NO_SCHEDULE);
  }
  for (const key of Object.keys(group)) {
    if (key === "schedule") continue;
    const row = plainKeys[key];
    if (key === "workflow_dispatch") ledger.tell(["on", key], "mapped", BY_HAND, "triggers.manual");
    else if (key === "manual-approval") ledger.tell(["on", key], "mapped", BY_HAND, "triggers.manual");
    else if (row) ledger.tell(["on", key], ...row);
    else ledger.tell(["on", key], "lost", OWN_WORDS[key] ?? noEvent(key));
  }
  return cron;
}

function slotsOf(on: unknown): Slot[] {
  if (typeof on === "string") return [{ path: ["on"], words: on }];
  const { schedule } = groupOf(on);
  if (typeof schedule === "string") return [{ path: ["on", "schedule"], words: schedule }];
  const items: unknown[] = Array.isArray(schedule) ? schedule : [schedule];
  return items.flatMap((item, index): Slot[] => {
    const at = Array.isArray(schedule) ? ["on", "schedule", index] : ["on", "schedule"];
    if (typeof item === "string") return [{ path: at, words: item }];
    const { cron } = groupOf(item);
    return typeof cron === "string" ? [{ path: [...at, "cron"], words: cron }] : [];
  });
}

const TRIGGERS: Text = {
  en: "when it runs; the owner can start it at any time",
  uk: "коли запускається; власник може запустити будь-коли",
};
const BY_HAND: Text = { en: "the owner starts it", uk: "запускає власник" };
const NO_SCHEDULE: Text = { en: "no schedule in it was understood", uk: "жодного розкладу не зрозуміло" };
const ONE_SCHEDULE: Text = {
  en: "a contract has one schedule; the first one is taken",
  uk: "контракт має один розклад; узято перший",
};
const OWN_WORDS: Readonly<Record<string, Text | undefined>> = {
  __proto__: null as never,
  "stop-after": {
    en: "agents have no last day: pause it yourself",
    uk: "агенти не мають останнього дня: призупиніть самі",
  },
  "skip-if-match": {
    en: "searches of GitHub are not evaluated: the run itself must look",
    uk: "пошуки GitHub не обчислюються: має перевірити сам запуск",
  },
  "skip-if-no-match": {
    en: "searches of GitHub are not evaluated: the run itself must look",
    uk: "пошуки GitHub не обчислюються: має перевірити сам запуск",
  },
  reaction: {
    en: "nothing to react to: runs are shown in the garden",
    uk: "реагувати нема на що: запуски видно в саду",
  },
  "status-comment": { en: "runs are shown in the garden", uk: "запуски видно в саду" },
  slash_command: {
    en: "no commands in comments: the owner starts it",
    uk: "команд у коментарях немає: запускає власник",
  },
  command: { en: "no commands in comments: the owner starts it", uk: "команд у коментарях немає: запускає власник" },
};
const noEvent = (event: string): Text => ({
  en: `no such event here: ${event}`,
  uk: `тут немає такої події: ${event}`,
});
const notUnderstood = (words: string): Text => ({
  en: `schedule not understood: "${words}"; write it as cron in the contract`,
  uk: `розклад не зрозуміло: «${words}»; запишіть його в контракті як cron`,
});
const runsAt = (cron: string, chosen: boolean): Text => ({
  en: `${cron} (UTC)${chosen ? ", a time chosen once from the name" : ""}`,
  uk: `${cron} (UTC)${chosen ? ", час обрано раз за назвою" : ""}`,
});
