import { describe, expect, test } from "vitest";
import { localReader } from "../adapters/reader/local/local-reader.ts";
import { scriptedModel } from "../adapters/runtime/testing/scripted-model.ts";
import { Failure } from "../base/failure.ts";
import { contractKey } from "../domain/layout.ts";
import { makeToken } from "../garden/agents/access/tokens.ts";
import { agentTroubles } from "../garden/agents/lifecycle/agent-troubles.ts";
import { contractText } from "../garden/agents/testing/contract-text.ts";
import type { Garden } from "../garden/core/garden.ts";
import { portsWith } from "../garden/runs/testing/agent-ground.ts";
import { gardenWith, git } from "../garden/testing/scratch.ts";
import { gatewayApp } from "./app.ts";
import { cookieName } from "./authenticate.ts";
import { gardenHealth } from "./health.ts";
import type { GatewayRuns } from "./route.ts";

const app = (garden: Garden, allowedHosts: string[] = []) => gatewayApp(garden, { host: "127.0.0.1", allowedHosts });
const get = (path: string, headers: Record<string, string> = {}, method = "GET", body?: string) =>
  new Request(`http://localhost${path}`, {
    method,
    headers: { host: "localhost:4440", ...headers },
    ...(body !== undefined && { body }),
  });

const away = (garden: Garden): Garden => ({
  ...garden,
  repo: {
    ...garden.repo,
    health: () => Promise.reject(new Failure("UPSTREAM_UNAVAILABLE", { en: "git is away", uk: "git недоступний" })),
    resolve: () => Promise.reject(new Error("away")),
  },
});

const asOwner = async (garden: Garden): Promise<Record<string, string>> => ({
  cookie: `${await cookieName(garden, get("/"), "owner")}=${(await makeToken(garden, { kind: "session" }, "owner")).token}`,
});

const OFF = { status: "off", about: "", remarks: [] };

