import { Failure } from "../../../base/failure.ts";
import type { GardenConfig } from "../../../domain/config/garden-config.ts";
import type { Identity } from "../../../domain/identity.ts";
import { contractKey, keys } from "../../../domain/layout.ts";
import { settingsNow } from "../../core/access/current-settings.ts";
import type { Garden } from "../../core/garden.ts";
import type { TokenClaims } from "./token.ts";
import { readToken } from "./tokens.ts";

type Ground = Pick<Garden, "folder" | "world" | "store" | "signals">;

/** Whom a token proves, now. AUTH_REQUIRED if nobody, TOKEN_EXPIRED if somebody whose time is over. */
export async function identityOfToken(
  garden: Ground,
  token: string,
): Promise<{ readonly identity: Identity; readonly claims: TokenClaims }> {
  const reading = await readToken(garden, token);
  if (reading.kind === "refused") throw authRequired();
  if (reading.kind === "expired") throw over();
  const { claims } = reading;
  switch (claims.kind) {
    case "owner":
      return { identity: { type: "owner", via: claims.name }, claims };
    case "session":
      return { identity: { type: "owner", via: "session" }, claims };
    case "agent":
      if (!(await goesOn(garden, claims.slug, claims.run))) throw over();
      return { identity: { type: "agent", slug: claims.slug, run: claims.run }, claims };
    case "guest": {
      const settings = await settingsNow(garden);
      const zone = settings.zones.find(({ name }) => name === claims.zone);
      if (!zone) throw authRequired();
      if (zone.expires !== undefined && zone.expires < today(garden, settings)) throw over();
      return {
        identity: { type: "guest", zone: zone.name, folders: zone.folders, actions: zone.actions },
        claims,
      };
    }
  }
}

/**
 * A token of an agent's is good for one run only: from its request until its manifest, which is written when a run ends. An
 * agent that was deleted takes all of its runs with it, those that were over too, and none of them comes back to life.
 */
async function goesOn({ store }: Pick<Garden, "store">, slug: string, run: string): Promise<boolean> {
  const [contract, request, manifest] = await Promise.all(
    [contractKey(slug), keys.runRequest(slug, run), keys.runManifest(slug, run)].map((key) => store.get(key)),
  );
  return contract !== undefined && request !== undefined && manifest === undefined;
}

/** `2026-02-14` where the garden is. A zone is open through its last day. */
const today = ({ world }: Pick<Garden, "world">, { schedule }: GardenConfig): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone: schedule.timezone, dateStyle: "short" }).format(world.now());

export const authRequired = (): Failure =>
  new Failure(
    "AUTH_REQUIRED",
    { en: "this needs somebody who is signed in", uk: "для цього треба увійти" },
    {
      hint: {
        en: "Open the link that `bloom up` or `bloom token link` prints, or send `Authorization: Bearer` with a token.",
        uk: "Відкрийте посилання, яке друкує `bloom up` або `bloom token link`, чи надішліть токен: `Authorization: Bearer`.",
      },
    },
  );

const over = (): Failure =>
  new Failure(
    "TOKEN_EXPIRED",
    { en: "this token or session is over", uk: "цей токен або сеанс закінчився" },
    {
      hint: {
        en: "Sign in again, or ask the owner for a new one.",
        uk: "Увійдіть знову або попросіть у власника новий.",
      },
    },
  );
