import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asFailure } from "../../../base/failure.ts";
import { tries } from "../../../base/testing/tries.ts";
import type { World } from "../../../base/world.ts";
import { contractKey, keys, machine } from "../../../domain/layout.ts";
import type { TokenClaims } from "../../../domain/token-claims.ts";
import { webhookSignature } from "../../../domain/webhook-signature.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { visibleNotes } from "../../records/notes/visible-notes.ts";
import { gardenWith, testPorts } from "../../testing/scratch.ts";
import { contractText } from "../testing/contract-text.ts";
import { identityOfToken } from "./identify.ts";
import { makeSignInCode, signIn } from "./sign-in.ts";
import { signToken, verifiedClaims } from "./token.ts";
import { forgetExpired, listTokens, makeToken, readToken, revokeToken, type TokenWish } from "./tokens.ts";
import { forgetOldSignatures, identityOfWebhook } from "./webhook.ts";

const START = Date.parse("2026-02-14T08:00:00Z");
const DAY = 24 * 60 * 60 * 1000;

/** A garden whose clock is set by hand. */
async function ground(config = ""): Promise<{ garden: Garden; dir: string; at: (time: number) => void }> {
  let now = START;
  let drawn = 0;
  const world: World = {
    now: () => now,
    random: (count) => Uint8Array.from({ length: count }, () => (drawn++ * 73 + 41) & 0xff),
  };
  const { garden, dir } = await gardenWith(undefined, testPorts(world));
  if (config !== "") writeFileSync(join(dir, "garden.yaml"), readFileSync(join(dir, "garden.yaml"), "utf8") + config);
  return { garden, dir, at: (time) => (now = time) };
}

/** An agent, and a run of its that was asked for. */
async function begin({ store }: Garden, slug: string, run: string): Promise<void> {
  await store.create(contractKey(slug), Buffer.from(contractText(slug)));
  await store.create(keys.runRequest(slug, run), Buffer.from("{}\n"));
}

const removed = async (store: Store, key: string): Promise<unknown> => store.remove(key, (await store.get(key))!.hash);

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "let in",
    (error: unknown) => asFailure(error).code,
  );

const owner: TokenWish = { kind: "owner", name: "script" };

