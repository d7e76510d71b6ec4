import type { Text } from "../../base/text.ts";
import { type AgentState, agentStates } from "../../domain/contract/agent-state.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { agentToken, printAgentTokens } from "../agent/agent-tokens.ts";
import { allowOutput, forbidOutput } from "../agent/allow-agents.ts";
import { moveAgent, removeAgent } from "../agent/change-agents.ts";
import { editAgent } from "../agent/edit-agent.ts";
import { exportAgent, importAgent, newAgent, printTemplates } from "../agent/new-agents.ts";
import { checkAgent, printAgents, showAgent } from "../agent/show-agents.ts";
import { showArtifacts } from "../agent/show-artifacts.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { choiceOption, example, flag, option } from "../options.ts";
import { gardenCommand, type Subcommand } from "../subcommands.ts";

/** A subcommand for one agent, named by its slug. */
const ofOne = (
  usage: string,
  does: Text,
  run: (context: CommandContext, garden: Garden, slug: string) => Promise<CommandReport>,
): Subcommand => ({
  usage,
  words: [1, 1],
  does,
  run: (context, garden, [slug]) => run(context, garden, slug!),
});

const move = (to: AgentState, does: Text): Subcommand =>
  ofOne("SLUG [--reason TEXT]", does, (context, garden, slug) => moveAgent(context, garden, slug, to));

