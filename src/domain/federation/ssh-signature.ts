import { createHash, sign, verify } from "node:crypto";
import { privateKeyOf, publicKeyFrom, publicKeyObject, type SshKeyPair, type SshPublicKey } from "./ssh-key.ts";
import { armour, armoured, SshReader, sshNumber, sshString } from "./ssh-wire.ts";

const NAME = "SSH SIGNATURE";
const MAGIC = "SSHSIG";
/** The namespace of git's own signatures. One made for another purpose (a file, a login) has another and is refused. */
export const GIT_NAMESPACE = "git";

/** A signature as `ssh-keygen -Y sign` makes it, and as git keeps it in a commit. */
export function sshSignature(message: Uint8Array, { seed, publicKey }: SshKeyPair, namespace = GIT_NAMESPACE): string {
  const signature = sign(null, signedBytes(message, { namespace, hash: "sha512" }), privateKeyOf(seed));
  return armour(
    Buffer.concat([
      Buffer.from(MAGIC),
      sshNumber(1),
      sshString(publicKey.blob),
      sshString(namespace),
      sshString(""),
      sshString("sha512"),
      sshString(Buffer.concat([sshString("ssh-ed25519"), sshString(signature)])),
    ]),
    NAME,
  );
}

/** The bytes that the key signs: never the message itself, so that a signature of SSH's log-in cannot pass for one. */
const signedBytes = (message: Uint8Array, { namespace, hash }: { namespace: string; hash: string }): Buffer =>
  Buffer.concat([
    Buffer.from(MAGIC),
    sshString(namespace),
    sshString(""),
    sshString(hash),
    sshString(createHash(hash).update(message).digest()),
  ]);

/** The key that made the signature of this message; undefined if it is not valid, of another namespace or of another kind of key. */
export function signerOf(message: Uint8Array, text: string, namespace = GIT_NAMESPACE): SshPublicKey | undefined {
  try {
    const bytes = armoured(text, NAME);
    if (!bytes) return undefined;
    const reader = new SshReader(bytes);
    if (reader.raw(MAGIC.length).toString() !== MAGIC || reader.number() !== 1) return undefined;
    const key = publicKeyFrom(reader.string());
    if (reader.text() !== namespace) return undefined;
    reader.string();
    const hash = reader.text();
    if (hash !== "sha512" && hash !== "sha256") return undefined;
    const inner = new SshReader(reader.string());
    if (inner.text() !== "ssh-ed25519" || reader.rest > 0) return undefined;
    const isValid = verify(null, signedBytes(message, { namespace, hash }), publicKeyObject(key), inner.string());
    return isValid && inner.rest === 0 ? key : undefined;
  } catch {
    return undefined;
  }
}