describe("A-3 tokens", () => {
  test("a token proves the identity of its bearer", async () => {
    const { garden } = await ground(
      "zones:\n  - { name: porch, folders: [notes/porch], actions: [propose-comment] }\n",
    );
    const wishes: TokenWish[] = [
      owner,
      { kind: "session" },
      { kind: "agent", slug: "archivist", run: "run_1" },
      { kind: "guest", zone: "porch" },
    ];
    await begin(garden, "archivist", "run_1");
    const identities = [];
    for (const wish of wishes) {
      const { token } = await makeToken(garden, wish, "owner");
      identities.push((await identityOfToken(garden, token)).identity);
    }
    expect(identities).toEqual([
      { type: "owner", via: "script" },
      { type: "owner", via: "session" },
      { type: "agent", slug: "archivist", run: "run_1" },
      { type: "guest", zone: "porch", folders: ["notes/porch"], actions: ["propose-comment"] },
    ]);
  });

  test("a token that was changed in any character, cut or lengthened is refused", () => {
    const key = Buffer.alloc(32, 7);
    const claims: TokenClaims = { kind: "owner", id: "tok_0123456789abcdef", name: "x", expires: 2_000_000_000 };
    const token = signToken(key, claims);
    expect(verifiedClaims(key, token)).toEqual(claims);
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.constantFrom(..."AZaz09-_.="), fc.nat(2), (at, char, cut) => {
        const changed = [token.slice(0, at) + char + token.slice(at + 1), token.slice(0, at), `${token}${char}`][cut]!;
        return changed === token || verifiedClaims(key, changed) === undefined;
      }),
      { numRuns: tries(500) },
    );
    expect(verifiedClaims(Buffer.alloc(32, 8), token)).toBeUndefined();
  });

  test("a token expires at its second and not before", async () => {
    const { garden, at } = await ground();
    const { token } = await makeToken(garden, owner, "owner", 60);
    const kinds = [];
    for (const time of [START, START + 59_999, START + 60_000]) {
      at(time);
      kinds.push((await readToken(garden, token)).kind);
    }
    expect(kinds).toEqual(["good", "good", "expired"]);
  });

  test("a token lives no longer than the maximum of its kind", async () => {
    const { garden } = await ground();
    const made = await makeToken(garden, { kind: "session" }, "owner", 10 ** 9);
    expect(Date.parse(made.expires_at) - START).toBe(30 * DAY);
  });

  test("a token is refused once it is revoked, or its record or the key was deleted", async () => {
    const { garden, dir } = await ground();
    const [revoked, lost, good] = [
      await makeToken(garden, owner, "owner"),
      await makeToken(garden, owner, "owner"),
      await makeToken(garden, owner, "owner"),
    ];
    await revokeToken(garden, revoked.id, "owner");
    await revokeToken(garden, revoked.id, "owner");
    rmSync(join(dir, machine.tokens, `${lost.id}.json`));
    const before = await Promise.all([revoked, lost, good].map(({ token }) => codeOf(identityOfToken(garden, token))));
    rmSync(join(dir, machine.signingKey));
    expect({ before, after: await codeOf(identityOfToken(garden, good.token)) }).toEqual({
      before: ["AUTH_REQUIRED", "AUTH_REQUIRED", "let in"],
      after: "AUTH_REQUIRED",
    });
  });

  const runs: readonly (readonly [string, (garden: Garden) => Promise<unknown>, string])[] = [
    ["is still running is accepted", async () => undefined, "let in"],
    [
      "has ended is refused",
      ({ store }) => store.create(keys.runManifest("archivist", "run_1"), Buffer.from("{}\n")),
      "TOKEN_EXPIRED",
    ],
    ["was deleted is refused", ({ store }) => removed(store, keys.runRequest("archivist", "run_1")), "TOKEN_EXPIRED"],
    ["has no agent any more is refused", ({ store }) => removed(store, contractKey("archivist")), "TOKEN_EXPIRED"],
  ];
  test.each(runs)("a token of a run that %s", async (_, happens, code) => {
    const { garden } = await ground();
    await begin(garden, "archivist", "run_1");
    const { token } = await makeToken(garden, { kind: "agent", slug: "archivist", run: "run_1" }, "gateway");
    await happens(garden);
    expect(await codeOf(identityOfToken(garden, token))).toBe(code);
  });

  test("C-11 an agent without a contract sees no note; with one it sees the notes of its folder", async () => {
    const { garden } = await ground();
    const agent = { type: "agent", slug: "archivist", run: "run_1" } as const;
    const sees = async (): Promise<boolean[]> => {
      const isVisible = await visibleNotes(garden, agent);
      return ["notes/porch/a.md", "notes/cellar/b.md"].map(isVisible);
    };
    const before = await sees();
    const contract = contractText("archivist", { context: "{ folder: porch }" });
    await garden.store.create(contractKey("archivist"), Buffer.from(contract));
    expect({ before, after: await sees() }).toEqual({ before: [false, false], after: [true, false] });
  });

  test("a guest token is refused after the last day of its zone, and once the zone is removed from garden.yaml", async () => {
    const { garden, dir, at } = await ground(
      "schedule: { timezone: Europe/Kyiv }\nzones:\n  - { name: porch, folders: [notes/porch], expires: 2026-02-15 }\n",
    );
    const { token } = await makeToken(garden, { kind: "guest", zone: "porch" }, "owner");
    const codes = [];
    for (const time of ["2026-02-15T21:59:59Z", "2026-02-15T22:00:00Z"]) {
      at(Date.parse(time)); // midnight in Kyiv
      codes.push(await codeOf(identityOfToken(garden, token)));
    }
    const path = join(dir, "garden.yaml");
    writeFileSync(path, readFileSync(path, "utf8").replace(/zones:[^]*/, ""));
    codes.push(await codeOf(identityOfToken(garden, token)));
    writeFileSync(path, "zones: [");
    codes.push(await codeOf(identityOfToken(garden, token)));
    expect(codes).toEqual(["let in", "TOKEN_EXPIRED", "AUTH_REQUIRED", "AUTH_REQUIRED"]);
  });

  test("tokens are listed without their secrets, and removed a week after they expired", async () => {
    const { garden, dir, at } = await ground();
    const [short, long] = [await makeToken(garden, owner, "owner", 60), await makeToken(garden, owner, "owner")];
    const mac = (token: string): string => token.slice(token.lastIndexOf(".") + 1);
    const onDisk = readdirSync(join(dir, machine.tokens)).map((name) =>
      readFileSync(join(dir, machine.tokens, name), "utf8"),
    );
    expect(onDisk.some((text) => text.includes(mac(short.token)) || text.includes(mac(long.token)))).toBe(false);
    at(START + 60_000 + 7 * DAY);
    await forgetExpired(garden);
    expect((await listTokens(garden)).map(({ claims }) => claims.id)).toEqual([long.id]);
  });

  test("tokens and keys are readable by the owner alone", async () => {
    const { garden, dir } = await ground();
    const { id } = await makeToken(garden, owner, "owner");
    await revokeToken(garden, id, "owner");
    await makeSignInCode(garden);
    const modes = (path: string): string[] => {
      const seen = statSync(path);
      const mine = (seen.mode & 0o777).toString(8);
      return seen.isDirectory() ? [mine, ...readdirSync(path).flatMap((name) => modes(join(path, name)))] : [mine];
    };
    const found = modes(join(dir, machine.keys));
    expect({ modes: new Set(found), files: found.length }).toEqual({ modes: new Set(["700", "600"]), files: 7 });
  });

  test("two processes that create the key at once agree on one", async () => {
    const { garden } = await ground();
    const made = await Promise.all([1, 2, 3, 4].map(() => makeToken(garden, owner, "owner")));
    const kinds = await Promise.all(made.map(async ({ token }) => (await readToken(garden, token)).kind));
    expect(kinds).toEqual(["good", "good", "good", "good"]);
  });
});

