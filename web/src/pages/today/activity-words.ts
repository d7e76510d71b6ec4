import type { Text } from "../../i18n/use-t.ts";
import { type ActivityLine, type Happening, runAgentOf, textOrEmpty } from "./activity-line.ts";

interface Known {
  /** The author and title of each proposal. */
  readonly proposers: ReadonlyMap<string, string>;
  readonly titles: ReadonlyMap<string, string>;
}
type Sentence = Omit<ActivityLine, "id" | "at">;
type Describe = (group: readonly Happening[], known: Known) => Sentence | undefined;

/** Titles under a sentence. */
const TITLES = 2;

const isOwner = (identity: string): boolean => identity === "owner";
const ruleName = (identity: string): string => identity.replace(/^rule:/, "");

function titlesOf(group: readonly Happening[], { titles }: Known): string {
  const all = group.flatMap(({ subject }) => titles.get(subject) || []);
  return all.slice(-TITLES).join(" · ");
}

const placeOf = (group: readonly Happening[]): Sentence["place"] =>
  group.length === 1 ? { to: "proposal", id: group[0]!.subject } : { to: "proposals" };

/** The owner's own proposals; those of an agent are told with its runs. */
const proposed: Describe = (group, known) =>
  isOwner(group[0]!.by)
    ? {
        tone: "wait",
        text: words.youProposed,
        values: [group.length],
        about: titlesOf(group, known),
        place: placeOf(group),
      }
    : worked(group, known);

const decided: Describe = (group, known) => {
  const { by, subject, details, why } = group.at(-1)!;
  const decision = textOrEmpty(details["decision"]);
  const kind = decision === "rejected" ? "rejected" : decision === "expired" ? "expired" : "approved";
  const proposer = known.proposers.get(subject);
  const count = group.length;
  const common = { place: placeOf(group), about: kind === "rejected" && why ? why : titlesOf(group, known) };
  if (kind === "expired") return { tone: "", text: words.expired, values: [count], ...common };
  const tone = kind === "approved" ? "good" : "bad";
  if (!isOwner(by)) return { tone, text: words[`${kind}By`], values: [count, ruleName(by)], ...common };
  return proposer === undefined || isOwner(proposer)
    ? { tone, text: words[kind], values: [count], ...common }
    : { tone, text: words[`${kind}Of`], values: [count, proposer], ...common };
};

/** "ran once" instead of "ran 1 time". */
const once = ({ en, uk }: Text): Text => ({
  en: en.replace("{} [time|times]", "once"),
  uk: uk.replace("{} [раз|рази|разів]", "раз"),
});

/** "gardener ran twice and proposed 3 changes": all runs and proposals of one agent. */
const worked: Describe = (group, known) => {
  const runs = group.filter(({ kind }) => kind === "run-finished");
  const made = group.filter(({ kind }) => kind === "proposed");
  const failed = runs.filter(({ details }) => details["status"] === "failed").length;
  const agent = runs[0] ? runAgentOf(runs[0]) : made[0]!.by;
  const { reason } = (runs.at(-1)?.details["outcome"] ?? {}) as { readonly reason?: unknown };
  const about = made.length > 0 ? titlesOf(made, known) : textOrEmpty(reason);
  const tone = failed > 0 ? "bad" : made.length > 0 ? "wait" : "good";
  if (runs.length === 0)
    return { tone, text: words.proposed, values: [agent, made.length], about, place: placeOf(made) };
  const place = runs.length === 1 ? ({ to: "run", id: runs[0]!.subject } as const) : ({ to: "runs", agent } as const);
  const isOnce = runs.length === 1;
  const counts = [
    ...(isOnce ? [] : [runs.length]),
    ...(made.length > 0 ? [made.length] : []),
    ...(failed > 0 ? [failed] : []),
  ];
  const name = `ran${made.length > 0 ? "Proposed" : ""}${failed > 0 ? "Failed" : ""}` as const;
  return { tone, text: isOnce ? once(words[name]) : words[name], values: [agent, ...counts], about, place };
};

/** Not told: a proposal that repeats a pending one. */
const refused: Describe = (group) => {
  const { by, why, details } = group.at(-1)!;
  if (details["code"] === "DUPLICATE_ENTRY") return undefined;
  const isLimit = details["code"] === "RATE_LIMITED";
  return { tone: "bad", text: isLimit ? words.limited : words.refused, values: [by, group.length], about: why };
};

const ofRun =
  (text: Text): Describe =>
  (group) => {
    const last = group.at(-1)!;
    const run = textOrEmpty(last.details["run"]) || last.subject;
    return { tone: "info", text, values: [runAgentOf(last)], place: { to: "run", id: run } };
  };

