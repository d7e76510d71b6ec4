import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { isFailure } from "../../base/failure.ts";
import { fixedWorld } from "../../base/testing/fixed-world.ts";
import type { NotifyDestination } from "../../domain/config/garden-config.ts";
import type { OutgoingMessage } from "../../domain/notification.ts";
import { webhookSignature } from "../../domain/webhook-signature.ts";
import { allowListEgress } from "../egress/allow-list.ts";
import { messenger } from "./messenger.ts";

const message: OutgoingMessage = {
  id: "note_1",
  garden: "Rose",
  at: "2026-02-14T08:00:00Z",
  kind: "proposal",
  title: "Rose: echo proposes: $(touch /tmp/x)",
  text: "- echo proposes",
  events: [],
};

const NO_PUSH = {
  email: async () => undefined,
  key: () => Promise.reject(new Error("not used")),
  devices: async () => [],
  remove: async () => undefined,
};

const seen: { headers: Record<string, unknown>; body: string }[] = [];
let server: Server;
let port: number;
let dir: string;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "messenger-"));
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      seen.push({ headers: request.headers, body: Buffer.concat(parts).toString() });
      if (request.url === "/hang") return;
      response.writeHead(request.url === "/no" ? 500 : 204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterEach(() => void seen.splice(0));
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(dir, { recursive: true, force: true });
});

const to = (over: Partial<NotifyDestination>): NotifyDestination => ({ name: "phone", kinds: ["proposal"], ...over });
const hook = (path: string): NotifyDestination =>
  to({ webhook: `http://127.0.0.1:${port}${path}`, secret_env: "PHONE_SECRET" });

async function sent(destination: NotifyDestination, secret: string | undefined = "s3cret"): Promise<string> {
  const sender = messenger({
    push: NO_PUSH,
    secretOf: (variable) => (variable === "PHONE_SECRET" ? secret : undefined),
    egressTo: (url) => allowListEgress({ allow: [url.host] }),
    environment: { PATH: process.env["PATH"], OPENAI_API_KEY: "key", HOME: dir },
    world: fixedWorld("2026-02-14T08:00:00Z", 1000),
    patienceMs: 1500,
  });
  try {
    await sender.send(destination, message);
    return "sent";
  } catch (error) {
    return isFailure(error) ? `${error.code} ${error.outcome}: ${error.message}` : String(error);
  }
}

describe("P-12a a webhook", () => {
  test("the request is signed like those that the garden receives, and carries the message", async () => {
    expect(await sent(hook("/x"))).toBe("sent");
    const [{ headers, body }] = seen as [(typeof seen)[0]];
    const timestamp = String(headers["x-bloom-timestamp"]);
    expect({ body: JSON.parse(body) as unknown, signature: headers["x-bloom-signature"] }).toEqual({
      body: message,
      signature: webhookSignature("s3cret", timestamp, Buffer.from(body)),
    });
  });

  test.each([
    [
      "an error status is a definite failure",
      "/no",
      "UPSTREAM_UNAVAILABLE none: notify phone: 127.0.0.1:PORT answered HTTP 500",
    ],
    ["no answer leaves it unknown", "/hang", "UPSTREAM_UNAVAILABLE unknown: notify phone: no answer"],
  ])("%s", async (_, path, expected) => {
    expect(await sent(hook(path))).toContain(expected.replace("PORT", String(port)));
  });

  test("a missing secret is named", async () => {
    expect(await sent(hook("/x"), "")).toBe(
      "AUTH_REQUIRED none: notify phone: PHONE_SECRET is not set, so its messages cannot be signed",
    );
  });
});

describe("P-12a a command", () => {
  test("the command gets the message on standard input, and no key of the environment", async () => {
    const file = join(dir, "out");
    const script = 'cat > "$1"; env >> "$1"';
    expect(await sent(to({ command: ["sh", "-c", script, "sh", file] }))).toBe("sent");
    const got = readFileSync(file, "utf8");
    expect([got.startsWith(`${message.title}\n\n${message.text}\n`), got.includes("OPENAI_API_KEY")]).toEqual([
      true,
      false,
    ]);
  });

  test.each<[string, string[], string]>([
    ["fails", ["sh", "-c", "echo no >&2; exit 3"], "UPSTREAM_UNAVAILABLE none: notify phone: sh ended with 3: no"],
    [
      "does not exist",
      ["no-such-program-here"],
      "NOT_FOUND none: notify phone: no-such-program-here cannot be started",
    ],
    ["hangs", ["sleep", "60"], "UPSTREAM_UNAVAILABLE unknown: notify phone: no answer"],
  ])("a command that %s is reported", async (_, command, expected) => {
    expect(await sent(to({ command }))).toContain(expected);
  });
});
