import type { Script } from "../../../adapters/runtime/testing/scripted-model.ts";
import { scriptedModel } from "../../../adapters/runtime/testing/scripted-model.ts";
import type { Json } from "../../../base/canonical.ts";
import type { RunPlace } from "../../core/flow/journal.ts";
import type { Garden } from "../../core/garden.ts";
import { runAgent } from "../run-agent.ts";
import type { RunFlow } from "../run-flow.ts";
import { noPause, portsWith, stepsOf } from "./agent-ground.ts";
import { onBranch, planted } from "./session-ground.ts";

/** The contract of an agent that works on a branch and asks for sub-agents. */
export const WITH_SPAWN = {
  ...onBranch,
  tools: "[read-notes, read-context, write-note, move-note, delete-note, spawn-agent, ask-human, create-proposal]",
} as const;

/** The follower walks its procedure. */
const followed = { ...WITH_SPAWN, model: "bloom/follower", execution: "flow" } as const;

/** An agent with this procedure. */
export const spawning = (
  garden: Garden,
  slug: string,
  lines: readonly string[],
  over: Readonly<Record<string, string>> = {},
): Promise<void> => planted(garden, slug, { ...followed, ...over }, lines);

/** The flow of real runs, with a scripted model for agents that name one. */
export const agentFlow = (script: Script = []): RunFlow =>
  runAgent({ ...portsWith(scriptedModel(script)), pause: noPause });

/** The results of the sub-agents of a run, or the failures. */
export async function spawnResults(
  garden: Garden,
  place: RunPlace,
): Promise<readonly { readonly [name: string]: Json }[]> {
  const steps = (await stepsOf(garden, place)).filter(({ name }) => name === "spawn-agent");
  return steps.map(({ output, failure }) =>
    failure ? { code: failure.code, text: failure.text.en } : (output as { readonly [name: string]: Json }),
  );
}
