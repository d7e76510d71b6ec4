import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, verify } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { isFailure } from "../../base/failure.ts";
import { realWorld } from "../../base/world.ts";
import type { OutgoingMessage } from "../../domain/notification.ts";
import type { PushDevice, PushKey, PushPayload } from "../../domain/push.ts";
import { allowListEgress } from "../egress/allow-list.ts";
import { messenger } from "./messenger.ts";
import { encryptPush } from "./push-encryption.ts";

/** RFC 8291, section 5 and appendix A. */
const EXAMPLE = {
  plain: "When I grow up, I want to be a watermelon",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
  p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  secret: "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw",
  salt: "DGv6ra1nlYgDCS1FRnbzlw",
  body: "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
};

test("P-12a a push message is encrypted as the example of RFC 8291 is", () => {
  const { plain, p256dh, auth, secret, salt, body } = EXAMPLE;
  const made = encryptPush(
    Buffer.from(plain),
    { p256dh, auth },
    { secret: Buffer.from(secret, "base64url"), salt: Buffer.from(salt, "base64url") },
  );
  expect(made.toString("base64url")).toBe(body);
});

/** A push service that decrypts what arrives, as the device would. */
interface Arrived {
  readonly payload: PushPayload;
  readonly headers: Readonly<Record<string, unknown>>;
}
const arrived: Arrived[] = [];
const device = createECDH("prime256v1");
device.generateKeys();
const auth = Buffer.alloc(16, 7);
let server: Server;
let host: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const status = { "/gone": 410, "/busy": 503 }[request.url ?? ""] ?? 201;
      if (status === 201)
        arrived.push({
          payload: JSON.parse(decrypted(Buffer.concat(parts), device, auth)) as PushPayload,
          headers: request.headers,
        });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => void arrived.splice(0));
afterAll(() => void server.close());

