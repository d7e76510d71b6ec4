import type { Text } from "../../base/text.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import type { Proposal } from "../../domain/proposal/proposal.ts";
import { receive } from "../../garden/changes/inbox/receive.ts";
import { decide } from "../../garden/changes/proposals/decide.ts";
import type { Garden } from "../../garden/core/garden.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { example, flag, numberOption, option, textOption } from "../options.ts";
import { type ProposeVerb, proposeVerbs } from "../proposals/propose-subcommands.ts";
import { gardenCommand, type Subcommand } from "../subcommands.ts";

/** Subcommands by kind of proposal; each builds a payload and submits it. */
const subcommands = Object.fromEntries(
  Object.entries(proposeVerbs).map(([name, verb]): [string, Subcommand] => [
    name,
    {
      ...verb,
      run: async (context, garden, words) => proposalReport(await submitProposal(context, garden, verb, words)),
    },
  ]),
);

export const proposeCommand = gardenCommand({
  name: "propose",
  summary: { en: "propose a change of the garden", uk: "запропонувати зміну в саду" },
  subcommands,
  options: {
    text: option("TEXT", "the text, instead of a file", "сам текст замість файлу"),
    title: option("T", "note: title; the file name is derived from it", "note: від неї утворюється назва файлу"),
    diff: option("FILE", "edit: a unified diff; it must fit exactly", "edit: уніфікований diff; має підходити точно"),
    base: option("COMMIT", "edit: the commit that the change is based on", "edit: коміт, який ви читали"),
    add: option("A,B", "tag: tags to add", "tag: теги, які додати"),
    remove: option("C", "tag: tags to remove", "tag: теги, які зняти"),
    line: option("N", "comment: at this line", "comment: біля цього рядка"),
    heading: option("H", "summary: heading of the section", "summary: заголовок розділу"),
    agent: option("SLUG", "artifact, summary: the agent that owns the file", "artifact, summary: чий це файл"),
    name: option("NAME", "summary: name of the file", "summary: назва файлу"),
    type: option("TYPE", "artifact: its media type", "artifact: медіатип"),
    replaces: option("HASH", "artifact: hash of the file to replace", "artifact: хеш файлу, який замінює"),
    append: option("FILE", "memory: append the text to this file", "memory: дописати текст у цей файл"),
    section: option("S", "memory: to this section", "memory: у цей розділ"),
    expected: option("N", "memory: the version that you read", "memory: версія, яку ви читали"),
    diagram: option("FILE", "logic: the diagram, a .drakon.json file", "logic: файл .drakon.json"),
    pseudocode: option("FILE", "logic: the pseudocode", "logic: псевдокод"),
    from: option("VERSION", "logic: the version that it is based on", "logic: версія, від якої зроблено"),
    head: option("COMMIT", "merge: up to this commit of the session", "merge: до цього коміту сесії"),
    evidence: option("RUN,RUN", "logic, rollback: runs as evidence", "logic, rollback: запуски, що показують проблему"),
    summary: option("TEXT", "first line of the commit message", "один рядок: перший рядок коміту"),
    reason: option("TEXT", "why", "чому"),
    priority: option("normal|high", "priority of the proposal", "наскільки важливо"),
    ttl: option("HOURS", "hours until it expires", "скільки годин чекає рішення"),
    correlation: option(
      "ID",
      "idempotency key: a repeated request returns the first proposal",
      "з тим самим — той самий запит",
    ),
    approve: flag("approve it at once", "і одразу схвалити"),
  },
  examples: [
    example(
      "echo 'E, A, D, G' | bloom propose note --title 'Strings' - --approve",
      "from standard input, applied at once",
      "зі стандартного вводу, і одразу в сад",
    ),
    example(
      "bloom propose edit notes/violin.md --diff fix.patch --reason 'the A is 442 Hz'",
      "a diff, with a reason",
      "diff із поясненням",
    ),
  ],
});

async function submitProposal(
  context: CommandContext,
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

export function proposalReport({
  proposal,
  repeated,
}: {
  readonly proposal: Proposal;
  readonly repeated: boolean;
}): CommandReport {
  const { id, status, action, target, digest, expires_at, apply_result: result, entry_id } = proposal;
  const text: Record<string, Text> = {
    pending: {
      en: `${id} waits for a decision: ${action} ${target}\nReview it: bloom proposals show ${short(id)}`,
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

/** A suffix of the id is enough to refer to it. */
const short = (id: string): string => id.slice(-6);
