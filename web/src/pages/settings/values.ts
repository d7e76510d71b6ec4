import type { Text } from "../../i18n/use-t.ts";

/** A setting with one value: its name, what it does, and how it is typed in. */
export interface SettingValue {
  readonly key: string;
  readonly name: Text;
  readonly effect: Text;
  readonly field:
    | { readonly kind: "text"; readonly suggestions?: () => readonly string[] }
    | { readonly kind: "number"; readonly unit?: Text; readonly usual?: number; readonly step?: number }
    | { readonly kind: "choice"; readonly options: readonly { readonly value: string; readonly name: Text }[] }
    /** One per line. */
    | { readonly kind: "lines"; readonly example: string };
}

export interface SettingGroup {
  readonly id: string;
  readonly title: Text;
  readonly about: Text;
  readonly values: readonly SettingValue[];
}

const perMinute = { en: "per minute", uk: "за хвилину" };
const bytes = { en: "bytes", uk: "байтів" };
const seconds = { en: "seconds", uk: "секунд" };
const days = { en: "days", uk: "днів" };

/** All settings with one value. Lists of records have their own sections. */
export const settingGroups: readonly SettingGroup[] = [
  {
    id: "garden",
    title: { en: "Garden", uk: "Сад" },
    about: {
      en: "Its name, and the clock that its agents follow.",
      uk: "Його назва і годинник, за яким живуть агенти.",
    },
    values: [
      {
        key: "name",
        name: { en: "Name", uk: "Назва" },
        effect: { en: "Shown at the top left and in backups", uk: "Стоїть угорі ліворуч і в назвах копій" },
        field: { kind: "text" },
      },
      {
        key: "language",
        name: { en: "Language of texts that the garden writes", uk: "Мова текстів, які пише сад" },
        effect: {
          en: "Titles of proposals, reports of runs, notifications",
          uk: "Назви пропозицій, звіти запусків, сповіщення",
        },
        field: {
          kind: "choice",
          options: [
            { value: "en", name: { en: "English", uk: "English" } },
            { value: "uk", name: { en: "Українська", uk: "Українська" } },
          ],
        },
      },
      {
        key: "schedule.timezone",
        name: { en: "Time zone", uk: "Часовий пояс" },
        effect: {
          en: "Schedules, quiet hours and digests follow it",
          uk: "За ним ідуть розклади, тихі години й підсумки",
        },
        field: { kind: "text", suggestions: () => Intl.supportedValuesOf("timeZone") },
      },
      {
        key: "schedule.missed",
        name: { en: "Runs missed while the garden was off", uk: "Запуски, пропущені, поки сад не працював" },
        effect: { en: "What happens when it comes back", uk: "Що буде, коли він знову запрацює" },
        field: {
          kind: "choice",
          options: [
            { value: "skip", name: { en: "Skip", uk: "Пропустити" } },
            { value: "once", name: { en: "Run once", uk: "Один раз" } },
            { value: "all", name: { en: "Run all", uk: "Усі" } },
          ],
        },
      },
    ],
  },
  {
    id: "limits",
    title: { en: "Limits", uk: "Обмеження" },
    about: { en: "An empty field means the usual value.", uk: "Порожнє поле — звичайне значення." },
    values: [
      {
        key: "limits.approval_grace_seconds",
        name: { en: "Time to undo an approval", uk: "Час, щоб скасувати схвалення" },
        effect: {
          en: "An approval becomes a commit after it; 0 commits at once",
          uk: "Після нього схвалення стає комітом; 0 — одразу",
        },
        field: { kind: "number", usual: 8, unit: { en: "seconds", uk: "секунд" } },
      },
      {
        key: "limits.proposal_hours",
        name: { en: "Proposals expire after", uk: "Пропозиції спливають через" },
        effect: {
          en: "Counted from the proposal; nothing expired is applied",
          uk: "Від подання; те, що спливло, не застосовується",
        },
        field: { kind: "number", usual: 72, unit: { en: "hours", uk: "годин" } },
      },
      {
        key: "limits.agent_per_minute",
        name: { en: "Changes by an agent", uk: "Зміни від агента" },
        effect: { en: "An agent that proposes faster waits", uk: "Агент, що пропонує швидше, чекає" },
        field: { kind: "number", usual: 20, unit: perMinute },
      },
      {
        key: "limits.owner_per_minute",
        name: { en: "Changes by you", uk: "Ваші зміни" },
        effect: { en: "Protects the garden from a script in your name", uk: "Береже сад від скрипта з вашим іменем" },
        field: { kind: "number", usual: 60, unit: perMinute },
      },
      {
        key: "limits.webhook_per_minute",
        name: { en: "Changes by a webhook", uk: "Зміни від вебхука" },
        effect: { en: "More are refused with a time to retry", uk: "Решту відхилено з часом для повтору" },
        field: { kind: "number", usual: 10, unit: perMinute },
      },
      {
        key: "limits.guest_per_minute",
        name: { en: "Changes by a guest", uk: "Зміни від гостя" },
        effect: { en: "More are refused with a time to retry", uk: "Решту відхилено з часом для повтору" },
        field: { kind: "number", usual: 30, unit: perMinute },
      },
      {
        key: "limits.memory_change_percent",
        name: { en: "Memory that a rule may replace", uk: "Частка пам’яті, яку може замінити правило" },
        effect: {
          en: "A larger change of an agent’s memory needs you",
          uk: "Більша зміна пам’яті агента чекає на вас",
        },
        field: { kind: "number", usual: 50, unit: { en: "percent", uk: "відсотків" } },
      },
      {
        key: "limits.note_bytes",
        name: { en: "Size of a note", uk: "Розмір нотатки" },
        effect: {
          en: "A proposal that would make it larger is refused",
          uk: "Пропозицію, що зробить її більшою, відхилено",
        },
        field: { kind: "number", usual: 5_000_000, unit: bytes },
      },
      {
        key: "limits.artifact_bytes",
        name: { en: "Size of an artifact", uk: "Розмір артефакту" },
        effect: { en: "A larger one is refused", uk: "Більший відхилено" },
        field: { kind: "number", usual: 20_000_000, unit: bytes },
      },
      {
        key: "limits.body_bytes",
        name: { en: "Size of a plain request", uk: "Розмір звичайного запиту" },
        effect: { en: "A larger one over HTTP is refused", uk: "Більший через HTTP відхилено" },
        field: { kind: "number", usual: 1_000_000, unit: bytes },
      },
    ],
  },
  {
    id: "learning",
    title: { en: "Learning", uk: "Навчання" },
    about: {
      en: "When an optimizer looks at an agent, and when a figure counts as evidence.",
      uk: "Коли оптимізатор береться за агента і коли число є доказом.",
    },
    values: [
      {
        key: "learning.success_below",
        name: { en: "Look when success is below", uk: "Дивитися, коли успішність нижча за" },
        effect: { en: "Share of runs, 0 to 1", uk: "Частка запусків, від 0 до 1" },
        field: { kind: "number", usual: 0.9, step: 0.01 },
      },
      {
        key: "learning.tokens_above",
        name: { en: "Look when a run takes more than", uk: "Дивитися, коли запуск забирає понад" },
        effect: { en: "Mean of its runs", uk: "Середнє за запусками" },
        field: { kind: "number", usual: 5000, unit: { en: "tokens", uk: "токенів" } },
      },
      {
        key: "learning.enough_runs",
        name: { en: "Runs needed for a claim", uk: "Запусків для висновку" },
        effect: { en: "With fewer, figures say “too early”", uk: "Коли менше, показники кажуть «зарано»" },
        field: { kind: "number", usual: 30 },
      },
      {
        key: "learning.confidence",
        name: { en: "Confidence of a claim", uk: "Певність висновку" },
        effect: {
          en: "“Better” and “worse” need an interval without zero",
          uk: "«Краще» й «гірше» потребують інтервалу без нуля",
        },
        field: { kind: "number", usual: 0.95, step: 0.01 },
      },
      {
        key: "learning.counterfactual_runs",
        name: { en: "Runs replayed against a change of logic", uk: "Запуски, на яких перевіряється зміна логіки" },
        effect: { en: "The newest ones", uk: "Найновіші" },
        field: { kind: "number", usual: 200 },
      },
    ],
  },
  {
    id: "retention",
    title: { en: "Network and retention", uk: "Мережа й зберігання" },
    about: {
      en: "What tools may reach, and what is kept.",
      uk: "Куди можуть звертатися інструменти і що зберігається.",
    },
    values: [
      {
        key: "egress",
        name: { en: "Hosts that agents may reach", uk: "Хости, до яких можуть звертатися агенти" },
        effect: { en: "None: agents have no network", uk: "Жодного: агенти не мають мережі" },
        field: { kind: "lines", example: "*.example.org" },
      },
      {
        key: "repo.remote",
        name: { en: "Shared remote", uk: "Спільний репозиторій" },
        effect: {
          en: "A git repository that every machine of the garden pushes to; takes effect after a restart",
          uk: "Репозиторій git, куди надсилає кожна машина саду; діє після перезапуску",
        },
        field: { kind: "text" },
      },
      {
        key: "repo.fetch_seconds",
        name: { en: "Look at the shared remote every", uk: "Перевіряти спільний репозиторій кожні" },
        effect: {
          en: "For a garden on several machines (`repo.remote`); takes effect after a restart",
          uk: "Для саду на кількох машинах (`repo.remote`); діє після перезапуску",
        },
        field: { kind: "number", usual: 30, unit: seconds },
      },
      {
        key: "repo.timeout_seconds",
        name: { en: "Give up on the shared remote after", uk: "Не чекати спільного репозиторію довше ніж" },
        effect: { en: "A push or fetch without an answer", uk: "Коли на надсилання чи запит немає відповіді" },
        field: { kind: "number", usual: 30, unit: seconds },
      },
      {
        key: "retention.backups",
        name: { en: "Backups kept in the garden", uk: "Копій, що лишаються в саду" },
        effect: { en: "The newest ones; empty keeps all", uk: "Найновіші; порожнє поле — всі" },
        field: { kind: "number" },
      },
      {
        key: "retention.reports_days",
        name: { en: "Reports of runs stay in git for", uk: "Звіти запусків лежать у git" },
        effect: { en: "Afterwards they are in the store", uk: "Потім вони у сховищі" },
        field: { kind: "number", usual: 90, unit: days },
      },
      {
        key: "retention.merged_sessions_days",
        name: { en: "Merged sessions stay among the branches for", uk: "Злиті сесії лишаються серед гілок" },
        effect: { en: "Then maintenance moves them to the archive", uk: "Потім обслуговування переносить їх в архів" },
        field: { kind: "number", usual: 30, unit: days },
      },
      {
        key: "retention.idle_sessions_days",
        name: { en: "Sessions without work stay for", uk: "Сесії без роботи лишаються" },
        effect: { en: "Then maintenance moves them to the archive", uk: "Потім обслуговування переносить їх в архів" },
        field: { kind: "number", usual: 180, unit: days },
      },
    ],
  },
];

/** The value at `limits.note_bytes` in the settings. */
export function settingIn(settings: Readonly<Record<string, unknown>>, key: string): unknown {
  let value: unknown = settings;
  for (const part of key.split(".")) value = (value as Readonly<Record<string, unknown>> | undefined)?.[part];
  return value;
}
