import { notifyKinds } from "../notification.ts";
import { actions, ruleActions } from "../proposal/action.ts";
import type { Expectations } from "../text/checked-yaml.ts";

/** Expected values in `garden.yaml`, as error messages describe them. */
export const expectations = {
  group: { en: "a group of keys", uk: "група ключів" },
  list: { en: "a list (`- …` lines, at most 1,000)", uk: "список (рядки `- …`, не більше 1000)" },
  named: { en: "names with a group of keys under each", uk: "назви, під кожною з яких група ключів" },
  line: { en: "one line of text, up to 200 characters", uk: "один рядок тексту, до 200 символів" },
  count: { en: "a whole number above zero", uk: "ціле число, більше за нуль" },
  percent: { en: "a whole number from 1 to 100", uk: "ціле число від 1 до 100" },
  grace: { en: "a whole number of seconds from 0 to 60", uk: "ціле число секунд від 0 до 60" },
  rate: { en: "a number from 0 to 1", uk: "число від 0 до 1" },
  price: { en: "a number of zero or more, per million tokens", uk: "число від нуля, за мільйон токенів" },
  currency: { en: "three capital letters such as USD or UAH", uk: "три великі латинські літери, як-от USD чи UAH" },
  confidence: { en: "a number from 0.5 to 0.9999", uk: "число від 0.5 до 0.9999" },
  slug: {
    en: "a name of lower-case Latin letters, digits and inner hyphens, up to 63 characters",
    uk: "назва з малих латинських літер, цифр і дефісів усередині, до 63 символів",
  },
  variable: {
    en: "the name of an environment variable such as MODEL_KEY (never the secret itself)",
    uk: "назва змінної середовища, як-от MODEL_KEY (ніколи не сам секрет)",
  },
  url: { en: "an address that begins with http:// or https://", uk: "адреса, що починається з http:// або https://" },
  folder: {
    en: "a folder of the garden, written from its top with `/` and without `..`",
    uk: "тека саду, записана від його кореня через `/` і без `..`",
  },
  notes_root: {
    en: "a folder for notes that is not memory/ or logic/, or `.` for the whole garden",
    uk: "тека для нотаток (не memory/ і не logic/) або `.` для всього саду",
  },
  agents_root: {
    en: "a folder at the top of the garden for the agents that is neither memory/, logic/ nor the folder of the notes",
    uk: "тека агентів у корені саду (не memory/, не logic/ і не тека нотаток)",
  },
  action: {
    en: `${ruleActions.slice(0, -1).join(", ")} or ${ruleActions.at(-1)}`,
    uk: `${ruleActions.slice(0, -1).join(", ")} або ${ruleActions.at(-1)}`,
  },
  anyAction: { en: `one of ${actions.join(", ")}`, uk: `одне з: ${actions.join(", ")}` },
  source: { en: "owner, agent, webhook or guest", uk: "owner, agent, webhook або guest" },
  only: { en: "own-values, or leave it out", uk: "own-values, або не вказувати" },
  remote: {
    en: "the address of a git repository (https://…, ssh://…, user@host:path or a folder)",
    uk: "адреса репозиторію git (https://…, ssh://…, user@host:path або тека)",
  },
  remotePassword: {
    en: "an address without a password: this file is committed. Let git's credential helper or an ssh key hold it",
    uk: "адреса без пароля: цей файл комітиться. Пароль має тримати credential helper git або ключ ssh",
  },
  seconds: { en: "a number of seconds from 1 to 3600", uk: "кількість секунд від 1 до 3600" },
  lookSeconds: {
    en: "a number of seconds from 10 to 86400, or 0 to look only when asked",
    uk: "кількість секунд від 10 до 86400, або 0, щоб дивитися лише на вимогу",
  },
  publicRemote: {
    en: "another name: with `federation: { public: true }` the name `public` is the garden's own public space",
    uk: "інша назва: з `federation: { public: true }` назва `public` — власний публічний простір саду",
  },
  timezone: { en: "a time zone such as Europe/Kyiv", uk: "часовий пояс, наприклад Europe/Kyiv" },
  version: { en: "the format number 2", uk: "номер формату 2" },
  language: { en: "uk or en", uk: "uk або en" },
  store: {
    en: "a group with `kind: directory`, or with `kind: s3`, `endpoint` and `bucket`",
    uk: "група з `kind: directory` або з `kind: s3`, `endpoint` і `bucket`",
  },
  endpoint: {
    en: "the address of an S3 server such as https://s3.example.com, without a name, password or query",
    uk: "адреса сервера S3, як-от https://s3.example.com, без імені, пароля й запиту",
  },
  bucket: {
    en: "the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens",
    uk: "назва кошика: від 3 до 63 малих латинських літер, цифр, крапок і дефісів",
  },
  prefix: {
    en: "a folder in the bucket such as gardens/home, without a slash at its ends",
    uk: "тека в кошику, як-от gardens/home, без скісних рисок на краях",
  },
  region: { en: "a region such as us-east-1", uk: "регіон, як-от us-east-1" },
  engine: {
    en: "a group with `kind: embedded`, `kind: restate` or `kind: inngest`",
    uk: "група з `kind: embedded`, `kind: restate` або `kind: inngest`",
  },
  engineMode: { en: "serve or connect", uk: "serve або connect" },
  workerUrl: {
    en: "no address: with `mode: connect` the workers connect to the server",
    uk: "жодної адреси: з `mode: connect` виконавці самі під’єднуються до сервера",
  },
  app: {
    en: "a name of lower-case Latin letters, digits and hyphens that begins with a letter, up to 50 characters",
    uk: "назва з малих латинських літер, цифр і дефісів, що починається з літери, до 50 символів",
  },
  identity_key: {
    en: "the public key of the Restate server, which begins with publickeyv1_",
    uk: "відкритий ключ сервера Restate, що починається з publickeyv1_",
  },
  runtime: {
    en: "a group with `kind: mastra` or `kind: ai-sdk`, or leave it out",
    uk: "група з `kind: mastra` чи `kind: ai-sdk`, або не вказувати",
  },
  reader: {
    en: "a group with `kind: local` or `kind: notebooklm`",
    uk: "група з `kind: local` або `kind: notebooklm`",
  },
  date: { en: "a day such as 2026-12-31", uk: "день, наприклад 2026-12-31" },
  host: {
    en: "a host name such as api.example.com or *.example.com, with a port if needed",
    uk: "назва вузла, наприклад api.example.com або *.example.com, за потреби з портом",
  },
  flag: { en: "true or false", uk: "true або false" },
  time: { en: "a time of day such as 08:00", uk: "час доби, наприклад 08:00" },
  command: {
    en: "a program and its arguments, each an item of the list, such as [sendmail, me@example.com]",
    uk: "програма та її аргументи окремими елементами списку, наприклад [sendmail, me@example.com]",
  },
  contact: {
    en: "an address for push services such as mailto:me@example.org or https://example.org",
    uk: "адреса для служб сповіщень, наприклад mailto:me@example.org або https://example.org",
  },
  notifyKind: { en: `one of ${notifyKinds.join(", ")}`, uk: `одне з: ${notifyKinds.join(", ")}` },
  destination: {
    en: "one of `webhook` with `secret_env`, `command`, `push` (with `brief` and `contact` if wanted)",
    uk: "одне з: `webhook` із `secret_env`, `command`, `push` (за потреби з `brief` і `contact`)",
  },
  distinctNames: { en: "a different `name` in each item", uk: "різні `name` в елементах" },
  missed: { en: "skip, once or all", uk: "skip, once або all" },
  tooLarge: { en: "at most 65,536 bytes", uk: "не більше 65 536 байтів" },
  notText: { en: "a text file in UTF-8", uk: "текстовий файл у UTF-8" },
} as const satisfies Expectations;
