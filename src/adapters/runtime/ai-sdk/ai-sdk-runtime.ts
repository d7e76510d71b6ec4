import type { Acted, Runtime } from "../../../ports/runtime.ts";
import { type DialogueDeps, openDialogue } from "../dialogue.ts";

/**
 * The light runtime: the AI SDK's models, one `doGenerate` per turn, and a plain loop. It loads nothing beyond the model's own
 * library.
 */
export const aiSdkRuntime = ({ models }: Pick<DialogueDeps, "models">): Runtime => ({
  name: "ai-sdk",
  async act(briefing, tools, journal, signal): Promise<Acted> {
    const dialogue = openDialogue({ briefing, tools, models, journal, signal });
    try {
      for (;;) {
        const turn = await dialogue.turn();
        for (const call of turn.calls) await dialogue.carryOut(call);
        const end = turn.calls.length === 0 ? dialogue.conclude(turn) : undefined;
        if (end) return end;
      }
    } catch (thrown) {
      return dialogue.stopped(thrown);
    }
  },
});
