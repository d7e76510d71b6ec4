import type { Text } from "../../base/text.ts";
import { checkModel, isOfflineModel, modelAddress } from "../../domain/config/model-registry.ts";
import type { Models } from "../../ports/models.ts";
import type { Garden } from "../core/garden.ts";
import { readAgentFile } from "../records/agents/read-agent.ts";
import { agentSlugs } from "../records/status.ts";

/** A model that agents use, what it needs and what is missing. */
export interface ListedModel {
  readonly id: string;
  readonly agents: readonly string[];
  /** Undefined for a model without a network, and for one whose address is unknown. */
  readonly host?: string;
  /** Environment variables that may hold its key. */
  readonly variables: readonly string[];
  readonly ok: boolean;
  readonly trouble?: Text;
  readonly hint?: Text;
}

/** The models of all agents with a readable contract, by id. Makes no call. */
export async function listModels(garden: Garden, models: Models): Promise<readonly ListedModel[]> {
  const users = new Map<string, string[]>();
  for (const slug of await agentSlugs(garden.store)) {
    const seen = await readAgentFile(garden.store, slug);
    if (seen.kind !== "agent" || seen.agent.contract.status === "archived") continue;
    const { model } = seen.agent.contract;
    users.set(model, [...(users.get(model) ?? []), slug]);
  }
  return [...users].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([id, agents]) => listed(garden, models, id, agents));
}

function listed({ config }: Garden, models: Models, id: string, agents: readonly string[]): ListedModel {
  const checked = checkModel(id, config.models);
  const address =
    checked.kind === "unknown" || isOfflineModel(id) ? undefined : modelAddress(checked.provider, config.models);
  const failure = models.trouble(id);
  return {
    id,
    agents,
    ...(address && { host: new URL(address.url).host }),
    variables: address?.variables ?? [],
    ok: !failure,
    ...(failure && { trouble: failure.text }),
    ...(failure?.hint && { hint: failure.hint }),
  };
}
