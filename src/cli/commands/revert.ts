import { commandLineOwner } from "../../domain/identity.ts";
import { proposeRevert } from "../../garden/changes/apply/propose-revert.ts";
import { resolveProposalId } from "../../garden/changes/proposals/list-proposals.ts";
import type { Command } from "../command.ts";
import { example, flag, option, textOption } from "../options.ts";
import { approveOwnChange, reportPending } from "../proposals/approve-own-change.ts";
import { withGarden } from "../with-garden.ts";

export const revertCommand: Command = {
  name: "revert",
  summary: { en: "propose to revert an applied proposal", uk: "відкликати застосовану пропозицію" },
  usage: "PROPOSAL",
  words: [1, 1],
  options: {
    reason: option("TEXT", "reason, for the author", "чому; це прочитає автор"),
    approve: flag("approve the revert at once", "і одразу схвалити"),
  },
  examples: [
    example(
      "bloom revert prop_2026-02-14_080000_abc123 --reason 'wrong shelf'",
      "propose the inverse change, merged with later ones",
      "пропонує зворотну зміну, поєднану з пізнішими",
    ),
    example("bloom revert abc123 --approve", "a suffix of the id is enough", "досить кінця ідентифікатора"),
  ],
  run: (context) =>
    withGarden(context, async (garden) => {
      const reason = textOption(context, "reason");
      const proposal = await resolveProposalId(garden, context.words[0]!);
      const received = await proposeRevert(garden, { proposal, by: commandLineOwner, reason });
      const atOnce = context.options["approve"] === true;
      return atOnce ? approveOwnChange(context, garden, received, reason) : reportPending(context, garden, received);
    }),
};