describe("A-3 sign-in codes", () => {
  test("a code opens one session, also when two requests race", async () => {
    const { garden } = await ground();
    const { code } = await makeSignInCode(garden);
    const codes = await Promise.all([1, 2, 3].map(() => codeOf(signIn(garden, code))));
    expect({ racing: codes.toSorted(), later: await codeOf(signIn(garden, code)) }).toEqual({
      racing: ["AUTH_REQUIRED", "AUTH_REQUIRED", "let in"],
      later: "AUTH_REQUIRED",
    });
  });

  test("a code is valid for ten minutes, and removed when the next one is made", async () => {
    const { garden, dir, at } = await ground();
    const [early, late] = [await makeSignInCode(garden), await makeSignInCode(garden)];
    at(START + 10 * 60_000 - 1);
    const first = await codeOf(signIn(garden, early.code));
    at(START + 10 * 60_000);
    const second = await codeOf(signIn(garden, late.code));
    await makeSignInCode(garden);
    expect({ first, second, files: readdirSync(join(dir, machine.signIn)).length }).toEqual({
      first: "let in",
      second: "AUTH_REQUIRED",
      files: 1,
    });
  });

  test("codes are on disk as hashes only", async () => {
    const { garden, dir } = await ground();
    const { code } = await makeSignInCode(garden);
    const [name] = readdirSync(join(dir, machine.signIn));
    const text = readFileSync(join(dir, machine.signIn, name!), "utf8");
    expect({ nameHasCode: name!.includes(code), textHasCode: text.includes(code), nameLength: name!.length }).toEqual({
      nameHasCode: false,
      textHasCode: false,
      nameLength: 64,
    });
  });

  test.each(["", "x", "../tokens/x", "a".repeat(500), "nobody-knows-this-code"])(
    "%j is not a sign-in code",
    async (code) => {
      const { garden } = await ground();
      expect(await codeOf(signIn(garden, code))).toBe("AUTH_REQUIRED");
    },
  );

  test("P-12 a used code and a refused code are audited", async () => {
    const { garden } = await ground();
    const { code } = await makeSignInCode(garden);
    await signIn(garden, code);
    await codeOf(signIn(garden, code));
    const kinds: string[] = [];
    for await (const { key } of everyKey(garden.store, "audit/")) {
      const { bytes } = (await garden.store.get(key))!;
      kinds.push((JSON.parse(Buffer.from(bytes).toString()) as { kind: string }).kind);
    }
    expect(kinds.toSorted()).toEqual(["sign-in-refused", "signed-in"]);
  });
});

