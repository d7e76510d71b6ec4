import { Failure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import { currentSettings } from "../../core/access/current-settings.ts";
import { hasGrant } from "../../core/access/grant.ts";
import type { ToolContext } from "./tool.ts";

/** M-6: an agent reads its own memory, and that of agents in `reads_memory_of` of its contract. Throws FORBIDDEN. */
export function expectMemoryAccess({ slug, contract }: ToolContext, agent: string | null | undefined): string {
  const wanted = agent ?? slug;
  if (wanted === slug || contract.reads_memory_of.includes(wanted)) return wanted;
  throw forbidden({
    en: `${slug} may not read the memory of ${wanted}; the owner can grant it (reads_memory_of)`,
    uk: `${slug} не може читати пам'ять ${wanted}; власник може дозволити (reads_memory_of)`,
  });
}

/** An agent reads the logic and runs of others only if it may propose changes of that logic (`grants`). Throws FORBIDDEN. */
export async function expectLogicAccess(
  { garden, slug, contract }: ToolContext,
  agent: string | null | undefined,
): Promise<string> {
  const wanted = agent ?? slug;
  if (wanted === slug) return wanted;
  const config = await currentSettings(garden);
  const lineage = contract.ceiling?.lineage ?? [];
  const mayRead = (one: string): boolean =>
    one === wanted || hasGrant(config, one, "logic-update", wanted) || hasGrant(config, one, "logic-rollback", wanted);
  if ([slug, ...lineage].every(mayRead)) return wanted;
  throw forbidden({
    en: `${slug} may not read the logic and runs of ${wanted}; the owner can grant it (grants in garden.yaml)`,
    uk: `${slug} не може читати логіку й запуски ${wanted}; власник може дозволити (grants у garden.yaml)`,
  });
}

export const ownLogicForbidden = (slug: string): Failure =>
  forbidden({
    en: `${slug} may not analyse its own logic; the owner can grant it (grants in garden.yaml: { agent: ${slug}, actions: [logic-update], on: [${slug}] })`,
    uk: `${slug} не може аналізувати власну логіку; власник може дозволити (grants у garden.yaml: { agent: ${slug}, actions: [logic-update], on: [${slug}] })`,
  });

const forbidden = (text: Text): Failure => new Failure("FORBIDDEN", text);
