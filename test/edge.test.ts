import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PUBLIC_PATHS } from "../deploy/edge/check-token.ts";
import { RateWindow } from "../deploy/edge/rate-window.ts";
import { edgeSettings } from "../deploy/edge/settings.ts";
import type { TokenClaims } from "../src/domain/token-claims.ts";
import { signingKey } from "../src/garden/agents/access/signing-key.ts";
import { signToken } from "../src/garden/agents/access/token.ts";
import { routes } from "../src/gateway/routes.ts";
import { serveGarden } from "../src/gateway/serve.ts";
import { testGateway } from "../src/gateway/testing/test-gateway.ts";
import { edgeGround } from "./edge/running-edge.ts";

const KEY = "5f".repeat(32);
const NEVER = 4_000_000_000;
const owner: TokenClaims = { kind: "owner", id: "tok_0123456789abcdef", name: "script", expires: NEVER };
const session: TokenClaims = { kind: "session", id: "tok_0123456789abcdef", expires: NEVER };
const signed = (claims: TokenClaims, key = KEY): string => signToken(Buffer.from(key, "hex"), claims);
const bearer = { authorization: `Bearer ${signed(owner)}` };
const cookie = (token: string): string => `other=1; bloom_owner_0123456789ab=${token}`;

const ground = await edgeGround();
const { start, origin: originServer, end } = ground ?? {};