const ofAgent =
  (text: Text, tone: Sentence["tone"] = ""): Describe =>
  (group) => {
    const { subject } = group[0]!;
    return { tone, text, values: [subject], place: { to: "agent", id: subject } };
  };

const status: Describe = (group) => {
  const { subject, details, why } = group.at(-1)!;
  const now = textOrEmpty(details["status"]);
  const text = now in statusWords ? statusWords[now as keyof typeof statusWords] : words.changed;
  return {
    tone: now === "error" ? "bad" : now === "active" ? "good" : "",
    text,
    values: [subject],
    about: now === "error" ? why?.split("\n", 1)[0] : undefined,
    place: { to: "agent", id: subject },
  };
};

const inSettings =
  (text: Text, tone: Sentence["tone"] = ""): Describe =>
  (group) => ({
    tone,
    text,
    values: [group.length],
    about: group.at(-1)!.why?.split("\n", 1)[0],
    place: { to: "settings" },
  });

/** The sentence of each kind of record. Kinds with `undefined` are not told: others say the same, or they are bookkeeping. */
export const sentences: { readonly [kind in Happening["kind"]]: Describe | undefined } = {
  proposed,
  decided,
  withdrawn: undefined,
  remarked: undefined,
  "words-kept": (group) => ({
    tone: "info",
    text: {
      en: "{} differing [change was|changes were] kept with a reason",
      uk: "Лишено з причиною: {} [відмінну зміну|відмінні зміни|відмінних змін]",
    },
    values: [group.length],
    about: group.at(-1)!.why?.split("\n", 1)[0],
    place: placeOf(group),
  }),
  applied: undefined,
  "apply-failed": (group, known) => ({
    tone: "bad",
    text: {
      en: "{} approved [change|changes] could not be applied",
      uk: "Не вдалося застосувати: {} [зміну|зміни|змін]",
    },
    values: [group.length],
    about: titlesOf(group, known),
    place: placeOf(group),
  }),
  "apply-returned": undefined,
  refused,
  "run-requested": undefined,
  "run-held": undefined,
  "run-recorded": undefined,
  answered: (group) => {
    const run = textOrEmpty(group.at(-1)!.details["run"]) || group.at(-1)!.subject;
    return { tone: "info", text: words.answered, values: [group.length], place: { to: "run", id: run } };
  },
  "run-cancel-asked": ofRun({ en: "A run of {} was cancelled", uk: "Запуск {} скасовано" }),
  "sandbox-decided": ofRun({
    en: "A sandboxed proposal of {} was decided on",
    uk: "Вирішено щодо пропозиції {} з пісочниці",
  }),
  "run-forked": ofRun({ en: "A run of {} was forked", uk: "Запуск {} відгалужено" }),
  "run-finished": worked,
  "agent-created": ofAgent({ en: "{} is a new agent", uk: "{} — новий агент" }),
  "agent-status": status,
  "agent-edited": ofAgent({ en: "The contract of {} was edited", uk: "Змінено контракт {}" }),
  "agent-outputs": ofAgent({ en: "The permissions of {} were changed", uk: "Змінено дозволи {}" }),
  "agent-deleted": (group) => ({
    tone: "bad",
    text: { en: "{} was deleted", uk: "{} видалено" },
    values: [group[0]!.subject],
  }),
  "memory-edited": ofAgent({ en: "The memory of {} was edited by hand", uk: "Пам’ять {} змінено вручну" }),
  "body-replaced": ofAgent({
    en: "The contract of {} was made anew from its diagram",
    uk: "Контракт {} створено наново з діаграми",
  }),
  "signed-in": undefined,
  "sign-in-refused": inSettings(
    { en: "{} [sign-in was|sign-ins were] refused", uk: "Відхилено {} [вхід|входи|входів]" },
    "bad",
  ),
  "token-made": inSettings({ en: "{} [token was|tokens were] created", uk: "Створено {} [токен|токени|токенів]" }),
  "token-revoked": inSettings({ en: "{} [token was|tokens were] revoked", uk: "Відкликано {} [токен|токени|токенів]" }),
  "settings-changed": inSettings({
    en: "The settings were changed {} [time|times]",
    uk: "Налаштування змінено {} [раз|рази|разів]",
  }),
  "settings-loaded": undefined,
  "settings-refused": inSettings(
    { en: "The settings have a mistake and are not used", uk: "У налаштуваннях помилка, їх не застосовано" },
    "bad",
  ),
  notified: undefined,
  "backups-removed": undefined,
  "slots-skipped": ofAgent({ en: "{} missed its schedule", uk: "{} пропустив розклад" }, "bad"),
  "session-conflict": ofAgent(
    { en: "{} could not merge a sub-agent's work", uk: "{} не зміг злити роботу субагента" },
    "bad",
  ),
  "event-dropped": inSettings(
    { en: "{} [event was|events were] dropped", uk: "Відкинуто {} [подію|події|подій]" },
    "bad",
  ),
  "legacy-imported": inSettings({
    en: "Records of the earlier system were imported {} [time|times]",
    uk: "Записи попередньої системи імпортовано {} [раз|рази|разів]",
  }),
  "legacy-ended": undefined,
  "peer-added": undefined,
  "peer-removed": undefined,
  "peer-sessions-chosen": undefined,
  "peer-news": undefined,
  "peer-key-replaced": undefined,
  "key-rotated": undefined,
  "key-restored": undefined,
  "announcement-accepted": undefined,
  "announcement-refused": (group) => ({
    tone: "bad",
    text: {
      en: "{} [announcement of another garden was|announcements of other gardens were] refused",
      uk: "Відхилено: {} [оголошення іншого саду|оголошення інших садів|оголошень інших садів]",
    },
    values: [group.length],
    about: group.at(-1)!.subject,
  }),
  "capability-granted": undefined,
  "capability-revoked": undefined,
  published: undefined,
  "behaviour-named": undefined,
  "behaviour-published": undefined,
  "behaviour-withdrawn": undefined,
  "behaviour-imported": undefined,
  "behaviour-adopted": undefined,
  "suggestion-dismissed": undefined,
};

