import type { Text } from "../../base/text.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { readAgentFile } from "../../garden/records/agents/read-agent.ts";
import type { CommandContext } from "../command.ts";

/**
 * Names the parts that an agent's model lacks in this environment (a key, an address); undefined if nothing is missing. A note, no failed
 * check: the server may run in another environment.
 */
export async function modelNote(context: CommandContext, garden: Garden, slug: string): Promise<Text | undefined> {
  const seen = await readAgentFile(garden.store, slug);
  if (seen.kind !== "agent") return undefined;
  const { model } = seen.agent.contract;
  const failure = (await context.machine.models?.(garden))?.trouble(model);
  if (!failure) return undefined;
  const { text, hint } = failure;
  return {
    en: `! ${text.en}${hint ? `\n→ ${hint.en}` : ""}\n→ \`bloom model test ${model}\` makes one call.`,
    uk: `! ${text.uk}${hint ? `\n→ ${hint.uk}` : ""}\n→ \`bloom model test ${model}\` зробить один виклик.`,
  };
}