describe.runIf(ground)("the edge worker on workerd", () => {
  /** Each request that reached the origin, as `method path`, with its headers and body. */
  let arrived: { readonly asked: string; readonly headers: NodeJS.Dict<string | string[]>; body: string }[] = [];
  let finishEvents: () => void = () => undefined;
  let origin = "";
  let edge = "";

  beforeAll(async () => {
    origin = await originServer!((request, response) => {
      const call = { asked: `${request.method} ${request.url}`, headers: request.headers, body: "" };
      arrived.push(call);
      request.on("data", (bytes: Buffer) => (call.body += bytes));
      if (request.url === "/silent") return;
      if (request.url === "/events") {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write("event: first\ndata: 1\n\n");
        finishEvents = () => response.end("event: last\ndata: 2\n\n");
        return;
      }
      request.on("end", () => {
        const status = Number(/^\/status\/(\d+)/.exec(request.url!)?.[1] ?? 200);
        response.writeHead(
          status,
          [
            ["content-type", "text/plain"],
            ["set-cookie", "a=1"],
            ["set-cookie", "b=2"],
            ["connection", "x-secret-hop"],
            ["x-secret-hop", "1"],
            ["location", "/elsewhere"],
          ].flat(),
        );
        response.end(`the gateway's answer`);
      });
    });
    edge = await start!({ ORIGIN: origin, SIGNING_KEY: KEY });
  });
  afterAll(() => end?.());

  const ask = async (path: string, init: RequestInit = {}, at = edge): Promise<Response> => {
    arrived = [];
    return await fetch(at + path, { redirect: "manual", ...init });
  };
  const failureOf = async (answer: Response): Promise<unknown> => {
    const { error } = (await answer.json()) as { error: { code: string; message: string; details: object } };
    return { status: answer.status, code: error.code, message: error.message, details: error.details };
  };

  test.each([
    ["/app/", "text/html; charset=UTF-8", "no-cache", /script-src 'self'.*frame-ancestors 'none'/, /Garden Bloom/],
    ["/app/proposals/x", "text/html; charset=UTF-8", "no-cache", /script-src 'self'/, /Garden Bloom/],
    ["/app/assets/page-3f2a.js", "text/javascript; charset=UTF-8", /immutable/, /script-src 'self'/, /^export/],
  ])("%s is served without the gateway, with the gateway's headers", async (path, type, cache, policy, text) => {
    const answer = await ask(path);
    expect({
      status: answer.status,
      type: answer.headers.get("content-type"),
      cache: answer.headers.get("cache-control"),
      policy: answer.headers.get("content-security-policy"),
      sniff: answer.headers.get("x-content-type-options"),
      text: await answer.text(),
      arrived,
    }).toEqual({
      status: 200,
      type,
      cache: expect.stringMatching(cache),
      policy: expect.stringMatching(policy),
      sniff: "nosniff",
      text: expect.stringMatching(text),
      arrived: [],
    });
  });

  test("a file that the worker does not have comes from the gateway", async () => {
    const answer = await ask("/app/assets/newer-77aa.js");
    expect([answer.status, arrived.map(({ asked }) => asked)]).toEqual([200, ["GET /app/assets/newer-77aa.js"]]);
  });

  test.each<[string, Record<string, string>, string]>([
    ["no token", {}, "AUTH_REQUIRED"],
    ["a forged token", { authorization: `Bearer ${signed(owner, "aa".repeat(32))}` }, "AUTH_REQUIRED"],
    ["a token that is none", { authorization: "Bearer bloom1.e30.x" }, "AUTH_REQUIRED"],
    ["an expired token", { authorization: `Bearer ${signed({ ...owner, expires: 1_000 })}` }, "TOKEN_EXPIRED"],
    ["a forged cookie", { cookie: cookie(signed(session, "aa".repeat(32))) }, "AUTH_REQUIRED"],
    [
      "a bad bearer beside a good cookie",
      { authorization: "Bearer x", cookie: cookie(signed(session)) },
      "AUTH_REQUIRED",
    ],
  ])("%s is refused with 401 and does not reach the gateway", async (_, headers, code) => {
    const answer = await ask("/proposals", { headers });
    expect([await failureOf(answer), answer.headers.get("www-authenticate"), arrived]).toEqual([
      expect.objectContaining({ status: 401, code }),
      'Bearer realm="garden"',
      [],
    ]);
  });

  test.each<[string, string, Record<string, string>]>([
    ["a good token", "/proposals?limit=2", bearer],
    ["a good cookie", "/proposals", { cookie: cookie(signed(session)) }],
    ["a signed webhook, whose secret only the gateway has", "/inbox", { "x-bloom-webhook": "mail" }],
    ["a public route", "/health", {}],
    ["a public route with a bad token", "/sign-in?code=x", { cookie: cookie("bloom1.x.y") }],
  ])("%s reaches the gateway", async (_, path, headers) => {
    const answer = await ask(path, { headers });
    expect([answer.status, await answer.text(), arrived.map(({ asked }) => asked)]).toEqual([
      200,
      "the gateway's answer",
      [`GET ${path}`],
    ]);
  });

  test("headers of proxies and connections are the worker's own, in both directions", async () => {
    const answer = await ask("/inbox", {
      method: "POST",
      body: "a body",
      headers: {
        ...bearer,
        origin: edge,
        "x-forwarded-for": "6.6.6.6",
        "x-forwarded-proto": "https",
        "x-forwarded-user": "root",
        forwarded: "for=6.6.6.6",
        "x-real-ip": "6.6.6.6",
        "proxy-authorization": "Basic x",
        "cf-connecting-ip": "203.0.113.7",
        "x-correlation-id": "mine-1",
      },
    });
    const [{ headers, body } = { headers: {}, body: "" }] = arrived;
    const passed = Object.fromEntries(
      Object.entries(headers).filter(([name]) => /forwarded|real-ip|proxy|^origin|^host|correl/.test(name)),
    );
    expect({ passed, body, cookies: answer.headers.getSetCookie(), hop: answer.headers.get("x-secret-hop") }).toEqual({
      passed: {
        host: new URL(origin).host,
        origin,
        "x-forwarded-for": "203.0.113.7",
        "x-forwarded-host": new URL(edge).host,
        "x-forwarded-proto": "http",
        "x-correlation-id": "mine-1",
      },
      body: "a body",
      cookies: ["a=1", "b=2"],
      hop: null,
    });
  });

  test("a page of another site is refused before the gateway", async () => {
    const answer = await ask("/inbox", { method: "POST", body: "x", headers: { ...bearer, origin } });
    expect([await failureOf(answer), arrived]).toEqual([
      expect.objectContaining({ status: 403, code: "FORBIDDEN" }),
      [],
    ]);
  });

  test("an event arrives before the gateway's answer ends", async () => {
    const answer = await ask("/events", { headers: bearer });
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    const first = await reader.read();
    finishEvents();
    expect([answer.headers.get("content-type"), first.value, (await reader.read()).value]).toEqual([
      "text/event-stream",
      "event: first\ndata: 1\n\n",
      "event: last\ndata: 2\n\n",
    ]);
  });

  test.each([302, 404, 500, 503])("the gateway's own answer %i is passed on", async (status) => {
    const answer = await ask(`/status/${status}`, { headers: bearer });
    expect([answer.status, await answer.text()]).toEqual([status, "the gateway's answer"]);
  });

  const away = { status: 503, code: "UPSTREAM_UNAVAILABLE" };
  test.each([502, 504, 522])("A-6: %i of a proxy before the gateway is 503 with the part named", async (status) => {
    expect(await failureOf(await ask(`/status/${status}`, { headers: bearer }))).toMatchObject({
      ...away,
      details: { part: "gateway", outcome: "none" },
    });
  });

  let deaf: Promise<string[]> | undefined;
  /** One worker whose gateway is away, and one that waits a second for a silent one. */
  const startDeaf = (): Promise<string[]> =>
    Promise.all([
      start!({ ORIGIN: "http://127.0.0.1:1", SIGNING_KEY: KEY }),
      start!({ ORIGIN: origin, SIGNING_KEY: KEY, ORIGIN_TIMEOUT_SECONDS: "1" }),
    ]);
  test.each([
    ["en", "GET", "none", "the garden's gateway does not answer"],
    ["uk", "POST", "unknown", "шлюз саду не відповідає"],
  ])("A-6: a gateway that is away or silent is named in 503 (%s, %s)", async (language, method, outcome, message) => {
    const [dead, hasty] = (await (deaf ??= startDeaf())) as [string, string];
    const init = { method, headers: { ...bearer, "accept-language": language } };
    const answers = [await ask("/proposals", init, dead), await ask("/silent", init, hasty)];
    expect(await Promise.all(answers.map(failureOf))).toMatchObject(
      answers.map(() => ({ ...away, message, details: { part: "gateway", outcome } })),
    );
  });

  test("requests of one address above the limit get 429; other addresses do not", async () => {
    const narrow = await start!({ ORIGIN: origin, SIGNING_KEY: KEY, RATE_PER_MINUTE: "2" });
    const from = (address: string): Promise<Response> =>
      ask("/health", { headers: { "cf-connecting-ip": address } }, narrow);
    // A minute may end in between: then two more fit.
    const statuses: number[] = [];
    for (let count = 0; count < 5; count++) statuses.push((await from("203.0.113.7")).status);
    const refused = await from("203.0.113.7");
    expect([
      statuses.slice(0, 2),
      statuses.includes(429),
      refused.headers.get("retry-after"),
      (await from("203.0.113.8")).status,
    ]).toEqual([[200, 200], true, expect.stringMatching(/^\d+$/), 200]);
  });

  test("a worker with an invalid variable forwards nothing and names the variable", async () => {
    const answer = await ask("/health", {}, await start!({ ORIGIN: origin, SIGNING_KEY: "short" }));
    expect([await failureOf(answer), arrived]).toEqual([
      expect.objectContaining({
        status: 503,
        details: expect.objectContaining({ part: "edge", variable: "SIGNING_KEY" }),
      }),
      [],
    ]);
  });

  test("a real gateway accepts what the worker forwards, and its events stream through", async () => {
    const { garden, token, proposal } = await testGateway();
    const at = { role: "all", host: "127.0.0.1", port: 0, findFree: false, allowedHosts: [] } as const;
    const serving = await serveGarden(garden, at);
    try {
      const key = Buffer.from(await signingKey(garden)).toString("hex");
      const real = await start!({ ORIGIN: serving.url, SIGNING_KEY: key });
      // The test garden's clock stands in the past.
      const headers = { authorization: `Bearer ${await token({ kind: "owner", name: "script" }, 3e9)}` };
      const me = await ask("/me", { headers }, real);
      const stream = await ask("/events", { headers }, real);
      const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
      const { id } = await proposal();
      let events = "";
      while (!events.includes(id)) events += (await reader.read()).value ?? "";
      await reader.cancel();
      expect([me.status, await me.json()]).toMatchObject([200, { type: "owner", via: "script" }]);
    } finally {
      await serving.stop();
    }
  });
});

