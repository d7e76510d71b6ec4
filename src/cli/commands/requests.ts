import { example, flag, option } from "../options.ts";
import { answerPersonRequest, listRequests } from "../runs/answer-requests.ts";
import { gardenCommand, type Subcommands } from "../subcommands.ts";

/** How an answer is given. */
export const answerOptions = {
  value: option("V", "the answer: a text or a number", "текст або число, залежно від форми"),
  choice: option("C", "one of the options, or its number", "один із варіантів або його номер"),
  approve: flag("approve, for a review", "так, для перегляду"),
  reject: flag("reject, for a review", "ні, для перегляду"),
  note: option("TEXT", "comment for the agent and the record", "чому, для запису й для агента"),
  wait: {
    ...flag("continue the run here and show its steps", "продовжити запуск тут і показувати кроки"),
    short: "w",
  },
};

const subcommands: Subcommands = {
  list: {
    usage: "[--agent SLUG]",
    words: [0, 0],
    does: { en: "list open requests, oldest first", uk: "що питають запуски, найдавніші перші" },
    run: (context, garden) => listRequests(context, garden),
  },
  answer: {
    usage: "ID [--value V | --choice C | --approve | --reject] [--note N]",
    words: [1, 1],
    does: {
      en: "answer a request; without an option it prompts at the terminal",
      uk: "вирішити; без відповіді — спитає в терміналі",
    },
    run: (context, garden, [id]) => answerPersonRequest(context, garden, id!),
  },
};

export const requestsCommand = gardenCommand({
  name: "requests",
  summary: { en: "answer requests of runs that wait for a person", uk: "відповідати на запитання запусків" },
  usual: "list",
  subcommands,
  options: {
    agent: option("SLUG", "list: only of this agent", "list: цього агента"),
    ...answerOptions,
  },
  examples: [
    example(
      'bloom requests answer abc123 --choice 2 --note "The newer one"',
      "the id of the run works too",
      "за запуском, що питає",
    ),
  ],
});
