import { createCipheriv, createECDH, createPrivateKey, hkdfSync, sign } from "node:crypto";
import type { PushDevice, PushKey } from "../../domain/push.ts";

/** Maximum size of one record; every push service accepts a body of 4096 bytes. */
const RECORD_BYTES = 4096;
/** Header (16 + 4 + 1 + 65), padding delimiter and tag. */
export const MAX_PUSH_BYTES = RECORD_BYTES - 86 - 1 - 16;
const SALT_BYTES = 16;
const POINT_BYTES = 65;

/** An ECDH key pair from 32 random bytes. Throws for the few values that are no key. */
export function pairFrom(secret: Uint8Array): { readonly publicKey: Buffer; shared(other: Uint8Array): Buffer } {
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(secret);
  return { publicKey: pair.getPublicKey(), shared: (other) => pair.computeSecret(other) };
}

/** RFC 8291: encrypts a message for one device. `secret` is the private key of this message alone, `salt` has 16 bytes. */
export function encryptPush(
  plain: Uint8Array,
  { p256dh, auth }: Pick<PushDevice, "p256dh" | "auth">,
  { secret, salt }: { readonly secret: Uint8Array; readonly salt: Uint8Array },
): Buffer {
  const theirs = Buffer.from(p256dh, "base64url");
  const own = pairFrom(secret);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), theirs, own.publicKey]);
  const input = derive(own.shared(theirs), Buffer.from(auth, "base64url"), info, 32);
  const key = derive(input, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derive(input, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const header = Buffer.alloc(SALT_BYTES + 5);
  header.set(salt);
  header.writeUInt32BE(RECORD_BYTES, SALT_BYTES);
  header.writeUInt8(POINT_BYTES, SALT_BYTES + 4);
  const cipher = createCipheriv("aes-128-gcm", key, nonce);
  // 0x02 ends the last record (RFC 8188).
  const body = Buffer.concat([cipher.update(plain), cipher.update(Buffer.of(2)), cipher.final()]);
  return Buffer.concat([header, own.publicKey, body, cipher.getAuthTag()]);
}

const derive = (input: Uint8Array, salt: Uint8Array, info: Uint8Array, bytes: number): Buffer =>
  Buffer.from(hkdfSync("sha256", input, salt, info, bytes));

/** RFC 8292: the `Authorization` of a request to a push service, valid until `expires` (seconds since 1970). */
export function vapidHeader(
  { publicKey, privateKey }: PushKey,
  endpoint: URL,
  subject: string,
  expires: number,
): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${part({ typ: "JWT", alg: "ES256" })}.${part({ aud: endpoint.origin, exp: expires, sub: subject })}`;
  const der = [SEC1, Buffer.from(privateKey, "base64url"), CURVE, Buffer.from(publicKey, "base64url")];
  const key = createPrivateKey({ key: Buffer.concat(der), format: "der", type: "sec1" });
  const signature = sign("sha256", Buffer.from(signed), { key, dsaEncoding: "ieee-p1363" }).toString("base64url");
  return `vapid t=${signed}.${signature}, k=${publicKey}`;
}

/** The fixed parts of a private key of prime256v1 in the form of SEC 1 (RFC 5915). */
const SEC1 = Buffer.from("30770201010420", "hex");
const CURVE = Buffer.from("a00a06082a8648ce3d030107a144034200", "hex");
