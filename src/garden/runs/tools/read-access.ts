import { Failure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import { settingsNow } from "../../core/access/current-settings.ts";
import { grants } from "../../core/access/grant.ts";
import type { ToolContext } from "./tool.ts";

/** M-6: an agent reads its own memory only, unless the owner wrote another's name into its contract. */
export function expectMemoryAccess({ slug, contract }: ToolContext, agent: string | null | undefined): string {
  const wanted = agent ?? slug;
  if (wanted === slug || contract.reads_memory_of.includes(wanted)) return wanted;
  throw forbidden({
    en: `${slug} may not read the memory of ${wanted}; the owner can grant it (reads_memory_of)`,
    uk: `${slug} не може читати пам'ять ${wanted}; власник може дозволити (reads_memory_of)`,
  });
}

/** Logic and runs of others are for those whom the owner let propose changes of that logic (`grants` in `garden.yaml`). */
export async function expectLogicAccess(
  { garden, slug }: ToolContext,
  agent: string | null | undefined,
): Promise<string> {
  const wanted = agent ?? slug;
  if (wanted === slug) return wanted;
  const config = await settingsNow(garden);
  if (grants(config, slug, "logic-update", wanted) || grants(config, slug, "logic-rollback", wanted)) return wanted;
  throw forbidden({
    en: `${slug} may not read what is ${wanted}'s; the owner can grant it (grants in garden.yaml)`,
    uk: `${slug} не може читати те, що належить ${wanted}; власник може дозволити (grants у garden.yaml)`,
  });
}

const forbidden = (text: Text): Failure => new Failure("FORBIDDEN", text);
