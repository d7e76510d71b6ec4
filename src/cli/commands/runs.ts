import { runStates } from "../../domain/run/run.ts";
import type { Command } from "../command.ts";
import { cancelOne, forkOne, listAll, logsOf, resumeOne, showOne } from "../runs/run-verbs.ts";
import { option, runVerb, type Verbs, verbExamples } from "../verbs.ts";

const verbs: Verbs = {
  list: {
    usage: "[--agent SLUG] [--state STATE]",
    words: [0, 0],
    does: { en: "runs, newest first", uk: "запуски, найновіші перші" },
    run: (context, garden) => listAll(context, garden),
  },
  show: {
    usage: "ID",
    words: [1, 1],
    does: { en: "how it went: its steps, its questions, its outcome", uk: "як він ішов: кроки, запитання, наслідок" },
    run: (context, garden, [id]) => showOne(context, garden, id!),
  },
  logs: {
    usage: "ID [--step N] [--follow]",
    words: [1, 1],
    does: { en: "what each step was given and gave", uk: "що отримав і що віддав кожен крок" },
    run: (context, garden, [id]) => logsOf(context, garden, id!),
  },
  cancel: {
    usage: "ID [--reason R]",
    words: [1, 1],
    does: { en: "stop it before its next step", uk: "зупинити перед наступним кроком" },
    run: (context, garden, [id]) => cancelOne(context, garden, id!),
  },
  fork: {
    usage: "ID --at STEP [--set NAME=VALUE …] [--wait]",
    words: [1, 1],
    does: {
      en: "a copy that goes on alone from a step; its proposals are marked and wait for a person",
      uk: "копія, що йде далі сама з кроку; її пропозиції позначено, і вони чекають на людину",
    },
    run: (context, garden, [id]) => forkOne(context, garden, id!),
  },
  resume: {
    usage: "ID",
    words: [1, 1],
    does: { en: "go on with it here, from its last step", uk: "продовжити тут, від останнього кроку" },
    run: (context, garden, [id]) => resumeOne(context, garden, id!),
  },
};

export const runs: Command = {
  name: "runs",
  summary: {
    en: "look at runs, stop, fork and resume them",
    uk: "переглядати, зупиняти, відгалужувати й поновлювати запуски",
  },
  usage: `[${Object.keys(verbs).join("|")}] [ID]`,
  words: [0, 2],
  options: {
    agent: option("SLUG", "list: of this agent", "list: цього агента"),
    state: option(runStates.join("|"), "list: only these", "list: лише ці"),
    limit: option("N", "list: at most so many (100)", "list: не більше (100)"),
    after: option("NEXT", "list: go on after this", "list: далі після цього"),
    step: option("N", "logs: only this step", "logs: лише цей крок"),
    follow: {
      type: "boolean",
      short: "f",
      about: { en: "logs: go on while it runs", uk: "logs: далі, доки він триває" },
    },
    reason: option("TEXT", "cancel: why, for the record", "cancel: чому, для запису"),
    at: option("STEP", "fork: the last step that both share", "fork: останній спільний крок"),
    set: {
      ...option(
        "NAME=VALUE",
        "fork: another input from there on (may be repeated)",
        "fork: інший вхід звідти (можна повторювати)",
      ),
      many: true,
    },
    wait: {
      type: "boolean",
      short: "w",
      about: { en: "fork: work on it here and show its steps", uk: "fork: працювати над ним тут і показувати кроки" },
    },
  },
  examples: [
    ...verbExamples("runs", verbs),
    {
      line: "bloom runs show abc123",
      does: { en: "the end of an id is enough", uk: "досить кінця ідентифікатора" },
    },
  ],
  run: (context) => runVerb("runs", verbs, "list", context),
};