describe("A-3 webhooks", () => {
  const hooks = "webhooks:\n  - { name: mail, secret_env: MAIL_SECRET, actions: [propose-note] }\n";
  const body = Buffer.from('{"intent":{}}');
  const stamp = String(START / 1000);
  const secretOf = (name: string): string | undefined => (name === "MAIL_SECRET" ? "s3cret" : undefined);
  const signed = (timestamp = stamp, secret = "s3cret") => ({
    name: "mail",
    timestamp,
    signature: webhookSignature(secret, timestamp, body),
  });

  test("a webhook is identified by its signature, with its actions", async () => {
    const { garden } = await ground(hooks);
    expect(await identityOfWebhook(garden, secretOf, signed(), body)).toEqual({
      type: "webhook",
      name: "mail",
      actions: ["propose-note"],
    });
  });

  test.each([
    ["another body", signed(), Buffer.from("{}"), "AUTH_REQUIRED"],
    ["another secret", signed(stamp, "guess"), body, "AUTH_REQUIRED"],
    ["another name", { ...signed(), name: "nobody" }, body, "AUTH_REQUIRED"],
    ["another time", { ...signed(), timestamp: String(START / 1000 + 1) }, body, "AUTH_REQUIRED"],
    ["no signature", { ...signed(), signature: "" }, body, "AUTH_REQUIRED"],
    ["upper case", { ...signed(), signature: signed().signature.toUpperCase() }, body, "AUTH_REQUIRED"],
    ["a time that is too old", signed(String(START / 1000 - 301)), body, "TOKEN_EXPIRED"],
    ["a time that is yet to come", signed(String(START / 1000 + 301)), body, "TOKEN_EXPIRED"],
    ["an invalid time", signed("1e9"), body, "TOKEN_EXPIRED"],
  ])("a webhook with %s is refused", async (_, request, sent, code) => {
    const { garden } = await ground(hooks);
    expect(await codeOf(identityOfWebhook(garden, secretOf, request, sent))).toBe(code);
  });

  test("a webhook whose secret is missing from the environment is unavailable, never open", async () => {
    const { garden } = await ground(hooks);
    const request = { ...signed(), signature: webhookSignature("", stamp, body) };
    expect(await codeOf(identityOfWebhook(garden, () => "", request, body))).toBe("UPSTREAM_UNAVAILABLE");
  });

  test("a signature cannot be replayed, also not after a restart", async () => {
    const { garden, dir } = await ground(hooks);
    const first = await codeOf(identityOfWebhook(garden, secretOf, signed(), body));
    const again = await codeOf(identityOfWebhook(garden, secretOf, signed(), body));
    await garden.store.close();
    const reopened = await testPorts().openStore(dir, { store: { kind: "directory" }, agents_root: "agents" });
    const later = await codeOf(identityOfWebhook({ ...garden, store: reopened }, secretOf, signed(), body));
    await reopened.close();
    expect({ first, again, later }).toEqual({ first: "let in", again: "FORBIDDEN", later: "FORBIDDEN" });
  });

  test("used signatures are removed two days later, and not before", async () => {
    const { garden, at } = await ground(hooks);
    await identityOfWebhook(garden, secretOf, signed(), body);
    const counts = [];
    for (const time of [START + DAY, START + 2 * DAY]) {
      at(time);
      await forgetOldSignatures(garden);
      counts.push((await garden.store.list(keys.usedSignatures)).entries.length);
    }
    expect(counts).toEqual([1, 0]);
  });
});

test("G-1 no file of access is created before it is needed", async () => {
  const { garden, dir } = await ground();
  await readToken(garden, "bloom1.e30.x").catch(() => undefined);
  expect(existsSync(join(dir, machine.tokens))).toBe(false);
});
