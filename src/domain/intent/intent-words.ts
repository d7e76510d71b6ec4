import { actions } from "../proposal/action.ts";
import type { Expectations } from "../text/checked-yaml.ts";

/** Expected fields of a wish, as error messages describe them. */
export const intentExpectations = {
  group: { en: "a group of fields", uk: "група полів" },
  list: { en: "a list", uk: "список" },
  action: { en: `one of ${actions.join(", ")}`, uk: `одне з: ${actions.join(", ")}` },
  path: {
    en: "a path of the garden such as notes/violin.md, written from its top, without `..`",
    uk: "шлях у саду, наприклад notes/violin.md, від його кореня, без `..`",
  },
  "new-path": {
    en: 'a name in composed letters (NFC), without invisible characters, without <>:"|?*, spaces or dots at an edge, or names of devices such as con',
    uk: 'назва з літер у складеній формі (NFC), без невидимих символів, без <>:"|?*, без пробілів і крапок скраю та без назв пристроїв на зразок con',
  },
  line: { en: "one line of text, up to 200 characters", uk: "один рядок тексту, до 200 символів" },
  text: { en: "text without NUL and half surrogate pairs", uk: "текст без NUL і половин сурогатних пар" },
  diff: { en: "a unified diff of one file", uk: "уніфікований diff одного файлу" },
  tag: { en: "a tag of up to 100 characters without commas and brackets", uk: "тег до 100 символів без ком і дужок" },
  tags: { en: "a list of tags, at most 100", uk: "список тегів, не більше 100" },
  count: { en: "a whole number above zero", uk: "ціле число, більше за нуль" },
  number: { en: "a whole number, zero or above", uk: "ціле число від нуля" },
  slug: {
    en: "an agent: lower-case Latin letters, digits and inner hyphens, up to 63 characters",
    uk: "агент: малі латинські літери, цифри й дефіси всередині, до 63 символів",
  },
  base64: { en: "bytes in base64", uk: "байти в base64" },
  run: { en: "the id of a run", uk: "ідентифікатор запуску" },
  runs: { en: "a list of run ids, at most 1,000", uk: "список ідентифікаторів запусків, не більше 1000" },
  version: { en: "a logic version such as v007", uk: "версія логіки, наприклад v007" },
  "session-or-branch": {
    en: "session: the name of a session; or branch: agents/<name>",
    uk: "session: назва сесії; або branch: agents/<назва>",
  },
  commit: {
    en: "the full id of a commit (40 hex digits)",
    uk: "повний ідентифікатор коміту (40 шістнадцяткових цифр)",
  },
  hash: { en: "a hash of 40 hex digits", uk: "хеш із 40 шістнадцяткових цифр" },
  priority: { en: "normal or high", uk: "normal або high" },
  "memory-file": {
    en: "snapshot.md, facts.md, open_loops.md or decisions.md",
    uk: "snapshot.md, facts.md, open_loops.md або decisions.md",
  },
  "memory-op": {
    en: "an operation with op: append, replace, close-loop, observe or restore",
    uk: "операція з op: append, replace, close-loop, observe або restore",
  },
  operations: { en: "a list of 1 to 100 operations", uk: "список із 1–100 операцій" },
  values: { en: "named values", uk: "іменовані значення" },
  citations: {
    en: "a list of {source, quote?, line?}, at most 200",
    uk: "список {source, quote?, line?}, не більше 200",
  },
  into: {
    en: "{kind: artifact, name?} or {kind: section, heading?}",
    uk: "{kind: artifact, name?} або {kind: section, heading?}",
  },
  diagram: {
    en: "a diagram: the text of a .drakon.json, or its JSON",
    uk: "діаграма: текст .drakon.json або сам JSON",
  },
  rationale: {
    en: "a reason: text, or {problem, change?, evidenceRuns?, expectedImprovement?, riskAssessment?}",
    uk: "обґрунтування: текст або {problem, change?, evidenceRuns?, expectedImprovement?, riskAssessment?}",
  },
  change: {
    en: "{operation: patch, diff} or {operation: replace, content}",
    uk: "{operation: patch, diff} або {operation: replace, content}",
  },
  "human-review": {
    en: "true: a change of logic always waits for a person",
    uk: "true: зміна логіки завжди чекає на людину",
  },
  kind: { en: "the name of this action itself", uk: "назва самої цієї дії" },
  "path-or-title": { en: "one of path and title", uk: "одне з path і title" },
  "diff-or-text": { en: "one of diff and text", uk: "одне з diff і text" },
  "some-tags": { en: "at least one tag to add or remove", uk: "хоча б один тег, щоб додати чи зняти" },
  "same-tag": { en: "no tag both added and removed", uk: "жодного тегу і в add, і в remove" },
  "text-or-removes": { en: "the text of the comment", uk: "текст коментаря" },
  remove: { en: "true, or omit the field", uk: "true або нічого" },
  "text-or-base64": { en: "one of text and base64", uk: "одне з text і base64" },
  "some-logic": { en: "a diagram, a pseudocode or both", uk: "діаграма, псевдокод або обоє" },
  "one-agent": { en: "one agent, named once", uk: "один агент, названий один раз" },
  "an-agent": { en: "the agent whose folder it is about (agent)", uk: "агент, чиєї теки це стосується (agent)" },
  "one-way": {
    en: "the change in one form: proposedChanges, or proposedPseudo and proposedDrakon, or pseudocode and diagram",
    uk: "зміна, подана одним способом: proposedChanges, або proposedPseudo і proposedDrakon, або pseudocode і diagram",
  },
  evidence: { en: "evidence named once (evidenceRuns)", uk: "докази, названі один раз (evidenceRuns)" },
} as const satisfies Expectations;
