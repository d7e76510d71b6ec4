import type { Command } from "../command.ts";
import { answerOne, listRequests } from "../runs/request-verbs.ts";
import { option, runVerb, type Verbs, verbExamples } from "../verbs.ts";

const verbs: Verbs = {
  list: {
    usage: "[--agent SLUG]",
    words: [0, 0],
    does: { en: "what runs ask, oldest first", uk: "що питають запуски, найдавніші перші" },
    run: (context, garden) => listRequests(context, garden),
  },
  answer: {
    usage: "ID [--value V | --choice C | --approve | --reject] [--note N]",
    words: [1, 1],
    does: {
      en: "decide; without an answer it asks at the terminal",
      uk: "вирішити; без відповіді — спитає в терміналі",
    },
    run: (context, garden, [id]) => answerOne(context, garden, id!),
  },
};

const flag = (en: string, uk: string) => ({ type: "boolean", about: { en, uk } }) as const;

export const requests: Command = {
  name: "requests",
  summary: { en: "answer what runs ask a person", uk: "відповідати на запитання запусків" },
  usage: `[${Object.keys(verbs).join("|")}] [ID]`,
  words: [0, 2],
  options: {
    agent: option("SLUG", "list: of this agent", "list: цього агента"),
    value: option("V", "a text or a number, as the form asks", "текст або число, залежно від форми"),
    choice: option("C", "one of the options, or its number", "один із варіантів або його номер"),
    approve: flag("yes, to a review", "так, для перегляду"),
    reject: flag("no, to a review", "ні, для перегляду"),
    note: option("TEXT", "why, for the record and for the agent", "чому, для запису й для агента"),
    wait: {
      ...flag("go on with the run here and show its steps", "продовжити запуск тут і показувати кроки"),
      short: "w",
    },
  },
  examples: [
    ...verbExamples("requests", verbs),
    {
      line: 'bloom requests answer abc123 --choice 2 --note "The newer one"',
      does: { en: "by the run that asks", uk: "за запуском, що питає" },
    },
  ],
  run: (context) => runVerb("requests", verbs, "list", context),
};
