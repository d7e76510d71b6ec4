import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { isFailure } from "../../base/failure.ts";
import { allowListEgress, MAX_REDIRECTS } from "./allow-list.ts";
import { isAddressAllowed, isListed, listedHosts } from "./hosts.ts";
import { MAX_RESPONSE_BYTES } from "./send-request.ts";

/** The requests that reached the server. No refused request may be in here. */
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

describe("R-6: hosts that are on a list", () => {
  test.each<[string, string[], string, boolean]>([
    ["a host", ["example.com"], "https://example.com/x", true],
    ["a host in capitals, with a dot at the end", ["example.com"], "https://EXAMPLE.com./x", true],
    ["a host without encryption", ["example.com"], "http://example.com", true],
    ["a host on another port", ["example.com"], "https://example.com:8443", false],
    ["a host on the listed port", ["example.com:8443"], "https://example.com:8443", true],
    ["a host on the default port, listed", ["example.com:443"], "https://example.com", true],
    ["a host on the default port of the other protocol", ["example.com:443"], "http://example.com", false],
    ["a subdomain of a host", ["example.com"], "https://api.example.com", false],
    ["a subdomain of a pattern", ["*.example.com"], "https://a.b.example.com", true],
    ["the domain of a pattern", ["*.example.com"], "https://example.com", false],
    ["a name with the same ending", ["*.example.com"], "https://badexample.com", false],
    ["a name with the same beginning", ["example.com"], "https://example.com.evil.org", false],
    ["a name before an @", ["example.com"], "https://example.com@evil.org", false],
    ["an address that matches a pattern", ["*.0.0.1"], "http://127.0.0.1", false],
    ["an address as a number", ["127.0.0.1"], "http://2130706433", true],
    ["an IPv6 address", ["localhost"], "http://[::1]", false],
    ["an internationalized name", ["xn--80aikifvh.xn--j1amh"], "https://приклад.укр", true],
    ["an empty list", [], "https://example.com", false],
  ])("%s: %s, %s → %s", (_, allow, url, expected) => {
    expect(isListed(allow, new URL(url))).toBe(expected);
  });

  test("the garden's settings add their hosts", () => {
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

describe("R-6: addresses that a listed name may have", () => {
  test.each<[string, string[], string, string, boolean]>([
    ["a public address", ["example.com"], "https://example.com", "93.184.215.14", true],
    ["a public IPv6 address", ["example.com"], "https://example.com", "2606:2800:21f::1", true],
    ["a loopback address", ["example.com"], "https://example.com", "127.0.0.1", false],
    ["an IPv6 loopback address", ["example.com"], "https://example.com", "::1", false],
    ["an IPv4-mapped loopback address", ["example.com"], "https://example.com", "::ffff:127.0.0.1", false],
    ["a private address", ["example.com"], "https://example.com", "192.168.1.1", false],
    ["the metadata address of clouds", ["example.com"], "http://example.com", "169.254.169.254", false],
    ["the unspecified address", ["example.com"], "http://example.com", "0.0.0.0", false],
    ["a private address that is listed", ["nas.lan", "192.168.1.5"], "http://nas.lan", "192.168.1.5", true],
    [
      "a private address that is listed for another port",
      ["nas.lan:81", "192.168.1.5"],
      "http://nas.lan:81",
      "192.168.1.5",
      false,
    ],
    ["localhost at a loopback address", ["localhost:81"], "http://localhost:81", "127.0.0.1", true],
    ["localhost at a private address", ["localhost:81"], "http://localhost:81", "192.168.1.5", false],
    ["a text that is not an address", ["example.com"], "http://example.com", "example.com", false],
  ])("%s: %s, %s at %s → %s", (_, allow, url, address, expected) => {
    expect(isAddressAllowed(allow, new URL(url), address)).toBe(expected);
  });
});

describe("R-6: a request through the allow-list", () => {
  it.each([
    ["an answer of a listed host is returned", "/plain", "200 hello"],
    ["an answer without content is returned", "/none", "204 "],
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
    ["an invalid URL", "/nowhere", /^UPSTREAM_UNAVAILABLE .* not a URL/],
    ["another port of a listed host", "/other", /^FORBIDDEN 127\.0\.0\.1:\d+ is not on the allow-list/],
    ["itself, in a loop", "/round", new RegExp(`^UPSTREAM_UNAVAILABLE .* after ${MAX_REDIRECTS} redirects`)],
    ["one host more than the limit", `/steps/${MAX_REDIRECTS + 1}`, /^UPSTREAM_UNAVAILABLE/],
  ])("a redirect to %s is refused, and nothing is sent there", async (_, path, expected) => {
    seen.length = 0;
    expect({
      answer: await told(egress().fetch(at(path))),
      reached: seen.filter(({ path: reached }) => reached === "/plain"),
    }).toEqual({ answer: expect.stringMatching(expected), reached: [] });
  });

  it("a host that is not listed is refused before DNS is asked, with host and list", async () => {
    const asked: string[] = [];
    const lookup = async (host: string) => (asked.push(host), []);
    const closed = allowListEgress({ allow: ["example.com"], lookup });
    const failure = await closed.fetch("https://evil.org/x?secret").catch((error: unknown) => error);
    expect({
      asked,
      failure: isFailure(failure, "FORBIDDEN") && {
        message: failure.message,
        hint: failure.hint?.en,
        details: failure.details,
      },
    }).toEqual({
      asked: [],
      failure: {
        message: "evil.org is not on the allow-list (example.com)",
        hint: "To allow it, add it to `egress` in garden.yaml.",
        details: { host: "evil.org", allow: ["example.com"] },
      },
    });
  });

  it("a listed name that resolves to this machine is refused", async () => {
    seen.length = 0;
    const lookup = async () => [{ address: "127.0.0.1", family: 4 }];
    const rebound = allowListEgress({ allow: [`example.com:${port}`], lookup });
    expect({ answer: await told(rebound.fetch(`http://example.com:${port}/plain`)), seen }).toEqual({
      answer: expect.stringMatching(/^FORBIDDEN example\.com is at 127\.0\.0\.1/),
      seen: [],
    });
  });

  it("the address that was checked is the address that is connected to", async () => {
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
    expect({
      answer: await told(listed.fetch(`http://garden.example:${port}/plain`)),
      lookups,
      host: seen[0]?.host,
    }).toEqual({ answer: "200 hello", lookups: 1, host: `garden.example:${port}` });
  });

  it("a redirect to another host drops the key, and keeps method and body where HTTP requires it", async () => {
    seen.length = 0;
    const both = egress(`127.0.0.1:${otherPort}`);
    const init = { method: "POST", body: "question", headers: { authorization: "Bearer secret" } };
    for (const path of ["/other", "/see", "/keep"]) await told(both.fetch(at(path), init));
    expect(
      seen.filter(({ path }) => path === "/plain").map(({ method, key, body }) => ({ method, key, body })),
    ).toEqual([
      { method: "POST", key: "", body: "question" },
      { method: "GET", key: "Bearer secret", body: "" },
      { method: "POST", key: "Bearer secret", body: "question" },
    ]);
  });

  it.each<[string, string[], string]>([
    ["the same", ["127.0.0.1:PORT"], "200 hello"],
    ["more", ["127.0.0.1:PORT", "evil.org"], "200 hello"],
    ["nothing", [], "FORBIDDEN"],
    ["something else", ["example.com"], "FORBIDDEN"],
  ])("a contract's list of %s can only narrow the garden's list", async (_, lines, expected) => {
    const shrunk = egress().within(lines.map((line) => line.replace("PORT", String(port))));
    const outside = await told(shrunk.fetch("https://evil.org"));
    expect({
      answersAsExpected: (await told(shrunk.fetch(at("/plain")))).startsWith(expected),
      outsideIsForbidden: outside.startsWith("FORBIDDEN"),
    }).toEqual({ answersAsExpected: true, outsideIsForbidden: true });
  });

  it("the same narrower list gives the same egress", () => {
    const way = egress();
    expect({
      same: way.within(["a.example"]) === way.within(["a.example"]),
      other: way.within(["a.example"]) === way.within([]),
    }).toEqual({ same: true, other: false });
  });

  it("a response that unpacks to more than the limit is cut off", async () => {
    expect(await told(egress().fetch(at("/bomb")))).toMatch(/^VALIDATION_FAILED the response of .* is larger/);
  });

  it("a host that cannot be reached is a failure that names it", async () => {
    const gone = createServer();
    const free = await listening(gone);
    await new Promise((resolve) => gone.close(resolve));
    expect(await told(allowListEgress({ allow: [`127.0.0.1:${free}`] }).fetch(`http://127.0.0.1:${free}`))).toBe(
      `UPSTREAM_UNAVAILABLE 127.0.0.1:${free} cannot be reached: ECONNREFUSED`,
    );
  });

  it("an abort rejects the request with the caller's reason", async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("enough")), 20);
    expect({
      during: await told(egress().fetch(at("/hang"), { signal: stop.signal })),
      before: await told(egress().fetch(at("/plain"), { signal: AbortSignal.abort(new Error("before")) })),
    }).toEqual({ during: "Error: enough", before: "Error: before" });
  });

  it("redirects are returned to a caller that asks for `manual`", async () => {
    const manual = await egress().fetch(at("/away"), { redirect: "manual" });
    await manual.body?.cancel();
    expect({ status: manual.status, location: manual.headers.get("location"), url: manual.url }).toEqual({
      status: 302,
      location: "http://not-listed.example/x",
      url: at("/away"),
    });
  });
});
