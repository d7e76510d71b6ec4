import { didYouMean } from "../../base/did-you-mean.ts";
import type { Text } from "../../base/text.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import type { Proposal } from "../../domain/proposal/proposal.ts";
import { receive } from "../../garden/changes/inbox/receive.ts";
import { decide } from "../../garden/changes/proposals/decide.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { type Command, type Context, type Report, textOption } from "../command.ts";
import { wrongUse } from "../parse.ts";
import { numberOption, type ProposeVerb, proposeVerbs } from "../proposals/propose-verbs.ts";
import { withGarden } from "../with-garden.ts";

const option = (value: string, en: string, uk: string) => ({ type: "string", value, about: { en, uk } }) as const;

export const propose: Command = {
  name: "propose",
  summary: { en: "ask for a change of the garden", uk: "запропонувати зміну в саду" },
  usage: `${Object.keys(proposeVerbs).join("|")} …`,
  words: [1, 3],
  options: {
    text: option("TEXT", "the text itself, in place of a file", "сам текст замість файлу"),
    title: option("T", "note: the file name follows from it", "note: від неї утворюється назва файлу"),
    diff: option("FILE", "edit: a unified diff; it must fit exactly", "edit: уніфікований diff; має підходити точно"),
    base: option("COMMIT", "edit: the commit that you read", "edit: коміт, який ви читали"),
    add: option("A,B", "tag: tags to add", "tag: теги, які додати"),
    remove: option("C", "tag: tags to remove", "tag: теги, які зняти"),
    line: option("N", "comment: at this line", "comment: біля цього рядка"),
    heading: option("H", "summary: of the section", "summary: заголовок розділу"),
    agent: option("SLUG", "artifact, summary: whose file it is", "artifact, summary: чий це файл"),
    name: option("NAME", "summary: of the file", "summary: назва файлу"),
    type: option("TYPE", "artifact: its media type", "artifact: медіатип"),
    replaces: option("HASH", "artifact: of the file that it takes the place of", "artifact: хеш файлу, який замінює"),
    append: option("FILE", "memory: append the text to this file", "memory: дописати текст у цей файл"),
    section: option("S", "memory: to this section", "memory: у цей розділ"),
    expected: option("N", "memory: the version that you read", "memory: версія, яку ви читали"),
    diagram: option("FILE", "logic: a .drakon.json", "logic: файл .drakon.json"),
    pseudocode: option("FILE", "logic: the pseudocode", "logic: псевдокод"),
    from: option("VERSION", "logic: the version that it was made from", "logic: версія, від якої зроблено"),
    evidence: option(
      "RUN,RUN",
      "logic, rollback: runs that show the problem",
      "logic, rollback: запуски, що показують проблему",
    ),
    summary: option("TEXT", "one line about it: the commit's first line", "один рядок: перший рядок коміту"),
    reason: option("TEXT", "why", "чому"),
    priority: option("normal|high", "how much it matters", "наскільки важливо"),
    ttl: option("HOURS", "how long it waits for a decision", "скільки годин чекає рішення"),
    correlation: option("ID", "with the same one it is the same request", "з тим самим — той самий запит"),
    approve: { type: "boolean", about: { en: "and approve it at once", uk: "і одразу схвалити" } },
  },
  examples: [
    ...Object.entries(proposeVerbs).map(([name, { usage, does }]) => ({
      line: `bloom propose ${name} ${usage.split(", ")[0]}`,
      does,
    })),
    {
      line: "echo 'E, A, D, G' | bloom propose note --title 'Strings' - --approve",
      does: { en: "from the standard input, and into the garden", uk: "зі стандартного вводу, і одразу в сад" },
    },
    {
      line: "bloom propose edit notes/violin.md --diff fix.patch --reason 'the A is 442 Hz'",
      does: { en: "a diff, with a reason", uk: "diff із поясненням" },
    },
  ],
  run: (context) =>
    withGarden(context, async (garden) => {
      const [word, ...words] = context.words as [string, ...string[]];
      const verb = Object.hasOwn(proposeVerbs, word) ? proposeVerbs[word]! : unknownVerb(word);
      checkCount(word, verb, words);
      return told(await proposed(context, garden, verb, words));
    }),
};

