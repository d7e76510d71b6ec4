import { createHash, createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { brokenKey } from "./failures.ts";
import { armour, armoured, SshReader, sshNumber, sshString } from "./ssh-wire.ts";

/** An Ed25519 key as OpenSSH keeps it. `blob` is the public key in the encoding of SSH: two keys are equal if these bytes are. */
export interface SshPublicKey {
  readonly blob: Buffer;
}

export interface SshKeyPair {
  readonly publicKey: SshPublicKey;
  /** 32 bytes. */
  readonly seed: Buffer;
}

const TYPE = "ssh-ed25519";
const PRIVATE = "OPENSSH PRIVATE KEY";
const MAGIC = "openssh-key-v1\0";

/** The pair of 32 random bytes. */
export function keyPairOf(seed: Uint8Array): SshKeyPair {
  const raw = createPublicKey(privateKeyOf(seed)).export({ format: "der", type: "spki" }).subarray(-32);
  return { seed: Buffer.from(seed), publicKey: { blob: publicBlob(raw) } };
}

const publicBlob = (raw: Uint8Array): Buffer => Buffer.concat([sshString(TYPE), sshString(raw)]);

/** Node takes the seed in a PKCS #8 envelope, the public key in an SPKI one. */
export const privateKeyOf = (seed: Uint8Array): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]),
    format: "der",
    type: "pkcs8",
  });

export const publicKeyObject = ({ blob }: SshPublicKey): KeyObject =>
  createPublicKey({
    key: Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), rawPublic(blob)]),
    format: "der",
    type: "spki",
  });

/** The 32 bytes of a public key. Throws VALIDATION_FAILED for a key of another kind. */
function rawPublic(blob: Uint8Array): Buffer {
  try {
    const reader = new SshReader(blob);
    const type = reader.text();
    if (type !== TYPE) throw brokenKey(`its type is ${JSON.stringify(type.slice(0, 40))}`);
    const raw = reader.string();
    if (raw.length !== 32 || reader.rest > 0) throw brokenKey("its length is wrong");
    return raw;
  } catch (error) {
    throw error instanceof RangeError ? brokenKey(error.message) : error;
  }
}

export function publicKeyFrom(blob: Uint8Array): SshPublicKey {
  rawPublic(blob);
  return { blob: Buffer.from(blob) };
}

/** `ssh-ed25519 AAAA… comment`, as in a `.pub` file and in `allowed_signers`. */
export const publicKeyLine = ({ blob }: SshPublicKey, comment = ""): string =>
  `${TYPE} ${blob.toString("base64")}${comment === "" ? "" : ` ${comment}`}`;

export function publicKeyInLine(line: string): SshPublicKey {
  const [type, base64 = ""] = line.trim().split(/\s+/);
  if (type !== TYPE) throw brokenKey(`the line does not begin with ${TYPE}`);
  return publicKeyFrom(Buffer.from(base64, "base64"));
}

/** `SHA256:…`, as `ssh-keygen -l` prints it. */
export const fingerprint = ({ blob }: SshPublicKey): string =>
  `SHA256:${createHash("sha256").update(blob).digest("base64").replace(/=+$/, "")}`;

export const isFingerprint = (text: string): boolean => /^SHA256:[A-Za-z0-9+/]{43}$/.test(text);

/** The private key file. `check` is any number: OpenSSH uses it to notice a wrong passphrase, and we have none. */
export function privateKeyFile({ seed, publicKey }: SshKeyPair, comment: string, check: number): string {
  const secret = Buffer.concat([
    sshNumber(check),
    sshNumber(check),
    publicKey.blob,
    sshString(Buffer.concat([seed, rawPublic(publicKey.blob)])),
    sshString(comment),
  ]);
  const padding = Buffer.from(Array.from({ length: (8 - (secret.length % 8)) % 8 }, (_, i) => i + 1));
  const none = sshString("none");
  return armour(
    Buffer.concat([
      Buffer.from(MAGIC, "latin1"),
      none,
      none,
      sshString(""),
      sshNumber(1),
      sshString(publicKey.blob),
      sshString(Buffer.concat([secret, padding])),
    ]),
    PRIVATE,
  );
}

/** Throws VALIDATION_FAILED for a file that is damaged, of another kind or protected by a passphrase. */
export function privateKeyIn(file: string): SshKeyPair {
  const bytes = armoured(file, PRIVATE);
  if (!bytes) throw brokenKey("the file does not begin and end as a private key does");
  try {
    const reader = new SshReader(bytes);
    if (reader.raw(MAGIC.length).toString("latin1") !== MAGIC) throw brokenKey("the version is unknown");
    if (reader.text() !== "none") throw brokenKey("it is protected by a passphrase");
    reader.string(); // the name of no key derivation, and its empty options
    reader.string();
    if (reader.number() !== 1) throw brokenKey("the file holds several keys");
    const blob = reader.string();
    const secret = new SshReader(reader.string());
    if (secret.number() !== secret.number()) throw brokenKey("it is damaged");
    secret.text();
    secret.string();
    const pair = keyPairOf(secret.string().subarray(0, 32));
    if (!pair.publicKey.blob.equals(blob)) throw brokenKey("its two halves do not belong together");
    return pair;
  } catch (error) {
    throw error instanceof RangeError ? brokenKey(error.message) : error;
  }
}
