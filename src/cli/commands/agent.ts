import { didYouMean } from "../../base/did-you-mean.ts";
import type { Text } from "../../base/text.ts";
import { type AgentState, agentStates, isAgentState } from "../../domain/contract/agent-state.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { allowOutput, forbidOutput } from "../agent/allow-agents.ts";
import { moveAgent, newAgent, removeAgent } from "../agent/change-agents.ts";
import { checkAgent, listAgents, showAgent } from "../agent/tell-agents.ts";
import { tellArtifacts } from "../agent/tell-artifacts.ts";
import { type Command, type Context, type Report, textOption } from "../command.ts";
import { wrongUse } from "../parse.ts";
import { withGarden } from "../with-garden.ts";

/** What can be done with agents; the first word says which. */
interface Verb {
  /** Whether it is about one agent, which the second word names. */
  readonly one: boolean;
  readonly does: Text;
  run(context: Context, garden: Garden, slug: string): Promise<Report>;
}

const move = (to: AgentState, does: Text): Verb => ({
  one: true,
  does,
  run: (context, garden, slug) => moveAgent(context, garden, slug, to),
});

const verbs: Readonly<Record<string, Verb>> = {
  new: {
    one: true,
    does: {
      en: "a draft with a contract, a diagram and logic v001",
      uk: "чернетка з контрактом, діаграмою і логікою v001",
    },
    run: newAgent,
  },
  list: {
    one: false,
    does: { en: "all agents", uk: "усі агенти" },
    run: (context, garden) => listAgents(garden, stateAsked(context)),
  },
  show: { one: true, does: { en: "one agent", uk: "один агент" }, run: (_, garden, slug) => showAgent(garden, slug) },
  check: {
    one: true,
    does: {
      en: "what stands in the way of activating it; exits with 1 if something does",
      uk: "що заважає його активувати; код 1, якщо щось заважає",
    },
    run: (_, garden, slug) => checkAgent(garden, slug),
  },
  artifacts: {
    one: true,
    does: {
      en: "files that it left by approved proposals, or what is in one (--file)",
      uk: "файли, які він лишив схваленими пропозиціями, або вміст одного (--file)",
    },
    run: tellArtifacts,
  },
  activate: move("active", { en: "let it run, after the check", uk: "дозволити запуск, після перевірки" }),
  pause: move("paused", { en: "it runs no more; everything stays", uk: "не запускається; усе лишається" }),
  resume: move("active", { en: "from paused or error, after the check", uk: "з paused або error, після перевірки" }),
  archive: move("archived", { en: "put it away", uk: "прибрати в архів" }),
  restore: move("draft", { en: "from the archive, as a draft", uk: "з архіву, як чернетку" }),
  allow: {
    one: true,
    does: {
      en: "let it ask for an action (--output), also about other agents (--on); --on alone: look after their logic",
      uk: "дозволити просити про дію (--output), також щодо інших агентів (--on); лише --on: доглядати їхню логіку",
    },
    run: allowOutput,
  },
  forbid: {
    one: true,
    does: { en: "it may no longer ask for an action (--output)", uk: "більше не просити про дію (--output)" },
    run: forbidOutput,
  },
  delete: {
    one: true,
    does: { en: "an archived one, with its whole folder", uk: "архівованого, з усією його текою" },
    run: removeAgent,
  },
};

export const agent: Command = {
  name: "agent",
  summary: {
    en: "make agents, look at them, and start, stop or put them away",
    uk: "створювати й переглядати агентів, змінювати їхній стан",
  },
  usage: `${Object.keys(verbs).join("|")} [SLUG]`,
  words: [1, 2],
  options: {
    diagram: { type: "string", value: "FILE", about: { en: "new: from this diagram", uk: "new: з цієї діаграми" } },
    from: {
      type: "string",
      value: "DIR",
      about: { en: "new: a copy of the agent in this folder", uk: "new: копія агента з цієї теки" },
    },
    prose: { type: "boolean", about: { en: "new: in words, without a diagram", uk: "new: словами, без діаграми" } },
    name: {
      type: "string",
      value: "NAME",
      about: { en: "new: what people call it", uk: "new: як його називають люди" },
    },
    description: { type: "string", value: "TEXT", about: { en: "new: what it does", uk: "new: що він робить" } },
    model: { type: "string", value: "ID", about: { en: "new: its model", uk: "new: його модель" } },
    file: { type: "string", value: "NAME", about: { en: "artifacts: which one", uk: "artifacts: який саме" } },
    status: { type: "string", value: agentStates.join("|"), about: { en: "list: only these", uk: "list: лише ці" } },
    output: {
      type: "string",
      value: "ACTION",
      about: { en: "allow, forbid: which action", uk: "allow, forbid: яку дію" },
    },
    on: {
      type: "string",
      value: "SLUG,…",
      about: { en: "allow: about which agents besides itself", uk: "allow: щодо яких агентів, крім себе" },
    },
    reason: { type: "string", value: "TEXT", about: { en: "why, for the record", uk: "чому, для запису" } },
    confirm: { type: "string", value: "SLUG", about: { en: "delete: the slug once more", uk: "delete: slug ще раз" } },
  },
  examples: [
    ...Object.entries(verbs).map(([verb, { one, does }]) => ({
      line: `bloom agent ${verb}${one ? " archivist" : ""}`,
      does,
    })),
    {
      line: "bloom agent new archivist --diagram main-flow.drakon.json",
      does: { en: "the procedure comes from the diagram", uk: "процедура береться з діаграми" },
    },
    {
      line: "bloom agent allow optimizer --output logic-update --on archivist,gardener",
      does: { en: "an observer becomes one who proposes", uk: "спостерігач стає тим, хто пропонує" },
    },
    {
      line: "bloom agent delete archivist --confirm archivist",
      does: { en: "there is no way back", uk: "вороття немає" },
    },
  ],
  async run(context) {
    const [word, slug] = context.words as [string, string | undefined];
    const verb = Object.hasOwn(verbs, word) ? verbs[word] : undefined;
    if (!verb) throw unknownVerb(word);
    if (verb.one !== (slug !== undefined)) {
      throw wrongUse(
        verb.one
          ? { en: `agent ${word} needs the slug of an agent`, uk: `agent ${word}: потрібен slug агента` }
          : { en: `agent ${word} takes no slug`, uk: `agent ${word}: slug зайвий` },
        { en: "`bloom help agent` shows how.", uk: "Як саме: `bloom help agent`." },
      );
    }
    return await withGarden(context, (garden) => verb.run(context, garden, slug ?? ""));
  },
};

function stateAsked(context: Context): AgentState | undefined {
  const asked = textOption(context, "status");
  if (asked === undefined || isAgentState(asked)) return asked;
  const meant = didYouMean(asked, agentStates);
  throw wrongUse(
    { en: `no such status: ${asked}`, uk: `немає такого стану: ${asked}` },
    meant === undefined
      ? { en: `Use ${agentStates.join(", ")}.`, uk: `Є такі: ${agentStates.join(", ")}.` }
      : { en: `Did you mean --status ${meant}?`, uk: `Можливо, --status ${meant}?` },
  );
}

function unknownVerb(word: string): Error {
  const meant = didYouMean(word, Object.keys(verbs));
  return wrongUse(
    { en: `agent cannot ${word}`, uk: `agent не вміє ${word}` },
    meant === undefined
      ? { en: `It can ${Object.keys(verbs).join(", ")}.`, uk: `Вміє: ${Object.keys(verbs).join(", ")}.` }
      : { en: `Did you mean \`bloom agent ${meant}\`?`, uk: `Можливо, \`bloom agent ${meant}\`?` },
  );
}
