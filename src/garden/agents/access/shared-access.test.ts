import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Garden } from "../../core/garden.ts";
import { newSignals } from "../../core/signals.ts";
import { gardenWith, scratch, testPorts } from "../../testing/scratch.ts";
import { isOpenCode, makeSignInCode, signIn } from "./sign-in.ts";
import { signingKeyId } from "./signing-key.ts";
import { issueToken, readToken, revokeToken } from "./tokens.ts";

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
