import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { seeded } from "../../base/testing/seeded.ts";
import { fingerprint, keyPairOf, privateKeyFile, privateKeyIn, publicKeyInLine, publicKeyLine } from "./ssh-key.ts";
import { signerOf, sshSignature } from "./ssh-signature.ts";

const pair = keyPairOf(Buffer.alloc(32, 7));
const other = keyPairOf(Buffer.alloc(32, 8));
const message = Buffer.from("tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n");
const hasKeygen = (() => {
  try {
    execFileSync("ssh-keygen", ["-Q", "help"], { stdio: "ignore" });
    return true;
  } catch (error) {
    return (error as { code?: string }).code !== "ENOENT";
  }
})();

describe("S-10 signatures in the format of OpenSSH", () => {
  test("a signature names its key, for this message, this namespace and these bytes only", () => {
    const signature = sshSignature(message, pair);
    expect({
      same: signerOf(message, signature)?.blob.equals(pair.publicKey.blob),
      otherMessage: signerOf(Buffer.from("x"), signature),
      otherNamespace: signerOf(message, signature, "file"),
      file: signerOf(message, sshSignature(message, pair, "file")),
      empty: signerOf(message, ""),
      otherKey: signerOf(message, sshSignature(message, other))?.blob.equals(pair.publicKey.blob),
    }).toEqual({
      same: true,
      otherMessage: undefined,
      otherNamespace: undefined,
      file: undefined,
      empty: undefined,
      otherKey: false,
    });
  });

  test("a signature with any byte changed or cut off is not valid, and never an exception", () => {
    const lines = sshSignature(message, pair).split("\n");
    const bytes = Buffer.from(lines.slice(1, -2).join(""), "base64");
    const chance = seeded(1);
    const armoured = (raw: Buffer): string => [lines[0], raw.toString("base64"), lines.at(-2), ""].join("\n");
    const accepted = Array.from({ length: 400 }, () => {
      const raw = Buffer.from(bytes);
      const at = Math.floor(chance() * raw.length);
      raw[at]! ^= 1 << Math.floor(chance() * 8);
      return chance() < 0.2 ? raw.subarray(0, at) : raw;
    }).filter((raw) => signerOf(message, armoured(raw)) !== undefined);
    expect(accepted).toEqual([]);
  });

  test("a private key file is read back as the same pair", () => {
    const file = privateKeyFile(pair, "garden", 42);
    expect(privateKeyIn(file).publicKey.blob).toEqual(pair.publicKey.blob);
    expect(publicKeyInLine(publicKeyLine(pair.publicKey, "garden")).blob).toEqual(pair.publicKey.blob);
  });

  test.each([
    ["an empty file", ""],
    ["a key of PKCS #8", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"],
    [
      "a file that was cut off",
      `${privateKeyFile(pair, "x", 1).split("\n").slice(0, 3).join("\n")}\n-----END OPENSSH PRIVATE KEY-----\n`,
    ],
  ])("%s is refused as a key, with the reason", (_name, text) => {
    expect(() => privateKeyIn(text)).toThrow(/OpenSSH/);
  });

  test.skipIf(!hasKeygen)(
    "F2 ssh-keygen reads our key file, prints our fingerprint, and each accepts the other's signatures",
    () => {
      const dir = mkdtempSync(join(tmpdir(), "bloom-key-"));
      const key = join(dir, "key");
      writeFileSync(key, privateKeyFile(pair, "garden", 42), { mode: 0o600 });
      writeFileSync(join(dir, "signers"), `garden ${publicKeyLine(pair.publicKey)}\n`);
      writeFileSync(join(dir, "message"), message);
      // Without input where the program reads none: it may end before the input is written.
      const keygen = (args: readonly string[], input?: Buffer): string =>
        execFileSync("ssh-keygen", args, { encoding: "utf8", ...(input ? { input } : { stdio: "pipe" }) });
      expect(keygen(["-l", "-f", key])).toContain(fingerprint(pair.publicKey));
      writeFileSync(join(dir, "ours.sig"), sshSignature(message, pair));
      const signed = ["-I", "garden", "-n", "git", "-s", join(dir, "ours.sig")];
      const verified = keygen(["-Y", "verify", "-f", join(dir, "signers"), ...signed], message);
      expect(verified).toContain("Good");
      execFileSync("ssh-keygen", ["-Y", "sign", "-f", key, "-n", "git", join(dir, "message")], { stdio: "ignore" });
      expect(signerOf(message, readFileSync(join(dir, "message.sig"), "utf8"))?.blob).toEqual(pair.publicKey.blob);
    },
  );
});
