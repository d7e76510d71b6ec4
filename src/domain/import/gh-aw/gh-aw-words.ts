import type { Text } from "../../../base/text.ts";
import type { Action } from "../../proposal/action.ts";
import type { Fate } from "../import-report.ts";

type Row = readonly [fate: Fate, why: Text, to?: string];
const lost = (en: string, uk: string): Row => ["lost", { en, uk }];
const kept = (en: string, uk: string): Row => ["kept", { en, uk }];

const SHELL = lost(
  "agents run no commands of the shell: move what it prepares into a note or a source",
  "агенти не виконують команд оболонки: перенесіть підготовлене в нотатку або джерело",
);
const MACHINE = lost(
  "it configures the machine of a job, and there is none here",
  "це налаштування машини завдання, а тут її немає",
);
const CREDENTIAL = lost("credentials are never imported", "облікові дані не імпортуються");
const WHO = lost(
  "only the owner starts agents here, so it is narrower",
  "тут агентів запускає лише власник: дозволено менше",
);
const CONDITION = lost("conditions of GitHub are not evaluated here", "умови GitHub тут не обчислюються");
const COMPILER = lost(
  "it is a setting of the compiler, and nothing is compiled here",
  "це налаштування компілятора, а тут нічого не компілюють",
);
const SOURCE_NOTE = kept("kept in the source file beside the agent", "збережено у файлі джерела поруч з агентом");

/** Top-level keys whose fate does not depend on their value. */
export const plainKeys: Readonly<Record<string, Row | undefined>> = {
  // Without a prototype: a key may have any name.
  __proto__: null as never,
  steps: SHELL,
  "pre-steps": SHELL,
  "post-steps": SHELL,
  "pre-agent-steps": SHELL,
  jobs: SHELL,
  "safe-inputs": SHELL,
  "mcp-scripts": SHELL,
  services: MACHINE,
  container: MACHINE,
  runtimes: MACHINE,
  "runs-on": MACHINE,
  "runs-on-slim": MACHINE,
  environment: MACHINE,
  sandbox: lost(
    "agents have no shell and no file system, so it is narrower",
    "агенти не мають оболонки й файлової системи: дозволено менше",
  ),
  cache: MACHINE,
  checkout: MACHINE,
  env: MACHINE,
  concurrency: ["mapped", { en: "an agent has one run at a time anyway", uk: "агент і так має один запуск водночас" }],
  "github-token": CREDENTIAL,
  "secret-masking": [
    "mapped",
    { en: "secrets are removed from everything that is stored", uk: "секрети вилучаються з усього, що зберігається" },
  ],
  secrets: CREDENTIAL,
  roles: WHO,
  bots: WHO,
  "skip-roles": WHO,
  "skip-bots": WHO,
  "rate-limit": lost(
    "the garden's own limits apply (`limits` in garden.yaml)",
    "діють власні обмеження саду (`limits` у garden.yaml)",
  ),
  if: CONDITION,
  strict: COMPILER,
  features: COMPILER,
  "inlined-imports": COMPILER,
  experiments: lost("no counterpart: compare logic versions instead", "немає відповідника: порівнюйте версії логіки"),
  "run-name": SOURCE_NOTE,
  "tracker-id": SOURCE_NOTE,
  labels: SOURCE_NOTE,
  metadata: SOURCE_NOTE,
  source: SOURCE_NOTE,
  redirect: SOURCE_NOTE,
  emoji: SOURCE_NOTE,
  private: SOURCE_NOTE,
  resources: SOURCE_NOTE,
  enclaves: SHELL,
  observability: MACHINE,
  "max-ai-credits": lost(
    "`budget.tokens` limits a run here: set it yourself",
    "тут запуск обмежує `budget.tokens`: задайте самі",
  ),
  project: lost("no project boards here", "дошок проєктів тут немає"),
};

export const knownKeys: readonly string[] = [
  ...Object.keys(plainKeys),
  ..."on name description permissions tools network engine safe-outputs imports timeout-minutes mcp-servers command model max-turns".split(
    " ",
  ),
];

/** Outputs by meaning: an issue or a discussion is a note, a pull request the merge of a branch of its own. */
export const outputActions: Readonly<Record<string, Action | undefined>> = {
  __proto__: null as never,
  "create-issue": "propose-note",
  "create-discussion": "propose-note",
  "add-comment": "propose-comment",
  "create-pull-request-review-comment": "propose-comment",
  "reply-to-pull-request-review-comment": "propose-comment",
  "submit-pull-request-review": "propose-comment",
  "create-pull-request": "propose-merge",
  "push-to-pull-request-branch": "propose-edit",
  "update-issue": "propose-edit",
  "update-discussion": "propose-edit",
  "add-labels": "propose-tag",
  "remove-labels": "propose-tag",
  "upload-asset": "propose-artifact",
  "upload-assets": "propose-artifact",
  "upload-artifact": "propose-artifact",
};

/** Keys of `safe-outputs` that are no outputs, and outputs with a reason of their own. */
export const otherOutputs: Readonly<Record<string, Row | undefined>> = {
  __proto__: null as never,
  noop: [
    "mapped",
    { en: "a run may end without a change and says why", uk: "запуск може скінчитися без змін і каже чому" },
  ],
  staged: ["mapped", { en: "everything is a proposal first", uk: "усе спершу є пропозицією" }],
  "missing-tool": [
    "mapped",
    { en: "a denied call is recorded in the run", uk: "відмова у виклику записується в запуск" },
  ],
  "missing-data": ["mapped", { en: "a run that is blocked says why", uk: "заблокований запуск каже чому" }],
  "threat-detection": lost("a person reviews every proposal instead", "натомість кожну пропозицію переглядає людина"),
  messages: SOURCE_NOTE,
  footer: SOURCE_NOTE,
  mentions: SOURCE_NOTE,
  "allowed-github-references": SOURCE_NOTE,
  "github-token": CREDENTIAL,
  app: CREDENTIAL,
  "github-app": CREDENTIAL,
  env: MACHINE,
  jobs: SHELL,
  scripts: SHELL,
  steps: SHELL,
  actions: SHELL,
  "runs-on": MACHINE,
  "max-patch-size": SOURCE_NOTE,
};

export const lostTools: Readonly<Record<string, Text | undefined>> = {
  __proto__: null as never,
  bash: SHELL[1],
  edit: { en: "agents change no files: they propose", uk: "агенти не змінюють файлів: вони пропонують" },
  "web-fetch": { en: "no tool reads the web", uk: "немає інструмента, що читає веб" },
  "web-search": { en: "no tool searches the web", uk: "немає інструмента, що шукає у вебі" },
  playwright: { en: "no tool drives a browser", uk: "немає інструмента, що керує браузером" },
  github: {
    en: "no tool reads GitHub; notes take its place",
    uk: "немає інструмента для GitHub; його місце займають нотатки",
  },
};
