import { z } from "zod";
import { Failure } from "../../base/failure.ts";
import type { Text } from "../../base/text.ts";
import { type GardenConfig, gardenConfig } from "../../domain/config/garden-config.ts";
import { ruleActions } from "../../domain/proposal/action.ts";
import {
  changeSetting,
  changeSettingList,
  readSettingList,
  type SettingList,
  settingLists,
} from "../../garden/core/access/edit-settings.ts";
import { ruleFigures } from "../../garden/insight/rule-figures.ts";
import { type Route, route } from "../route.ts";
import { commitId, textShape } from "../shapes.ts";

const about: Readonly<Record<SettingList, Text>> = {
  rules: { en: "rules that approve automatically", uk: "правила, що схвалюють самі" },
  zones: { en: "zones for guests", uk: "зони для гостей" },
  notify: { en: "destinations of notifications (P-12a)", uk: "куди надсилати сповіщення (P-12a)" },
  webhooks: { en: "webhooks that may submit", uk: "вебхуки, яким можна надсилати" },
  grants: {
    en: "grants: further agents and folders whose logic an agent may read and propose to change",
    uk: "дозволи: чию логіку й теки, крім власних, агент може читати й просити змінити",
  },
};

/** A stolen session must not start programs: commands of `notify` are changed in the file itself or with `bloom settings`. */
function expectKnownCommands(before: GardenConfig["notify"], after: readonly object[]): void {
  const known = new Set(before.flatMap(({ command }) => (command ? [JSON.stringify(command)] : [])));
  if (
    after.every((item) => !("command" in item) || item.command === undefined || known.has(JSON.stringify(item.command)))
  )
    return;
  throw new Failure("FORBIDDEN", {
    en: "a command of `notify` cannot be set over HTTP",
    uk: "команду в `notify` не можна задати через HTTP",
    hint: { en: "Write it into garden.yaml on the machine itself.", uk: "Запишіть її в garden.yaml на самій машині." },
  });
}

const wholeSettings: readonly Route[] = [
  route("GET /settings/rules/figures", {
    summary: {
      en: "how the rules did: approvals, those taken back, the interval of that regret; and rules that fit the owner's decisions (P-9)",
      uk: "як діяли правила: схвалення, скасовані з них, інтервал цієї частки; і правила, що відповідають рішенням власника (P-9)",
    },
    allows: ["owner"],
    answer: z.object({
      rules: z.array(
        z.object({
          name: z.string(),
          approved: z.int(),
          undone: z.array(z.string()),
          low: z.number(),
          high: z.number(),
        }),
      ),
      suggestions: z.array(
        z.object({
          identity: z.string(),
          action: z.enum(ruleActions),
          folder: z.string().optional(),
          approved: z.int(),
          examples: z.array(z.string()),
        }),
      ),
      read: z.int(),
    }),
    handle: ({ garden }) => ruleFigures(garden),
  }),
  route("GET /settings", {
    summary: {
      en: "the settings in force, with defaults; `trouble` if the present garden.yaml is refused",
      uk: "налаштування, що діють, разом зі значеннями за замовчуванням; `trouble`, якщо теперішній garden.yaml відхилено",
    },
    allows: ["owner"],
    answer: z.object({ settings: z.record(z.string(), z.unknown()), trouble: textShape.optional() }),
    async handle({ garden }) {
      await garden.settings.reload();
      const { current, trouble } = garden.settings;
      return { settings: current, ...(trouble && { trouble: trouble.text }) };
    },
  }),
  route("PATCH /settings", {
    summary: {
      en: "sets one setting (`schedule.timezone`), or removes it without `value`: edits garden.yaml, keeps its comments, and commits as the owner",
      uk: "задає одне налаштування (`schedule.timezone`) або прибирає його, якщо `value` немає: змінює garden.yaml, зберігає коментарі й робить коміт від імені власника",
    },
    allows: ["owner"],
    body: z.strictObject({ key: z.string().min(1).max(200), value: z.json().optional() }),
    answer: z.object({ value: z.unknown(), commit: commitId.optional() }),
    async handle({ garden, body, identity }) {
      const allow = (before: GardenConfig, after: GardenConfig): void =>
        expectKnownCommands(before.notify, after.notify);
      const { value, commit } = await changeSetting(garden, { ...body, value: body.value, by: identity, allow });
      return { value: value ?? null, ...(commit !== undefined && { commit }) };
    },
  }),
];

/** The whole file, and the same two routes for each of its lists. */
export const settingsRoutes: readonly Route[] = [
  ...wholeSettings,
  ...(Object.keys(settingLists) as SettingList[]).flatMap((list) => {
    const items = gardenConfig.shape[settingLists[list]];
    const answer = z.object({ base: commitId, items });
    return [
      route(`GET /settings/${list}`, {
        summary: about[list],
        allows: ["owner"],
        answer,
        handle: ({ garden }) => readSettingList(garden, list),
      }),
      route(`PUT /settings/${list}`, {
        summary: {
          en: `sets ${about[list].en}: edits garden.yaml, keeps its comments, and commits as the owner`,
          uk: `задає ${about[list].uk}: змінює garden.yaml, зберігає коментарі й робить коміт від імені власника`,
        },
        allows: ["owner"],
        body: z.strictObject({ base: commitId, items: items.unwrap() }),
        answer: z.object({ ...answer.shape, commit: commitId.optional() }),
        async handle({ garden, body, identity }) {
          if (list === "notify") expectKnownCommands((await readSettingList(garden, "notify")).items, body.items);
          return await changeSettingList(garden, { list, ...body, by: identity });
        },
      }),
    ];
  }),
];
