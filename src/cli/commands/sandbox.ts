import { example } from "../options.ts";
import { discardCommand, listSandbox, promoteCommand, showSandbox } from "../runs/experiments.ts";
import { gardenCommand } from "../subcommands.ts";

export const sandboxCommand = gardenCommand({
  name: "sandbox",
  summary: { en: "what experiments would have proposed", uk: "що пропонували б експерименти" },
  usual: "list",
  options: {},
  subcommands: {
    list: {
      usage: "",
      words: [0, 0],
      does: { en: "entries that are not decided, oldest first", uk: "записи без рішення, найдавніші перші" },
      run: (_, garden) => listSandbox(garden),
    },
    show: {
      usage: "ID",
      words: [1, 1],
      does: { en: "an entry, and what it would change now", uk: "запис і те, що він змінив би зараз" },
      run: (context, garden, [id]) => showSandbox(context, garden, id!),
    },
    promote: {
      usage: "ID",
      words: [1, 1],
      does: { en: "make a real proposal of it", uk: "зробити з нього справжню пропозицію" },
      run: (_, garden, [id]) => promoteCommand(garden, id!),
    },
    discard: {
      usage: "ID",
      words: [1, 1],
      does: { en: "take it out of the list", uk: "прибрати зі списку" },
      run: (_, garden, [id]) => discardCommand(garden, id!),
    },
  },
  examples: [
    example(
      "bloom runs what-if req_2026-02-14_080000_abc123_01 --choice 2",
      "the run again, with the other answer; its proposals come here",
      "той самий запуск з іншою відповіддю; його пропозиції прийдуть сюди",
    ),
  ],
});
