import { type Identity, identityName } from "../../../domain/identity.ts";
import type { Garden } from "../../core/garden.ts";
import { findAgent } from "../../records/agents/read-agent.ts";
import { issueAgentToken } from "./agent-tokens.ts";
import { connectAgent } from "./connect-agent.ts";
import { type MadeToken, revokeToken } from "./tokens.ts";

/** A token that only this process has: never printed, never in a file. */
export interface ProcessToken {
  /** The token; a new one shortly before the present one expires. */
  readonly current: () => Promise<string>;
  /** Revokes it. After `kill -9` it expires within a day, and nobody has it. */
  close(): Promise<void>;
}

const DAYS = 1;
const RENEW_MS = 60 * 60 * 1000;

/** Makes a token for an outside agent that this process acts as. An agent that does not exist is created with the usual grant. */
export async function processToken(garden: Garden, slug: string, by: Identity): Promise<ProcessToken> {
  const issue = async (): Promise<MadeToken> => {
    const name = `stdio-${Buffer.from(garden.world.random(3)).toString("hex")}`;
    return (await findAgent(garden.store, slug))
      ? issueAgentToken(garden, { slug, name, days: DAYS, starts: [slug], by: identityName(by) })
      : connectAgent(garden, { agent: slug, by, name, days: DAYS });
  };
  let held = await issue();
  let renewal: Promise<void> | undefined;
  const renew = async (): Promise<void> => {
    const before = held;
    held = await issue();
    await revokeToken(garden, before.id, identityName(by));
  };
  return {
    async current() {
      if (Date.parse(held.expires_at) - garden.world.now() < RENEW_MS) {
        renewal ??= renew().finally(() => {
          renewal = undefined;
        });
        await renewal;
      }
      return held.token;
    },
    close: async () => void (await revokeToken(garden, held.id, identityName(by))),
  };
}
