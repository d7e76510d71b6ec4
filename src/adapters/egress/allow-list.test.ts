import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { isFailure } from "../../base/failure.ts";
import { allowListEgress, MAX_REDIRECTS } from "./allow-list.ts";
import { isAddressAllowed, isListed, listedHosts } from "./hosts.ts";
import { MAX_RESPONSE_BYTES } from "./send-request.ts";

/** What reached the server: nothing that was refused may be in here. */
const seen: { method: string; path: string; host: string; key: string; body: string }[] = [];
let server: Server;
let other: Server;
let port: number;
let otherPort: number;

const answers: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  "/plain": (_, response) => response.end("hello"),
  "/none": (_, response) => response.writeHead(204).end(),
  "/packed": (_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("unpacked")),
  "/bomb": (_, response) =>
    response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(MAX_RESPONSE_BYTES + 1))),
  "/away": (_, response) => response.writeHead(302, { location: "http://not-listed.example/x" }).end(),
  "/home": (_, response) => response.writeHead(302, { location: `http://localhost:${port}/plain` }).end(),
  "/by-address": (_, response) => response.writeHead(302, { location: "http://2130706433/x" }).end(),
  "/file": (_, response) => response.writeHead(302, { location: "file:///etc/passwd" }).end(),
  "/nowhere": (_, response) => response.writeHead(302, { location: "http://" }).end(),
  "/other": (_, response) => response.writeHead(307, { location: `http://127.0.0.1:${otherPort}/plain` }).end(),
  "/see": (_, response) => response.writeHead(303, { location: "/plain" }).end(),
  "/keep": (_, response) => response.writeHead(308, { location: "/plain" }).end(),
  "/round": (_, response) => response.writeHead(302, { location: "/round" }).end(),
  "/hang": () => undefined,
};

const listening = (serving: Server): Promise<number> =>
  new Promise((resolve) => serving.listen(0, "127.0.0.1", () => resolve((serving.address() as AddressInfo).port)));

beforeAll(async () => {
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { method = "", url: path = "", headers } = request;
      seen.push({
        method,
        path,
        host: headers.host ?? "",
        key: headers.authorization ?? "",
        body: Buffer.concat(parts).toString(),
      });
      const steps = /^\/steps\/(\d+)$/.exec(path);
      if (!steps) return answers[path]?.(request, response);
      const left = Number(steps[1]);
      return left === 0 ? response.end("there") : response.writeHead(302, { location: `/steps/${left - 1}` }).end();
    });
  };
  [server, other] = [createServer(answer), createServer(answer)];
  [port, otherPort] = [await listening(server), await listening(other)];
});

afterAll(() => {
  for (const each of [server, other]) {
    each.closeAllConnections();
    each.close();
  }
});

const at = (path: string): string => `http://127.0.0.1:${port}${path}`;
const egress = (...more: string[]) => allowListEgress({ allow: [`127.0.0.1:${port}`, ...more] });

async function told(fetching: Promise<Response>): Promise<string> {
  try {
    const response = await fetching;
    return `${response.status} ${await response.text()}`;
  } catch (error) {
    return isFailure(error) ? `${error.code} ${error.message}` : String(error);
  }
}

describe("R-6: which hosts are on a list", () => {
  test.each<[string, string[], string, boolean]>([
    ["a host", ["example.com"], "https://example.com/x", true],
    ["in capitals, with a dot at the end", ["example.com"], "https://EXAMPLE.com./x", true],
    ["without encryption", ["example.com"], "http://example.com", true],
    ["on another port", ["example.com"], "https://example.com:8443", false],
    ["on the port that is listed", ["example.com:8443"], "https://example.com:8443", true],
    ["on the usual port, listed", ["example.com:443"], "https://example.com", true],
    ["on the usual port of the other protocol", ["example.com:443"], "http://example.com", false],
    ["below a host", ["example.com"], "https://api.example.com", false],
    ["below a pattern", ["*.example.com"], "https://a.b.example.com", true],
    ["the pattern itself", ["*.example.com"], "https://example.com", false],
    ["a name that only ends like it", ["*.example.com"], "https://badexample.com", false],
    ["a name that begins like it", ["example.com"], "https://example.com.evil.org", false],
    ["a name before an @", ["example.com"], "https://example.com@evil.org", false],
    ["an address by a pattern", ["*.0.0.1"], "http://127.0.0.1", false],
    ["an address as a number", ["127.0.0.1"], "http://2130706433", true],
    ["an address in six", ["localhost"], "http://[::1]", false],
    ["a name in other letters", ["xn--80aikifvh.xn--j1amh"], "https://приклад.укр", true],
    ["nothing", [], "https://example.com", false],
  ])("%s: %s, %s → %s", (_, allow, url, expected) => {
    expect(isListed(allow, new URL(url))).toBe(expected);
  });

  test("the garden's own settings name hosts too", () => {
    const models = { local: { url: "http://127.0.0.1:11434/v1" }, far: { url: "https://models.example/v1" } };
    const reader = { kind: "notebooklm", url: "http://reader.lan:8000" } as const;
    expect(listedHosts({ egress: ["*.example.com", "models.example"], models, reader })).toEqual([
      "*.example.com",
      "models.example",
      "127.0.0.1:11434",
      "reader.lan:8000",
    ]);
  });
});