describe("A-6 GET /health", () => {
  test("/health reports each part", async () => {
    const { garden } = await gardenWith();
    const answer = await app(garden).fetch(get("/health"));
    expect({ status: answer.status, body: await answer.json() }).toEqual({
      status: 200,
      body: {
        status: "ok",
        role: "all",
        peers: [],
        parts: {
          store: { status: "ok", about: "owner", remarks: [] },
          git: { status: "ok", about: expect.stringContaining("2.") as string, remarks: [] },
          engine: OFF,
          remote: OFF,
          workers: OFF,
          models: OFF,
          reader: OFF,
          agents: { status: "ok", about: "", remarks: [] },
          settings: { status: "ok", about: "", remarks: [] },
        },
      },
    });
  });

  test("C-7 /health names an agent in error, and GET /agents says why it stopped", async () => {
    const { garden } = await gardenWith();
    const text = contractText("echo", { status: "error", toolz: "[]" });
    await garden.store.create(contractKey("echo"), Buffer.from(text));
    const told = (await (await app(garden).fetch(get("/health"))).json()) as { parts: Record<string, unknown> };
    expect(told.parts["agents"]).toMatchObject({
      status: "degraded",
      remarks: [{ en: "echo is in error and does not run; `bloom agent check echo` says why" }],
    });
    expect(await agentTroubles(garden)).toMatchObject([
      { slug: "echo", why: { en: expect.stringContaining("toolz") as string } },
    ]);
  });

  test("O-8 /health stays 200 without the parts that only runs need, and names the unavailable one", async () => {
    const { garden } = await gardenWith();
    const gone = { en: "no key for claude", uk: "немає ключа для claude" };
    const runs: GatewayRuns = {
      offer: () => Promise.resolve(),
      cancel: () => Promise.resolve(),
      health: () => Promise.resolve({ ok: true, running: 1, waiting: 2 }),
      engine: "embedded",
      parts: {
        models: () => Promise.resolve({ ok: false, about: "claude", remarks: [gone] }),
        reader: () => Promise.reject(new Failure("NLM_UNAVAILABLE", { en: "it is down", uk: "він не працює" })),
      },
      reader: localReader(),
      ports: portsWith(scriptedModel([])),
      messenger: { send: () => Promise.resolve() },
      models: { trouble: () => undefined, test: () => Promise.resolve({ ms: 1, text: "OK" }) },
    };
    const answer = await gatewayApp(garden, { host: "127.0.0.1", allowedHosts: [], runs }).fetch(get("/health"));
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({
      status: 200,
      body: {
        status: "degraded",
        parts: {
          store: { status: "ok" },
          engine: { status: "ok", about: "embedded: running 1, waiting 2" },
          models: { status: "degraded", remarks: [gone] },
          reader: { status: "degraded", remarks: [{ en: "it is down" }] },
        },
      },
    });
  });

  test("a part that answers late is slow and the garden is served; after half a minute without an answer it is degraded", async () => {
    const { garden: made } = await gardenWith();
    let now = Date.parse("2026-02-14T08:00:00Z");
    const answers: (() => void)[] = [];
    const busy = { ...(await made.store.health()) };
    const garden: Garden = {
      ...made,
      world: { ...made.world, now: () => now },
      store: {
        ...made.store,
        list: (...asked) => made.store.list(...asked),
        get: (key) => made.store.get(key),
        health: () => new Promise((resolve) => answers.push(() => resolve(busy))),
      },
    };
    const look = async () => {
      const { status, serving, parts } = await gardenHealth(garden, { runs: undefined, role: "all" }, 200);
      return [status, serving, parts.store.status, parts.store.remarks[0]?.en];
    };
    expect(await look()).toEqual(["slow", true, "slow", "no answer for 0 s"]);
    now += 31_000;
    expect(await look()).toEqual(["degraded", false, "degraded", "no answer for 31 s"]);
    expect(answers.length).toBe(1);
    answers[0]!();
    expect(await look()).toEqual(["ok", true, "ok", undefined]);
  });

  test.each([
    ["without a remote", undefined],
    ["with a remote", { remote: "https://git.example/rose.git", fetch_seconds: 60, timeout_seconds: 60 }],
  ])("git that hangs and then fails is asked once for all requests, and ends no process (%s)", async (_, repo) => {
    const { garden: made } = await gardenWith();
    const failures: (() => void)[] = [];
    const hangs = (): Promise<never> =>
      new Promise((__, reject) => failures.push(() => reject(new Error("git was stopped"))));
    const garden: Garden = {
      ...made,
      config: { ...made.config, ...(repo && { repo }) },
      repo: { ...made.repo, health: hangs },
    };
    const look = async () => (await gardenHealth(garden, { runs: undefined, role: "all" }, 50)).parts.git.status;
    const found = [...(await Promise.all([look(), look(), look()])), await look(), await look()];
    const calls = failures.length;
    for (const fail of failures) fail();
    // Node tells of an unhandled rejection after the microtasks; the test runner counts it as a failure.
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect({ found, calls }).toEqual({ found: Array.from({ length: 5 }, () => "slow"), calls: 1 });
  });

  test("/health is 503 and names the unavailable part", async () => {
    const { garden } = await gardenWith();
    const answer = await app(away(garden)).fetch(get("/health"));
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({
      status: 503,
      body: {
        status: "degraded",
        parts: { store: { status: "ok" }, git: { status: "degraded", remarks: [{ en: "git is away" }] } },
      },
    });
  });
});

