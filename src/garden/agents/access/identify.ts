import type { GardenConfig } from "../../../domain/config/garden-config.ts";
import type { Identity } from "../../../domain/identity.ts";
import { contractKey, keys } from "../../../domain/layout.ts";
import type { TokenClaims } from "../../../domain/token-claims.ts";
import { agentNotActive } from "../../changes/inbox/failures.ts";
import { currentSettings } from "../../core/access/current-settings.ts";
import type { Garden } from "../../core/garden.ts";
import { findAgent } from "../../records/agents/read-agent.ts";
import { authRequired, tokenExpired } from "./failures.ts";
import type { AccessDeps } from "./signing-key.ts";
import { readToken, recordTokenUse } from "./tokens.ts";

/** The identity that a token proves. Throws AUTH_REQUIRED for an invalid token, TOKEN_EXPIRED for an expired one. */
export async function identityOfToken(
  garden: AccessDeps,
  token: string,
): Promise<{ readonly identity: Identity; readonly claims: TokenClaims }> {
  const reading = await readToken(garden, token);
  if (reading.kind === "refused") throw authRequired();
  if (reading.kind === "expired") throw tokenExpired();
  const { claims } = reading;
  switch (claims.kind) {
    case "owner":
      return { identity: { type: "owner", via: claims.name }, claims };
    case "session":
      return { identity: { type: "owner", via: "session" }, claims };
    case "agent":
      if (!(await isOpenRun(garden, claims.slug, claims.run))) throw tokenExpired();
      return { identity: { type: "agent", slug: claims.slug, run: claims.run }, claims };
    case "outside": {
      const agent = await findAgent(garden.store, claims.slug);
      if (!agent) throw authRequired();
      if (agent.contract.status !== "active") throw agentNotActive(claims.slug, agent.contract.status);
      await recordTokenUse(garden, claims.id);
      const { changes_per_minute: perMinute } = agent.contract.budget;
      const identity: Identity = {
        type: "agent",
        slug: claims.slug,
        run: undefined,
        token: claims.name,
        grant: agent.contractHash,
        ...(perMinute !== undefined && { perMinute }),
      };
      return { identity, claims };
    }
    case "guest": {
      const settings = await currentSettings(garden);
      const zone = settings.zones.find(({ name }) => name === claims.zone);
      if (!zone) throw authRequired();
      if (zone.expires !== undefined && zone.expires < today(garden, settings)) throw tokenExpired();
      return { identity: { type: "guest", zone: zone.name, folders: zone.folders, actions: zone.actions }, claims };
    }
  }
}

/**
 * An agent's token is valid for one run: from its request until its manifest, which is written when the run ends. Deleting an agent
 * invalidates the tokens of all its runs.
 */
async function isOpenRun({ store }: Pick<Garden, "store">, slug: string, run: string): Promise<boolean> {
  const [contract, request, manifest] = await Promise.all(
    [contractKey(slug), keys.runRequest(slug, run), keys.runManifest(slug, run)].map((key) => store.get(key)),
  );
  return contract !== undefined && request !== undefined && manifest === undefined;
}

/** Today's date in the garden's time zone. The expiry date of a zone is inclusive. */
const today = ({ world }: Pick<Garden, "world">, { schedule }: GardenConfig): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone: schedule.timezone, dateStyle: "short" }).format(world.now());