function decrypted(body: Buffer, own: ECDH, secret: Buffer): string {
  const [salt, theirs, sealed] = [body.subarray(0, 16), body.subarray(21, 86), body.subarray(86)];
  const derive = (input: Uint8Array, by: Uint8Array, info: Uint8Array, bytes: number): Buffer =>
    Buffer.from(hkdfSync("sha256", input, by, info, bytes));
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), own.getPublicKey(), theirs]);
  const input = derive(own.computeSecret(theirs), secret, info, 32);
  const key = derive(input, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derive(input, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const cipher = createDecipheriv("aes-128-gcm", key, nonce);
  cipher.setAuthTag(sealed.subarray(-16));
  const plain = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
  return plain.subarray(0, plain.lastIndexOf(2)).toString();
}

const signer = createECDH("prime256v1");
signer.generateKeys();
/** 32 bytes, as ours are made: Node leaves out leading zeros, one key of 256 has some. */
const secret = Buffer.from(signer.getPrivateKey("hex").padStart(64, "0"), "hex");
const KEY: PushKey = { publicKey: signer.getPublicKey("base64url"), privateKey: secret.toString("base64url") };

/** The fixed part of a public key of prime256v1 (RFC 5480). */
const SPKI = Buffer.from("3059301306072a8648ce3d020106082a8648ce3d030107034200", "hex");

const message: OutgoingMessage = {
  id: "note_1",
  garden: "Rose",
  at: "2026-02-14T08:00:00Z",
  kind: "proposal",
  title: "Rose: gardener proposes: Tag the inventory",
  text: "- gardener proposes",
  events: [
    {
      kind: "proposal",
      at: "2026-02-14T08:00:00Z",
      subject: "prop_1",
      title: "gardener proposes: Tag the inventory",
      link: "http://127.0.0.1:4440/app/proposals/prop_1",
    },
  ],
};

const deviceAt = (path: string): PushDevice => ({
  id: path.slice(1),
  name: path,
  endpoint: `http://${host}${path}`,
  p256dh: device.getPublicKey("base64url"),
  auth: auth.toString("base64url"),
  added_at: "2026-02-14T07:00:00Z",
});

async function pushed(
  devices: readonly PushDevice[],
  hosts = [host],
  { email = "ann@example.org", contact }: { readonly email?: string; readonly contact?: string } = {},
): Promise<{ result: string; removed: string[] }> {
  const removed: string[] = [];
  const sender = messenger({
    secretOf: () => undefined,
    egressTo: (url) => allowListEgress({ allow: [url.host] }),
    environment: {},
    world: realWorld,
    push: {
      key: async () => KEY,
      email: async () => email,
      devices: async () => devices,
      remove: async (id) => void removed.push(id),
    },
  });
  try {
    await sender.send({ name: "devices", kinds: ["proposal"], push: hosts, ...(contact && { contact }) }, message);
    return { result: "sent", removed };
  } catch (error) {
    return { result: isFailure(error) ? `${error.code} ${error.outcome}` : String(error), removed };
  }
}

test("P-12a a device gets the message, encrypted for it and signed with the garden's key", async () => {
  expect(await pushed([deviceAt("/phone")])).toEqual({ result: "sent", removed: [] });
  const [{ payload, headers }] = arrived as [Arrived];
  expect(payload).toEqual({
    id: "note_1",
    title: "Rose",
    body: "gardener proposes: Tag the inventory",
    path: "/app/proposals/prop_1",
  });
  const [, token = "", key] = /^vapid t=([^,]+), k=(.+)$/.exec(String(headers["authorization"])) ?? [];
  const [head = "", claims = "", signature = ""] = token.split(".");
  const isSigned = verify(
    "sha256",
    Buffer.from(`${head}.${claims}`),
    {
      key: createPublicKey({ key: Buffer.concat([SPKI, signer.getPublicKey()]), format: "der", type: "spki" }),
      dsaEncoding: "ieee-p1363",
    },
    Buffer.from(signature, "base64url"),
  );
  const { aud, sub } = JSON.parse(Buffer.from(claims, "base64url").toString()) as { aud: string; sub: string };
  expect({ isSigned, key, aud, sub, encoding: headers["content-encoding"], ttl: headers["ttl"] }).toEqual({
    isSigned: true,
    key: KEY.publicKey,
    aud: `http://${host}`,
    sub: "mailto:ann@example.org",
    encoding: "aes128gcm",
    ttl: "86400",
  });
});

test.each([
  { case: "a device that unsubscribed is removed", at: ["/gone"], result: "NOT_FOUND none", removed: ["gone"], got: 0 },
  { case: "another device gets it once", at: ["/gone", "/busy", "/phone"], result: "sent", removed: ["gone"], got: 1 },
  { case: "a busy service is asked again", at: ["/busy"], result: "UPSTREAM_UNAVAILABLE none", removed: [], got: 0 },
])("P-12a $case", async ({ at, result, removed, got }) => {
  expect([await pushed(at.map(deviceAt)), arrived.length]).toEqual([{ result, removed }, got]);
});

test("P-12a nothing is sent to a push service that the destination does not name", async () => {
  expect([await pushed([deviceAt("/phone")], ["push.example"]), arrived.length]).toEqual([
    { result: "NOT_FOUND none", removed: [] },
    0,
  ]);
});

const claimed = (): string => {
  const [, claims = ""] = /^vapid t=[^.]+\.([^.]+)/.exec(String(arrived[0]?.headers["authorization"])) ?? [];
  return (JSON.parse(Buffer.from(claims, "base64url").toString()) as { sub: string }).sub;
};

test("P-12a the contact of the settings goes to the push service in place of the owner's address", async () => {
  const { result } = await pushed([deviceAt("/phone")], [host], { contact: "https://garden.example" });
  expect({ result, sub: claimed() }).toEqual({ result: "sent", sub: "https://garden.example" });
});

test.each(["ann@garden.invalid", "ann@laptop.local", "nobody", ""])(
  "P-12a an address that cannot exist (%s) is an error that says what to set, and nothing is sent",
  async (email) => {
    const { result } = await pushed([deviceAt("/phone")], [host], { email });
    expect([result, arrived.length]).toEqual(["VALIDATION_FAILED none", 0]);
  },
);
