import { recoverChanges } from "../../garden/changes/recover-changes.ts";
import type { Command } from "../command.ts";
import { example, option } from "../options.ts";
import { reviewPending } from "../proposals/review-pending.ts";
import { withGarden } from "../with-garden.ts";

export const reviewCommand: Command = {
  name: "review",
  summary: { en: "decide pending proposals one by one", uk: "вирішити по одній усе, що чекає" },
  usage: "",
  words: [0, 0],
  options: { agent: option("SLUG", "only proposals of this agent", "лише пропозиції цього агента") },
  examples: [
    example("bloom review", "shows each change and asks: approve, reject, skip or quit", "показує кожну зміну й питає"),
    example("bloom review --json", "lists them with their digests instead", "натомість перелік із digest"),
  ],
  run: (context) =>
    withGarden(context, async (garden) => {
      await recoverChanges(garden);
      return reviewPending(context, garden);
    }),
};
