import { commandLineOwner } from "../../domain/identity.ts";
import { proposeRevert } from "../../garden/changes/apply/propose-revert.ts";
import { resolveId } from "../../garden/changes/proposals/read.ts";
import { type Command, textOption } from "../command.ts";
import { carriedOut, waiting } from "../notes/carried-out.ts";
import { withGarden } from "../with-garden.ts";

export const revert: Command = {
  name: "revert",
  summary: { en: "take an applied proposal back", uk: "відкликати застосовану пропозицію" },
  usage: "PROPOSAL",
  words: [1, 1],
  options: {
    reason: { type: "string", value: "TEXT", about: { en: "why; its author reads it", uk: "чому; це прочитає автор" } },
    approve: { type: "boolean", about: { en: "and approve it at once", uk: "і одразу схвалити" } },
  },
  examples: [
    {
      line: "bloom revert prop_2026-02-14_080000_abc123 --reason 'wrong shelf'",
      does: {
        en: "proposes the inverse, merged with what came since",
        uk: "пропонує зворотну зміну, поєднану з пізнішими",
      },
    },
    {
      line: "bloom revert abc123 --approve",
      does: { en: "the end of an id is enough", uk: "досить кінця ідентифікатора" },
    },
  ],
  run: (context) =>
    withGarden(context, async (garden) => {
      const reason = textOption(context, "reason");
      const proposal = await resolveId(garden, context.words[0]!);
      const received = await proposeRevert(garden, { proposal, by: commandLineOwner, reason });
      const atOnce = context.options["approve"] === true;
      return atOnce ? carriedOut(context, garden, received, reason) : waiting(context, garden, received);
    }),
};
