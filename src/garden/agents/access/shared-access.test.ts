import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { realWorld } from "../../../base/world.ts";
import { commandLineOwner } from "../../../domain/identity.ts";
import { everyKey } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { newSignals } from "../../core/signals.ts";
import { gardenWith, scratch, testPorts } from "../../testing/scratch.ts";
import { ensureOutsideAgent } from "./connect-agent.ts";
import {
  endOauthGrant,
  firstOauthTokens,
  forgetEndedGrants,
  makeOauthGrant,
  type OauthTokens,
  refreshOauthTokens,
} from "./oauth/oauth-grants.ts";
import { isOpenCode, makeSignInCode, signIn } from "./sign-in.ts";
import { signingKeyId } from "./signing-key.ts";
import { issueToken, listTokens, readToken, revokeToken } from "./tokens.ts";

/** Two gateways with folders of their own, and one store that is not a directory. */
async function gateways(keys: readonly [string | undefined, string | undefined]) {
  const { garden } = await gardenWith();
  const at = (key: string | undefined): Garden => {
    const dir = join(scratch(), "machine");
    mkdirSync(join(dir, ".bloom"), { recursive: true });
    const current = { ...garden.config, store: { ...garden.config.store, kind: "s3" } } as Garden["config"];
    return {
      ...garden,
      signals: newSignals(),
      folder: testPorts(garden.world).folders.at(dir),
      settings: { ...garden.settings, current, reload: () => Promise.resolve() },
      sharedKey: async () => (key === undefined ? undefined : Buffer.from(key)),
    };
  };
  return [at(keys[0]), at(keys[1])] as const;
}

const KEY = `${"0123456789abcdef".repeat(4)}\n`;

test("O-10 a sign-in code, a token and its revocation by one gateway hold at another", async () => {
  const [one, other] = await gateways([KEY, KEY]);
  const { code } = await makeSignInCode(one);
  const session = await signIn(other, code);
  const token = await issueToken(other, { kind: "owner", name: "script" }, { by: "owner" });
  const before = await readToken(one, token.token);
  await revokeToken(one, token.id, "owner");
  expect({
    isCodeOpen: await isOpenCode(one, code),
    session: (await readToken(one, session.token)).kind,
    before: before.kind,
    after: (await readToken(other, token.token)).kind,
  }).toEqual({ isCodeOpen: false, session: "good", before: "good", after: "refused" });
});

test.each([
  ["different keys", KEY, KEY.replace("0", "f"), "refused"],
  ["no shared key", undefined, undefined, "refused"],
])("O-10 with %s a gateway refuses the token of another, and their key ids differ", async (_, a, b, expected) => {
  const [one, other] = await gateways([a, b]);
  const { token } = await issueToken(one, { kind: "owner", name: "script" }, { by: "owner" });
  expect({
    kind: (await readToken(other, token)).kind,
    sameId: (await signingKeyId(one)) === (await signingKeyId(other)),
  }).toEqual({ kind: expected, sameId: false });
});

test("O-10 a shared key that is no key is refused, and no key is made instead of it", async () => {
  const [one] = await gateways(["short", undefined]);
  await expect(issueToken(one, { kind: "owner", name: "script" }, { by: "owner" })).rejects.toMatchObject({
    code: "VALIDATION_FAILED",
    message: "the shared signing key is not 64 hexadecimal digits",
  });
  expect(await one.folder.names(".bloom")).toEqual([]);
});

/** The gateway with `act` before its call number `at` to the store; `calls` counts them. */
function interrupted(garden: Garden, at: number, act: () => Promise<unknown>) {
  const count = { calls: 0 };
  const store = new Proxy(garden.store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      const call = (...args: unknown[]): unknown => Reflect.apply(value, target, args);
      if (!["get", "create", "put", "delete"].includes(String(name))) return call;
      return async (...args: unknown[]) => {
        if (count.calls++ === at) await act();
        return await call(...args);
      };
    },
  });
  return { count, garden: { ...garden, store } };
}

const given = (answer: { readonly kind: string }): OauthTokens => {
  expect(answer.kind).toBe("tokens");
  return answer as OauthTokens;
};

interface Connection {
  readonly grant: string;
  readonly tokens: OauthTokens | undefined;
}
type Act = (garden: Garden, connection: Connection) => Promise<unknown>;
const renewed: Act = (garden, { tokens }) =>
  refreshOauthTokens(garden, { refresh: tokens!.refresh, client: "program" });

test.each<readonly [string, "first" | "next", Act]>([
  ["the owner revokes its token", "next", (garden, { tokens }) => revokeToken(garden, tokens!.access.id, "owner")],
  ["its connection is ended", "next", (garden, { grant }) => endOauthGrant(garden, grant, "owner")],
  [
    "it renews there too, and the owner revokes its token",
    "next",
    async (garden, connection) => {
      await renewed(garden, connection);
      await revokeToken(garden, connection.tokens!.access.id, "owner");
    },
  ],
  ["its connection is ended", "first", (garden, { grant }) => endOauthGrant(garden, grant, "gateway")],
])(
  "A-3 O-10 if %s at another gateway while a program gets its %s tokens, none works and no grant is left",
  async (_, which, act) => {
    const made = await gateways([KEY, KEY]);
    // Time stands still, and ids differ: the fixed sequence of random bytes repeats itself.
    const now = made[0].world.now();
    const [one, other] = made.map((each) => ({ ...each, world: { ...realWorld, now: () => now } }));
    if (!one || !other) throw new Error("two gateways");
    await ensureOutsideAgent(one, { agent: "program", by: commandLineOwner });
    const left = [];
    for (let at = 0, isReached = true; isReached; at++) {
      const grant = await makeOauthGrant(one, { client: "program", agent: "program" });
      const tokens = which === "first" ? undefined : given(await firstOauthTokens(one, grant));
      const connection = { grant, tokens };
      const { count, garden } = interrupted(one, at, () => act(other, connection));
      const answer =
        tokens === undefined
          ? await firstOauthTokens(garden, grant)
          : await refreshOauthTokens(garden, { refresh: tokens.refresh, client: "program" });
      isReached = count.calls > at;
      if (!isReached) {
        expect(answer.kind).toBe("tokens");
        await act(other, connection);
      }
      const working = (await listTokens(one)).filter(({ revoked_at }) => revoked_at === undefined);
      const again =
        answer.kind === "tokens" &&
        (await refreshOauthTokens(one, { refresh: answer.refresh, client: "program" })).kind;
      await forgetEndedGrants(one);
      const grants = [];
      for await (const { key } of everyKey(one.store, "views/access/oauth-grants/"))
        if (!key.endsWith(".ended")) grants.push(key);
      left.push({ at, working: working.length, isRenewed: again === "tokens", grants: grants.length });
    }
    expect(left.length).toBeGreaterThan(10);
    expect(left.filter(({ working, isRenewed, grants }) => working + grants > 0 || isRenewed)).toEqual([]);
  },
);

test("A-3 the mark of an ended grant is forgotten after a week", async () => {
  const [one] = await gateways([KEY, KEY]);
  await endOauthGrant(one, await makeOauthGrant(one, { client: "program", agent: "program" }), "owner");
  const marks = async () => (await one.store.list("views/access/oauth-grants/")).entries.length;
  await forgetEndedGrants(one);
  const before = await marks();
  const now = one.world.now() + 8 * 24 * 3600 * 1000;
  await forgetEndedGrants({ ...one, world: { ...one.world, now: () => now } });
  expect({ before, after: await marks() }).toEqual({ before: 1, after: 0 });
});
