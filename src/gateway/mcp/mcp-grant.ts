import type { Identity } from "../../domain/identity.ts";
import type { Action } from "../../domain/proposal/action.ts";
import type { TokenClaims } from "../../domain/token-claims.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { readAgent } from "../../garden/records/agents/read-agent.ts";
import { mcpAgentsOnly } from "../failures.ts";

/** Rights of an outside agent, as far as the list of its tools depends on it. The routes check it again with each call. */
export interface McpGrant {
  readonly agent: string;
  readonly actions: readonly Action[];
  readonly starts: readonly string[];
}

/** An owner's token would make the program that holds it the owner, whose wishes need no grant: it is refused here. */
export async function mcpGrantOf(
  { store }: Pick<Garden, "store">,
  identity: Identity,
  claims: TokenClaims | undefined,
): Promise<McpGrant> {
  if (identity.type !== "agent") throw mcpAgentsOnly();
  const { contract } = await readAgent(store, identity.slug);
  const starts = claims?.kind === "outside" ? (claims.starts ?? []) : [];
  return { agent: identity.slug, actions: contract.safe_outputs, starts };
}