describe("R-6: where a listed name may be", () => {
  test.each<[string, string[], string, string, boolean]>([
    ["in the open network", ["example.com"], "https://example.com", "93.184.215.14", true],
    ["in the open network, in six", ["example.com"], "https://example.com", "2606:2800:21f::1", true],
    ["on this machine", ["example.com"], "https://example.com", "127.0.0.1", false],
    ["on this machine, in six", ["example.com"], "https://example.com", "::1", false],
    ["on this machine, disguised", ["example.com"], "https://example.com", "::ffff:127.0.0.1", false],
    ["in the local network", ["example.com"], "https://example.com", "192.168.1.1", false],
    ["where clouds keep their keys", ["example.com"], "http://example.com", "169.254.169.254", false],
    ["nowhere in particular", ["example.com"], "http://example.com", "0.0.0.0", false],
    [
      "in the local network, with its address listed",
      ["nas.lan", "192.168.1.5"],
      "http://nas.lan",
      "192.168.1.5",
      true,
    ],
    [
      "on a port that its address is not listed for",
      ["nas.lan:81", "192.168.1.5"],
      "http://nas.lan:81",
      "192.168.1.5",
      false,
    ],
    ["at home, which is what it says", ["localhost:81"], "http://localhost:81", "127.0.0.1", true],
    ["not at home, though it says so", ["localhost:81"], "http://localhost:81", "192.168.1.5", false],
    ["no address", ["example.com"], "http://example.com", "example.com", false],
  ])("%s: %s, %s at %s → %s", (_, allow, url, address, expected) => {
    expect(isAddressAllowed(allow, new URL(url), address)).toBe(expected);
  });
});