describe("A-2 one error body", () => {
  test.each([
    ["an unknown address", get("/nope"), 404, "NOT_FOUND"],
    ["a way out", get("/..%2f..%2fetc/passwd"), 404, "NOT_FOUND"],
    ["a wrong method", get("/health", {}, "DELETE"), 405, "VALIDATION_FAILED"],
    ["a strange Host", get("/", { host: "evil.example" }), 403, "FORBIDDEN"],
    ["a name that resolves here", get("/", { host: "127.0.0.1.nip.io:4440" }), 403, "FORBIDDEN"],
    ["a strange Origin", get("/health", { origin: "https://evil.example" }), 403, "FORBIDDEN"],
    ["an invalid Origin", get("/health", { origin: "null" }), 403, "FORBIDDEN"],
    [
      "an Origin at another port of this machine",
      get("/health", { origin: "http://localhost:3000" }),
      403,
      "FORBIDDEN",
    ],
    [
      "an Origin by another name of this machine",
      get("/health", { origin: "http://127.0.0.1:4440" }),
      403,
      "FORBIDDEN",
    ],
  ])("%s is answered with the error body", async (_, request, status, code) => {
    const { garden } = await gardenWith();
    const answer = await app(garden).fetch(request);
    expect({ status: answer.status, body: await answer.json() }).toEqual({
      status,
      body: {
        error: { code, message: expect.any(String) as string, details: expect.any(Object) as object },
        correlationId: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
      },
    });
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  test("an internal error is answered without its message or a path", async () => {
    const { garden, dir } = await gardenWith();
    const broken = app(garden);
    broken.get("/broken", () => {
      throw new Error(`secret at ${dir}`);
    });
    broken.get("/away", () => {
      throw new Failure("UPSTREAM_UNAVAILABLE", {
        en: `no ${dir}/x`,
        uk: "немає",
        details: { path: `${dir}/x` },
      });
    });
    const texts = await Promise.all(["/broken", "/away"].map(async (path) => (await broken.fetch(get(path))).text()));
    expect(texts.map((text) => [text.includes(dir), text.includes("secret")])).toEqual([
      [false, false],
      [false, false],
    ]);
  });

  test("a valid correlation id of the caller is kept", async () => {
    const { garden } = await gardenWith();
    const ids = await Promise.all(
      ["abc-1", "<script>"].map(async (id) =>
        (await app(garden).fetch(get("/nope", { "x-correlation-id": id }))).headers.get("x-correlation-id"),
      ),
    );
    expect(ids).toEqual(["abc-1", expect.stringMatching(/^[0-9a-f]{16}$/)]);
  });

  test.each([
    ["localhost", []],
    ["127.0.0.1:4440", []],
    ["[::1]:4440", []],
    ["LOCALHOST:1", []],
    ["garden.example:80", ["garden.example"]],
  ])("the gateway answers to Host %s", async (host, allowed) => {
    const { garden } = await gardenWith();
    expect((await app(garden, allowed).fetch(get("/health", { host }))).status).toBe(200);
  });
});

describe("the page at /", () => {
  test.each([
    ["/?lang=uk", {}, "uk"],
    ["/?lang=en", { "accept-language": "uk" }, "en"],
    ["/", { "accept-language": "fr, uk-UA;q=0.8, en;q=0.5" }, "uk"],
    ["/", { "accept-language": "en-GB,en;q=0.9,uk;q=0.1" }, "en"],
    ["/?lang=xx", {}, "en"],
  ])("the page at %s with %j is in %s", async (path, headers, language) => {
    const { garden } = await gardenWith();
    const answer = await app(garden).fetch(get(path, headers));
    expect({
      status: answer.status,
      language: answer.headers.get("content-language"),
      isMarked: (await answer.text()).includes(`<html lang="${language}">`),
    }).toEqual({ status: 200, language, isMarked: true });
  });

  test("the page escapes the garden's name, needs no script and shows the signed-in owner that there is no web app", async () => {
    const { garden, dir } = await gardenWith();
    const named = { ...garden, config: { ...garden.config, name: "A <b>rose</b> & more" } };
    const answer = await app(named).fetch(get("/", await asOwner(garden)));
    const html = await answer.text();
    for (const part of [
      "<h1>A &lt;b&gt;rose&lt;/b&gt; &amp; more</h1>",
      "The garden is running.",
      "This installation has no web app",
    ])
      expect(html).toContain(part);
    for (const part of ["<script", "style=", dir]) expect(html).not.toContain(part);
    expect(answer.headers.get("content-security-policy")).toMatch(/style-src 'sha256-/);
  });

  test.each(["en", "uk"])(
    "the page shows an anonymous visitor how to sign in (%s), and no content",
    async (language) => {
      const { garden, dir } = await gardenWith();
      git(dir, "commit", "-q", "--allow-empty", "-m", "A secret step");
      const html = await (await app(garden).fetch(get(`/?lang=${language}`))).text();
      expect(html).toContain("bloom token link");
      for (const secret of ["A secret step", "Ann", "/sign-out"]) expect(html).not.toContain(secret);
    },
  );

  test("the page is served when git is unavailable, and says that writes are paused", async () => {
    const { garden } = await gardenWith();
    const answer = await app(away(garden)).fetch(get("/"));
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("Part of the garden is down; writes are paused.");
  });
});