export const agentCommand = gardenCommand({
  name: "agent",
  summary: {
    en: "create and inspect agents, change their state",
    uk: "створювати й переглядати агентів, змінювати їхній стан",
  },
  subcommands: {
    new: ofOne(
      "SLUG [--template NAME | --diagram FILE | --drawing | --pseudocode FILE|- | --from DIR | --prose]",
      {
        en: "create a draft with a contract, a diagram and logic v001",
        uk: "чернетка з контрактом, діаграмою і логікою v001",
      },
      newAgent,
    ),
    templates: {
      usage: "",
      words: [0, 0],
      does: { en: "list the templates for new agents", uk: "шаблони нових агентів" },
      run: (_, garden) => Promise.resolve(printTemplates(garden)),
    },
    export: {
      usage: "SLUG [FILE|-]",
      words: [1, 2],
      does: {
        en: "write one agent into one file, for another garden",
        uk: "агент одним файлом, для іншого саду",
      },
      run: exportAgent,
    },
    import: {
      usage: "FILE|- [SLUG]",
      words: [1, 2],
      does: { en: "create a draft from an exported file", uk: "чернетка з експортованого файлу" },
      run: importAgent,
    },
    list: {
      usage: "[--status STATUS]",
      words: [0, 0],
      does: { en: "list all agents", uk: "усі агенти" },
      run: (context, garden) => printAgents(garden, choiceOption(context, "status", agentStates)),
    },
    show: ofOne("SLUG", { en: "show one agent", uk: "один агент" }, (_, garden, slug) => showAgent(garden, slug)),
    check: ofOne(
      "SLUG",
      {
        en: "run the activation checks; exit code 1 if one fails",
        uk: "що заважає його активувати; код 1, якщо щось заважає",
      },
      (context, garden, slug) => checkAgent(context, garden, slug),
    ),
    edit: ofOne(
      "SLUG [--file FILE|-] [--reason TEXT]",
      {
        en: "edit the contract in your editor; it is checked and shown before it counts",
        uk: "змінити контракт у вашому редакторі; зміну перевірено й показано, перш ніж вона діє",
      },
      editAgent,
    ),
    artifacts: ofOne(
      "SLUG [--file NAME]",
      {
        en: "list the files created by its approved proposals, or print one",
        uk: "файли, які він лишив схваленими пропозиціями, або вміст одного (--file)",
      },
      showArtifacts,
    ),
    activate: move("active", { en: "allow it to run, after the checks", uk: "дозволити запуск, після перевірки" }),
    pause: move("paused", { en: "stop new runs; nothing is lost", uk: "не запускається; усе лишається" }),
    resume: move("active", { en: "activate it again after pause or error", uk: "з paused або error, після перевірки" }),
    archive: move("archived", { en: "archive it", uk: "прибрати в архів" }),
    restore: move("draft", { en: "take it out of the archive, as a draft", uk: "з архіву, як чернетку" }),
    token: {
      usage: "[SLUG] [--name N] [--expires 90d] | --revoke NAME",
      words: [0, 1],
      does: {
        en: "create a token for an agent that runs outside of the garden, or revoke one",
        uk: "токен для агента, що працює поза садом, або відкликати його (--revoke)",
      },
      run: agentToken,
    },
    tokens: ofOne("SLUG", { en: "list its tokens", uk: "його токени" }, (_, garden, slug) =>
      printAgentTokens(garden, slug),
    ),
    allow: ofOne(
      "SLUG [--output ACTION] [--on SLUG,…] [--own-values]",
      {
        en: "let it propose an action, also for other agents; --on alone: let it observe their logic",
        uk: "дозволити просити про дію (--output), також щодо інших агентів (--on); лише --on: доглядати їхню логіку",
      },
      allowOutput,
    ),
    forbid: ofOne(
      "SLUG --output ACTION | --own-values",
      { en: "it may no longer propose an action", uk: "більше не просити про дію (--output)" },
      forbidOutput,
    ),
    delete: ofOne(
      "SLUG --confirm SLUG",
      { en: "delete an archived agent with its folder", uk: "архівованого, з усією його текою" },
      removeAgent,
    ),
  },
  options: {
    template: option(
      "NAME",
      "new: an agent of the gallery (agent templates)",
      "new: агент із галереї (agent templates)",
    ),
    drawing: flag("new: an empty diagram, to be drawn", "new: порожня діаграма, щоб креслити"),
    pseudocode: option("FILE", "new: draw the diagram from this procedure", "new: діаграма з цієї процедури"),
    diagram: option("FILE", "new: create it from this diagram", "new: з цієї діаграми"),
    from: option("DIR", "new: copy the agent in this folder", "new: копія агента з цієї теки"),
    prose: flag("new: instructions in prose, without a diagram", "new: словами, без діаграми"),
    name: option(
      "NAME",
      "new, token: display name; name of the token",
      "new, token: як його називають люди; назва токена",
    ),
    expires: option("DAYS", "token: days until it expires (default: 90d)", "token: скільки днів він діє (інакше 90d)"),
    revoke: option("NAME", "token: revoke the token of this name", "token: відкликати токен із цією назвою"),
    description: option("TEXT", "new: what it does", "new: що він робить"),
    model: option("ID", "new: its model", "new: його модель"),
    file: option(
      "FILE",
      "artifacts, edit: the artifact to print; the new contract, - is standard input",
      "artifacts, edit: який артефакт показати; новий контракт, - це стандартний ввід",
    ),
    status: option(agentStates.join("|"), "list: only agents with this status", "list: лише ці"),
    output: option("ACTION", "allow, forbid: the action", "allow, forbid: яку дію"),
    on: option("SLUG,…", "allow: other agents that it may change or observe", "allow: щодо яких агентів, крім себе"),
    "own-values": flag(
      "allow, forbid, activate: approve the values that it keeps for itself, by a rule in garden.yaml",
      "allow, forbid, activate: схвалювати значення, які він зберігає для себе, правилом у garden.yaml",
    ),
    reason: option("TEXT", "reason, for the audit log", "чому, для запису"),
    confirm: option("SLUG", "delete: repeat the slug", "delete: slug ще раз"),
  },
  examples: [
    example("bloom agent new tagger --template tagger", "an agent that is ready to run", "агент, готовий до запуску"),
    example(
      "bloom agent new archivist --diagram main-flow.drakon.json",
      "take the procedure from the diagram",
      "процедура береться з діаграми",
    ),
    example(
      "bloom agent allow optimizer --output logic-update --on archivist,gardener",
      "let an observer propose changes of logic",
      "спостерігач стає тим, хто пропонує",
    ),
    example("bloom agent delete archivist --confirm archivist", "cannot be undone", "вороття немає"),
  ],
});
