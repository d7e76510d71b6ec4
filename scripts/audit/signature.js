/** Signatures of commits by Ed25519 keys of OpenSSH, as `git verify-commit` checks them. */
import { createHash, createPublicKey, verify } from "node:crypto";

/** The key that signed a commit, as git keeps it in the commit (SSHSIG); undefined without a valid signature. */
export function signerOf({ raw }) {
  const end = raw.indexOf("\n\n");
  const head = raw.toString("latin1", 0, end).split("\n");
  const at = head.findIndex((line) => line.startsWith("gpgsig "));
  if (at < 0 || head.some((line, i) => i !== at && /^gpgsig[ -]/.test(line))) return undefined;
  let after = at + 1;
  while (head[after]?.startsWith(" ")) after++;
  const armour = [head[at].slice(7), ...head.slice(at + 1, after).map((line) => line.slice(1))].join("\n");
  const content = Buffer.concat([
    Buffer.from([...head.slice(0, at), ...head.slice(after)].join("\n"), "latin1"),
    raw.subarray(end),
  ]);
  const base64 = /^-----BEGIN SSH SIGNATURE-----\n([A-Za-z0-9+/=\n]+)\n-----END SSH SIGNATURE-----$/.exec(
    armour.trim(),
  )?.[1];
  return base64 === undefined ? undefined : signerIn(Buffer.from(base64.replaceAll("\n", ""), "base64"), content);
}

function signerIn(bytes, content) {
  try {
    const [key, namespace, reserved, hash, signature, ...more] = sshStrings(bytes.subarray(10));
    const [kind, raw, ...rest] = sshStrings(signature);
    const isSsh = bytes.toString("latin1", 0, 6) === "SSHSIG" && bytes.readUInt32BE(6) === 1;
    if (!isSsh || String(namespace) !== "git" || !["sha256", "sha512"].includes(String(hash))) return undefined;
    if (String(kind) !== "ssh-ed25519" || more.length > 0 || rest.length > 0) return undefined;
    const digest = createHash(String(hash)).update(content).digest();
    const signed = Buffer.concat([Buffer.from("SSHSIG"), ...[namespace, Buffer.alloc(0), hash, digest].map(sshString)]);
    const signer = keyIn(`ssh-ed25519 ${key.toString("base64")}`);
    return signer && reserved && verify(null, signed, signer.object, raw) ? signer : undefined;
  } catch {
    return undefined;
  }
}

/** A public key as a line of OpenSSH, with its fingerprint. */
export function keyIn(line) {
  try {
    const blob = Buffer.from(line.split(" ")[1] ?? "", "base64");
    const [type, raw, ...more] = sshStrings(blob);
    if (String(type) !== "ssh-ed25519" || raw.length !== 32 || more.length > 0) return undefined;
    const der = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), raw]);
    return {
      line: `ssh-ed25519 ${blob.toString("base64")}`,
      print: `SHA256:${createHash("sha256").update(blob).digest("base64").replace(/=+$/, "")}`,
      object: createPublicKey({ key: der, format: "der", type: "spki" }),
    };
  } catch {
    return undefined;
  }
}

/** Values one after the other, each after its length (RFC 4251). Throws RangeError for bytes that end too early. */
function sshStrings(bytes) {
  const found = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 4 + bytes.readUInt32BE(at);
    if (end > bytes.length) throw new RangeError("bytes end too early");
    found.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return found;
}

function sshString(bytes) {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
