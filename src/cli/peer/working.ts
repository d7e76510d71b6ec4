import { commandLineOwner } from "../../domain/identity.ts";
import { receive } from "../../garden/changes/inbox/receive.ts";
import { proposalReport } from "../commands/propose.ts";
import { textOption } from "../options.ts";
import type { Subcommands } from "../subcommands.ts";

/** Work together with another garden. */
export const peerWorking: Subcommands = {
  merge: {
    usage: "PEER SESSION",
    words: [2, 2],
    does: {
      en: "propose to merge the work of another garden's session into main",
      uk: "запропонувати злити роботу сесії іншого саду в main",
    },
    async run(context, garden, [peer, session]) {
      const received = await receive(garden, {
        identity: commandLineOwner,
        action: "propose-merge",
        payload: { session: `${peer}/${session}` },
        summary: textOption(context, "summary"),
        reasoning: textOption(context, "reason"),
      });
      if (received.kind === "refused") throw received.failure;
      return proposalReport(received);
    },
  },
};