test("the worker's public paths are the gateway's routes that anyone may call", () => {
  const open = routes.filter(({ allows }) => allows.includes("anyone")).map(({ path }) => path);
  expect(PUBLIC_PATHS.toSorted()).toEqual(open.toSorted());
});

test.each([
  ["ORIGIN", { ORIGIN: "" }],
  ["ORIGIN", { ORIGIN: "https://gateway.example/path" }],
  ["ORIGIN", { ORIGIN: "gateway.example" }],
  ["SIGNING_KEY", { SIGNING_KEY: "" }],
  ["RATE_PER_MINUTE", { RATE_PER_MINUTE: "many" }],
  ["ORIGIN_TIMEOUT_SECONDS", { ORIGIN_TIMEOUT_SECONDS: "0" }],
])("the edge's settings refuse an invalid %s (%j)", async (variable, change) => {
  const ASSETS = { fetch: () => Promise.resolve(new Response()) };
  const settings = edgeSettings({ ASSETS, ORIGIN: "https://gateway.example", SIGNING_KEY: KEY, ...change });
  await expect(settings).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE", details: { part: "edge", variable } });
});

test("the window counts the addresses of one IPv6 network together and begins anew after a minute", () => {
  const window = new RateWindow();
  const take = (address: string, now: number): number | undefined => window.take(address, 1, now);
  expect([
    take("2001:db8::1", 100_000),
    take("2001:db8:0:0:ffff::2", 130_000),
    take("2001:db8:0:1::1", 130_000),
    take("192.0.2.1", 130_000),
    take("2001:db8::1", 160_000),
  ]).toEqual([undefined, 30, undefined, undefined, undefined]);
});