async function proposed(
  context: Context,
  garden: Garden,
  verb: ProposeVerb,
  words: readonly string[],
): Promise<{ readonly proposal: Proposal; readonly repeated: boolean }> {
  const reason = textOption(context, "reason");
  const received = await receive(garden, {
    identity: commandLineOwner,
    action: verb.action,
    payload: await verb.payload(context, garden, words),
    summary: textOption(context, "summary"),
    reasoning: reason,
    correlation_id: textOption(context, "correlation"),
    priority: textOption(context, "priority") as "normal" | "high" | undefined,
    ttl_hours: numberOption(context, "ttl"),
  });
  if (received.kind === "refused") throw received.failure;
  const { proposal, repeated } = received;
  if (context.options["approve"] !== true || proposal.status !== "pending") return { proposal, repeated };
  const { id, digest } = proposal;
  return {
    proposal: await decide(garden, { proposal: id, verdict: "approve", digest, by: commandLineOwner, note: reason }),
    repeated,
  };
}

function told({ proposal, repeated }: { readonly proposal: Proposal; readonly repeated: boolean }): Report {
  const { id, status, action, target, digest, expires_at, apply_result: result, entry_id } = proposal;
  const text: Record<string, Text> = {
    pending: {
      en: `${id} waits for a decision: ${action} ${target}\nLook at it: bloom proposals show ${short(id)}`,
      uk: `${id} чекає на рішення: ${action} ${target}\nПереглянути: bloom proposals show ${short(id)}`,
    },
    applied: {
      en: `${id} is applied: ${action} ${target}${made(result)}`,
      uk: `${id} застосовано: ${action} ${target}${made(result)}`,
    },
    failed: {
      en: `${id} is approved and could not be applied: ${result?.error?.message.en ?? ""}`,
      uk: `${id} схвалено, але не вдалося застосувати: ${result?.error?.message.uk ?? ""}`,
    },
  };
  return {
    text: text[status] ?? { en: `${id} is ${status}`, uk: `${id}: ${status}` },
    json: {
      proposal: { id, entry_id, status, action, target, digest, expires_at, ...(result && { apply_result: result }) },
      repeated,
    },
    ...(status === "failed" && { exit: 5 }),
  };
}

const made = (result: Proposal["apply_result"]): string =>
  [result?.git_commit?.slice(0, 10), result?.object_path]
    .filter((part) => part !== undefined)
    .map((part) => ` (${part})`)
    .join("");

/** The end of an id is enough to name it. */
const short = (id: string): string => id.slice(-6);

function checkCount(word: string, { words: [min, max], usage }: ProposeVerb, words: readonly string[]): void {
  if (words.length >= min && words.length <= max) return;
  throw wrongUse(
    words.length < min
      ? { en: `propose ${word}: something is missing`, uk: `propose ${word}: чогось бракує` }
      : { en: `propose ${word}: one word too many: ${words[max]}`, uk: `propose ${word}: зайве слово: ${words[max]}` },
    { en: `Usage: bloom propose ${word} ${usage}`, uk: `Використання: bloom propose ${word} ${usage}` },
  );
}

function unknownVerb(word: string): never {
  const meant = didYouMean(word, Object.keys(proposeVerbs));
  const all = Object.keys(proposeVerbs).join(", ");
  throw wrongUse(
    {
      en: `nothing to propose is called ${JSON.stringify(word)}`,
      uk: `запропонувати ${JSON.stringify(word)} не можна`,
    },
    meant === undefined
      ? { en: `One of: ${all}.`, uk: `Одне з: ${all}.` }
      : { en: `Did you mean \`bloom propose ${meant}\`?`, uk: `Можливо, \`bloom propose ${meant}\`?` },
  );
}