const statusWords = {
  active: { en: "{} is active now", uk: "{} тепер активний" },
  paused: { en: "{} is paused", uk: "{} на паузі" },
  error: { en: "{} has stopped", uk: "{} зупинився" },
  archived: { en: "{} is archived", uk: "{} в архіві" },
  draft: { en: "{} is a draft again", uk: "{} знову чернетка" },
} as const satisfies Record<string, Text>;

const words = {
  proposed: { en: "{} proposed {} [change|changes]", uk: "{} пропонує {} [зміну|зміни|змін]" },
  youProposed: { en: "You proposed {} [change|changes]", uk: "Ви запропонували {} [зміну|зміни|змін]" },
  approved: { en: "You approved {} [change|changes]", uk: "Ви схвалили {} [зміну|зміни|змін]" },
  approvedOf: { en: "You approved {} [change|changes] by {}", uk: "Ви схвалили {} [зміну|зміни|змін] від {}" },
  approvedBy: {
    en: "{} [change was|changes were] approved by the rule {}",
    uk: "{} [зміну|зміни|змін] схвалено правилом {}",
  },
  rejected: { en: "You rejected {} [change|changes]", uk: "Ви відхилили {} [зміну|зміни|змін]" },
  rejectedOf: { en: "You rejected {} [change|changes] by {}", uk: "Ви відхилили {} [зміну|зміни|змін] від {}" },
  rejectedBy: { en: "{} [change was|changes were] rejected by {}", uk: "{} [зміну|зміни|змін] відхилив {}" },
  expired: { en: "{} [proposal|proposals] expired", uk: "Строк минув: {} [пропозиція|пропозиції|пропозицій]" },
  ran: { en: "{} ran {} [time|times]", uk: "{} працював {} [раз|рази|разів]" },
  ranFailed: { en: "{} ran {} [time|times], {} failed", uk: "{} працював {} [раз|рази|разів], невдало: {}" },
  ranProposed: {
    en: "{} ran {} [time|times] and proposed {} [change|changes]",
    uk: "{} працював {} [раз|рази|разів] і пропонує {} [зміну|зміни|змін]",
  },
  ranProposedFailed: {
    en: "{} ran {} [time|times] and proposed {} [change|changes]; {} [run|runs] failed",
    uk: "{} працював {} [раз|рази|разів] і пропонує {} [зміну|зміни|змін]; невдало: {}",
  },
  limited: {
    en: "Limit reached: {} has to wait between proposals ({} [time|times])",
    uk: "Досягнуто межі: {} чекає між пропозиціями ({} [раз|рази|разів])",
  },
  refused: {
    en: "{}: {} [proposal|proposals] not accepted",
    uk: "{}: не прийнято {} [пропозицію|пропозиції|пропозицій]",
  },
  answered: { en: "You answered {} [question|questions]", uk: "Ви відповіли на {} [питання|питання|питань]" },
  changed: { en: "{} was changed", uk: "{} змінено" },
} as const satisfies Record<string, Text>;
