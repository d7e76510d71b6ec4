import { commandLineOwner } from "../../domain/identity.ts";
import { resolveProposalId } from "../../garden/changes/proposals/list-proposals.ts";
import { withdrawApproval } from "../../garden/changes/proposals/withdraw.ts";
import type { Command } from "../command.ts";
import { example } from "../options.ts";
import { withGarden } from "../with-garden.ts";

export const withdrawCommand: Command = {
  name: "withdraw",
  summary: {
    en: "withdraw an approval that is not applied yet",
    uk: "відкликати схвалення, яке ще не застосовано",
  },
  usage: "PROPOSAL",
  words: [1, 1],
  options: {},
  examples: [
    example(
      "bloom withdraw k3x9qf",
      "within the grace of an approval in the browser; later: bloom revert",
      "доки не минув час на скасування у браузері; пізніше: bloom revert",
    ),
  ],
  run: (context) =>
    withGarden(context, async (garden) => {
      const id = await resolveProposalId(garden, context.words[0]!);
      const proposal = await withdrawApproval(garden, { proposal: id, by: commandLineOwner });
      return {
        text: { en: `${id} is pending again`, uk: `${id} знову чекає на рішення` },
        json: { proposal },
      };
    }),
};
