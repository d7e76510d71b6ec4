import type { Text } from "../../base/text.ts";
import { actions } from "../proposal/action.ts";
import type { Expectations } from "../text/checked-yaml.ts";
import { agentStates } from "./agent-state.ts";
import { tools } from "./tool.ts";

const oneOf = (words: readonly string[]): Text & { oneOf: readonly string[] } => ({
  en: `one of ${words.join(", ")}`,
  uk: `одне з: ${words.join(", ")}`,
  oneOf: words,
});

/** Expected values in a contract, as error messages describe them. */
export const contractExpectations = {
  group: { en: "a group of fields", uk: "група полів" },
  line: {
    en: "one line of text, up to 500 characters, in quotes if it looks like a number",
    uk: "один рядок тексту, до 500 символів, у лапках, якщо схожий на число",
  },
  slug: {
    en: "lower-case Latin letters, digits and inner hyphens, up to 63 characters",
    uk: "малі латинські літери, цифри й дефіси всередині, до 63 символів",
  },
  taken_name: {
    en: "another name: this one is reserved for records and addresses",
    uk: "власна назва: ця в записах і адресах позначає когось або щось інше",
  },
  version: {
    en: 'a version of three numbers in quotes such as "1.10.0"',
    uk: 'версія з трьох чисел у лапках, наприклад "1.10.0"',
  },
  model: {
    en: "the id of a model such as claude-sonnet-4-5-20250929 or bloom/follower",
    uk: "назва моделі, наприклад claude-sonnet-4-5-20250929 або bloom/follower",
  },
  temperature: { en: "a number from 0 to 1", uk: "число від 0 до 1" },
  max_steps: { en: "a whole number from 1 to 20", uk: "ціле число від 1 до 20" },
  list: { en: "a list (`- …` lines, at most 100)", uk: "список (рядки `- …`, не більше 100)" },
  tool: oneOf(tools),
  safe_output: oneOf(actions),
  some_tools: { en: "a list with at least one tool", uk: "список хоча б з одним інструментом" },
  some_outputs: { en: "a list with at least one safe output", uk: "список хоча б з одним safe output" },
  flag: { en: "true or false", uk: "true або false" },
  cron: {
    en: 'a schedule in quotes such as "0 8 * * 1-5", or null',
    uk: 'розклад у лапках, наприклад "0 8 * * 1-5", або null',
  },
  event: { en: 'the name of an event such as "note/created"', uk: 'назва події, наприклад "note/created"' },
  folder: {
    en: "a folder of notes, written with `/` and without `..`",
    uk: "тека нотаток, записана через `/` і без `..`",
  },
  count: { en: "a whole number above zero", uk: "ціле число, більше за нуль" },
  at: {
    en: 'a time with its zone in ISO 8601 such as "2026-02-14T12:00:00Z"',
    uk: 'час із поясом за ISO 8601, наприклад "2026-02-14T12:00:00Z"',
  },
  diagram: {
    en: 'the name of a diagram file in lower case such as "main-flow.drakon.json"',
    uk: 'назва файлу діаграми малими літерами, наприклад "main-flow.drakon.json"',
  },
  state: oneOf(agentStates),
  execution: oneOf(["prompt", "flow"]),
  proposes: oneOf(["folder", "anywhere"]),
  tag_change: oneOf(["add", "remove", "both"]),
  tag: { en: "a tag without #, commas, quotes and brackets", uk: "тег без #, ком, лапок і дужок" },
  workspace: oneOf(["proposals", "session"]),
  session_workspace: {
    en: "`workspace: session`: these tools write on the branch of the run",
    uk: "`workspace: session`: ці інструменти пишуть у гілку запуску",
  },
  session_output: {
    en: "propose-merge in the list: with `workspace: session` a run ends with it",
    uk: "propose-merge у списку: з `workspace: session` ним закінчується запуск",
  },
  sub_agents: { en: "a whole number from 1 to 100", uk: "ціле число від 1 до 100" },
  sub_agent_depth: { en: "a whole number from 1 to 5", uk: "ціле число від 1 до 5" },
  timezone: { en: "a time zone such as Europe/Kyiv", uk: "часовий пояс, наприклад Europe/Kyiv" },
  url: { en: "an address that begins with http:// or https://", uk: "адреса, що починається з http:// або https://" },
  mcp_tool: {
    en: "the name of a tool that the garden does not have itself",
    uk: "назва інструмента, якого немає в самого саду",
  },
  host: {
    en: "a host name such as api.example.com or *.example.com, with a port if needed",
    uk: "назва вузла, наприклад api.example.com або *.example.com, за потреби з портом",
  },
  logic: { en: "a logic version such as v007", uk: "версія логіки, наприклад v007" },
} as const satisfies Expectations;