describe("R-6: the way out", () => {
  it.each([
    ["a listed host answers", "/plain", "200 hello"],
    ["an answer without content", "/none", "204 "],
    ["a packed answer is unpacked", "/packed", "200 unpacked"],
    ["redirects within the list are followed", "/steps/5", "200 there"],
  ])("%s", async (_, path, expected) => {
    expect(await told(egress().fetch(at(path)))).toBe(expected);
  });

  it.each([
    [
      "a host that is not listed",
      "/away",
      /^FORBIDDEN not-listed\.example is not on the allow-list; 127\.0\.0\.1:\d+ redirects there/,
    ],
    ["this machine by another name", "/home", /^FORBIDDEN localhost:\d+ is not on the allow-list/],
    ["this machine as a number", "/by-address", /^FORBIDDEN 127\.0\.0\.1 is not on the allow-list/],
    ["a file", "/file", /^FORBIDDEN only http and https/],
    ["nowhere", "/nowhere", /^UPSTREAM_UNAVAILABLE .* not a URL/],
    ["another listed host's refusal", "/other", /^FORBIDDEN 127\.0\.0\.1:\d+ is not on the allow-list/],
    ["itself, without end", "/round", new RegExp(`^UPSTREAM_UNAVAILABLE .* after ${MAX_REDIRECTS} redirects`)],
    ["one step more than is followed", `/steps/${MAX_REDIRECTS + 1}`, /^UPSTREAM_UNAVAILABLE/],
  ])("a redirect to %s is refused, and nothing is sent there", async (_, path, expected) => {
    seen.length = 0;
    expect([await told(egress().fetch(at(path))), seen.filter(({ path: reached }) => reached === "/plain")]).toEqual([
      expect.stringMatching(expected),
      [],
    ]);
  });

  it("a host that is not listed is refused before anything is looked up, with host and list", async () => {
    const asked: string[] = [];
    const lookup = async (host: string) => (asked.push(host), []);
    const closed = allowListEgress({ allow: ["example.com"], lookup });
    const failure = await closed.fetch("https://evil.org/x?secret").catch((error: unknown) => error);
    expect([asked, isFailure(failure, "FORBIDDEN") && [failure.message, failure.hint?.en, failure.details]]).toEqual([
      [],
      [
        "evil.org is not on the allow-list (example.com)",
        "To allow it, add it to `egress` in garden.yaml.",
        { host: "evil.org", allow: ["example.com"] },
      ],
    ]);
  });

  it("a listed name that is pointed at this machine is not followed there", async () => {
    seen.length = 0;
    const lookup = async () => [{ address: "127.0.0.1", family: 4 }];
    const rebound = allowListEgress({ allow: [`example.com:${port}`], lookup });
    expect([await told(rebound.fetch(`http://example.com:${port}/plain`)), seen]).toEqual([
      expect.stringMatching(/^FORBIDDEN example\.com is at 127\.0\.0\.1/),
      [],
    ]);
  });

  it("the address that was looked at is the one that is connected to", async () => {
    seen.length = 0;
    let lookups = 0;
    const lookup = async () => {
      lookups++;
      return [
        { address: "10.1.2.3", family: 4 },
        { address: "127.0.0.1", family: 4 },
      ];
    };
    const listed = allowListEgress({ allow: [`garden.example:${port}`, `127.0.0.1:${port}`], lookup });
    expect([await told(listed.fetch(`http://garden.example:${port}/plain`)), lookups, seen[0]?.host]).toEqual([
      "200 hello",
      1,
      `garden.example:${port}`,
    ]);
  });

  it("keys do not travel to another host with a redirect, the question does where it must", async () => {
    seen.length = 0;
    const both = egress(`127.0.0.1:${otherPort}`);
    const init = { method: "POST", body: "question", headers: { authorization: "Bearer secret" } };
    for (const path of ["/other", "/see", "/keep"]) await told(both.fetch(at(path), init));
    expect(seen.filter(({ path }) => path === "/plain").map(({ method, key, body }) => [method, key, body])).toEqual([
      ["POST", "", "question"],
      ["GET", "Bearer secret", ""],
      ["POST", "Bearer secret", "question"],
    ]);
  });

  it.each<[string, string[], string]>([
    ["the same", ["127.0.0.1:PORT"], "200 hello"],
    ["more", ["127.0.0.1:PORT", "evil.org"], "200 hello"],
    ["nothing", [], "FORBIDDEN"],
    ["something else", ["example.com"], "FORBIDDEN"],
  ])("a contract's list of %s only ever takes away", async (_, lines, expected) => {
    const shrunk = egress().within(lines.map((line) => line.replace("PORT", String(port))));
    const outside = await told(shrunk.fetch("https://evil.org"));
    expect([(await told(shrunk.fetch(at("/plain")))).startsWith(expected), outside.startsWith("FORBIDDEN")]).toEqual([
      true,
      true,
    ]);
  });

  it("the same narrower list is the same way out", () => {
    const way = egress();
    expect([
      way.within(["a.example"]) === way.within(["a.example"]),
      way.within(["a.example"]) === way.within([]),
    ]).toEqual([true, false]);
  });

  it("an answer without end is cut off, packed or not", async () => {
    expect(await told(egress().fetch(at("/bomb")))).toMatch(/^VALIDATION_FAILED the response of .* is larger/);
  });

  it("a host that is away is a failure that names it", async () => {
    const gone = createServer();
    const free = await listening(gone);
    await new Promise((resolve) => gone.close(resolve));
    expect(await told(allowListEgress({ allow: [`127.0.0.1:${free}`] }).fetch(`http://127.0.0.1:${free}`))).toBe(
      `UPSTREAM_UNAVAILABLE 127.0.0.1:${free} cannot be reached: ECONNREFUSED`,
    );
  });

  it("whoever waits can stop waiting, with their own reason", async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("enough")), 20);
    expect([
      await told(egress().fetch(at("/hang"), { signal: stop.signal })),
      await told(egress().fetch(at("/plain"), { signal: AbortSignal.abort(new Error("before")) })),
    ]).toEqual(["Error: enough", "Error: before"]);
  });

  it("redirects are left to whoever asks for that", async () => {
    const manual = await egress().fetch(at("/away"), { redirect: "manual" });
    await manual.body?.cancel();
    expect([manual.status, manual.headers.get("location"), manual.url]).toEqual([
      302,
      "http://not-listed.example/x",
      at("/away"),
    ]);
  });
});
