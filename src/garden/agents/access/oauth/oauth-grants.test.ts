import { describe, expect, test } from "vitest";
import { realWorld } from "../../../../base/world.ts";
import { commandLineOwner } from "../../../../domain/identity.ts";
import type { Garden } from "../../../core/garden.ts";
import { gardenWith } from "../../../testing/scratch.ts";
import { changeAgentStatus } from "../../lifecycle/change-status.ts";
import { deleteAgent } from "../../lifecycle/delete-agent.ts";
import { ensureOutsideAgent } from "../connect-agent.ts";
import { forgetExpired, listTokens } from "../tokens.ts";
import {
  endOauthGrant,
  firstOauthTokens,
  forgetEndedGrants,
  makeOauthGrant,
  type OauthTokens,
  refreshOauthTokens,
} from "./oauth-grants.ts";

const HOUR_MS = 60 * 60 * 1000;
const WEEK_MS = 7 * 24 * HOUR_MS;
const GRANTS = ".bloom/keys/oauth-grants";

/** A garden whose clock is set by hand, with one program that has got its first tokens. */
async function connected() {
  let now = Date.parse("2026-02-14T08:00:00Z");
  const made = await gardenWith();
  const garden: Garden = { ...made.garden, world: { ...realWorld, now: () => now } };
  await ensureOutsideAgent(garden, { agent: "program", by: commandLineOwner });
  const connect = async () => {
    const grant = await makeOauthGrant(garden, { client: "program", agent: "program" });
    return { grant, tokens: (await firstOauthTokens(garden, grant)) as OauthTokens };
  };
  return {
    garden,
    connect,
    ...(await connect()),
    pass: (ms: number) => void (now += ms),
    renew: (refresh: string) => refreshOauthTokens(garden, { refresh, client: "program" }),
    grants: async () => (await garden.folder.names(GRANTS)).filter((name) => name.endsWith(".json")),
  };
}

describe("a connection whose access token has no record", () => {
  test("A-3 a connection that was not used for a week and four hours ends, and its agent can be deleted", async () => {
    const { garden, grant, pass, grants } = await connected();
    pass(WEEK_MS + 5 * HOUR_MS);
    await forgetExpired(garden);
    const before = await grants();
    await changeAgentStatus(garden, { slug: "program", to: "archived", by: commandLineOwner });
    const deleted = await deleteAgent(garden, { slug: "program", confirm: "program", by: commandLineOwner });
    expect({ before, deleted: deleted.slug, after: await grants() }).toEqual({
      before: [`${grant}.json`],
      deleted: "program",
      after: [],
    });
  });

  test("A-3 upkeep removes a connection that was not used for a week and four hours, and keeps those that can be renewed", async () => {
    const { garden, connect, pass, renew, grants, tokens } = await connected();
    pass(WEEK_MS + 5 * HOUR_MS);
    const used = await connect();
    await forgetEndedGrants(garden);
    await forgetExpired(garden);
    await forgetEndedGrants(garden);
    const left = await grants();
    // Lost by hand: the refresh token still renews it.
    await garden.folder.removeFile(`.bloom/keys/tokens/${used.tokens.access.id}.json`);
    await forgetEndedGrants(garden);
    expect({
      left,
      used: (await renew(used.tokens.refresh)).kind,
      unused: (await renew(tokens.refresh)).kind,
    }).toEqual({ left: [`${used.grant}.json`], used: "tokens", unused: "refused" });
  });

  test("A-3 a connection that cannot be ended is told at the end of the upkeep, after the others are ended", async () => {
    const { garden, connect, pass, grants } = await connected();
    const failing = (await grants())[0]!;
    for (let count = 0; count < 4; count++) await connect();
    pass(WEEK_MS + 5 * HOUR_MS);
    await forgetExpired(garden);
    const folder = new Proxy(garden.folder, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        return async (...args: unknown[]): Promise<unknown> => {
          if (name === "removeFile" && String(args[0]).endsWith(failing)) throw new Error("the disk failed");
          return await (Reflect.apply(value, target, args) as Promise<unknown>);
        };
      },
    });
    const told = await forgetEndedGrants({ ...garden, folder }).catch((error: Error) => error.message);
    const left = await grants();
    const refreshes = await garden.folder.names(".bloom/keys/oauth-refresh");
    await forgetEndedGrants(garden);
    expect({ told, left, refreshes, after: await grants() }).toEqual({
      told: "the disk failed",
      left: [failing],
      refreshes: [],
      after: [],
    });
  });

  test("A-3 ending a connection twice, with and without the record of its token, leaves none", async () => {
    const { garden, grant, tokens, grants } = await connected();
    await garden.folder.removeFile(`.bloom/keys/tokens/${tokens.access.id}.json`);
    await endOauthGrant(garden, grant, "owner");
    await endOauthGrant(garden, grant, "owner");
    expect([await grants(), await listTokens(garden)]).toEqual([[], []]);
  });
});
