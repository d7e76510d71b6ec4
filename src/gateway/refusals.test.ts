import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Failure } from "../base/failure.ts";
import { makeSignInCode } from "../garden/agents/access/sign-in.ts";
import type { TokenWish } from "../garden/agents/access/tokens.ts";
import type { Garden } from "../garden/core/garden.ts";
import { proposeThought, START, testGateway } from "./testing/test-gateway.ts";

const comment = (text: string) => ({
  intent: { action: "propose-comment", payload: { note: "notes/porch/b.md", text } },
});

describe("A-1 methods", () => {
  const methods: readonly (readonly [string, string, number, string])[] = [
    ["DELETE", "/notes", 405, "OPTIONS, GET, HEAD"],
    ["POST", "/proposals/pending", 405, "OPTIONS, GET, HEAD"],
    ["PUT", "/agents/archivist/status", 405, "OPTIONS, GET, HEAD, PATCH"],
    ["OPTIONS", "/inbox/submit", 204, "OPTIONS, POST"],
  ];
  test("a method that an address does not have is answered with 405 and the allowed ones", async () => {
    const { ask } = await testGateway();
    const found = [];
    for (const [method, path] of methods) {
      const { status, headers } = await ask("token", method, path);
      found.push([method, path, status, headers.get("allow")]);
    }
    expect(found).toEqual(methods);
  });

  test("HEAD answers like GET without a body, and consumes no sign-in code", async () => {
    const { ask, garden } = await testGateway();
    const { code } = await makeSignInCode(garden);
    const looked = await ask("none", "HEAD", `/sign-in?code=${code}`);
    const used = await ask("none", "GET", `/sign-in?code=${code}`);
    const notes = await ask("token", "HEAD", "/notes");
    const events = await ask("token", "HEAD", "/events");
    expect({
      looked: [looked.status, looked.headers.get("set-cookie")],
      used: [used.status, used.headers.get("set-cookie") !== null],
      notes: [notes.status, await notes.text()],
      events: [events.status, events.headers.get("content-type"), await events.text()],
    }).toEqual({
      looked: [200, null],
      used: [200, true],
      notes: [200, ""],
      events: [200, "text/event-stream; charset=UTF-8", ""],
    });
  });
});

describe("A-6 an unavailable part", () => {
  const away = (): Promise<never> =>
    Promise.reject(new Failure("UPSTREAM_UNAVAILABLE", { en: "the disk is full", uk: "диск заповнено" }));
  test.each<[string, (garden: Garden) => Garden, string, string]>([
    ["store", (garden) => ({ ...garden, store: { ...garden.store, list: away } }), "GET", "/audit"],
    ["git", (garden) => ({ ...garden, repo: { ...garden.repo, resolve: away } }), "GET", "/notes"],
    ["git", (garden) => ({ ...garden, repo: { ...garden.repo, resolve: away } }), "POST", "/inbox/submit"],
    ["store", (garden) => ({ ...garden, store: { ...garden.store, put: away } }), "POST", "/inbox/submit"],
  ])("%s is named in the 503 error (%#)", async (part, change_, method, path) => {
    const { ask } = await testGateway(change_);
    const answer = await ask("token", method, path, method === "POST" ? { body: comment("x") } : {});
    expect({ status: answer.status, body: await answer.json() }).toMatchObject({
      status: 503,
      body: { error: { code: "UPSTREAM_UNAVAILABLE", details: { part } } },
    });
  });

  test("G-7 an invalid garden.yaml leaves the settings from before in force, and /health names its line", async () => {
    const { ask, dir } = await testGateway();
    writeFileSync(join(dir, "garden.yaml"), "limits: [");
    const write = await ask("token", "POST", "/inbox/submit", { body: comment("x") });
    const health = (await (await ask("token", "GET", "/health")).json()) as { parts: { settings: unknown } };
    expect({ write: write.status, settings: health.parts.settings }).toMatchObject({
      write: 201,
      settings: {
        status: "degraded",
        remarks: [
          { en: expect.stringMatching(/^garden\.yaml:1/) as string },
          { en: "Until the file is corrected, the settings from before stay in force." },
        ],
      },
    });
  });
});

test("A-3 a caller over the rate limit gets 429 with Retry-After", async () => {
  const { ask, dir, at } = await testGateway();
  const path = join(dir, "garden.yaml");
  writeFileSync(path, readFileSync(path, "utf8").replace("guest_per_minute: 100000", "guest_per_minute: 2"));
  const statuses = [];
  let last: Response | undefined;
  for (const text of ["a", "b", "c"]) {
    last = await ask("guest", "POST", "/inbox/submit", { body: comment(text) });
    statuses.push(last.status);
  }
  const wait = Number(last!.headers.get("retry-after"));
  at(START + wait * 1000);
  statuses.push((await ask("guest", "POST", "/inbox/submit", { body: comment("c") })).status);
  expect({ statuses, wait }).toEqual({ statuses: [201, 201, 429, 201], wait: 30 });
});

test("A-3 decisions count against the owner's limit too", async () => {
  const { ask, dir, garden } = await testGateway();
  const path = join(dir, "garden.yaml");
  const { id, digest } = await proposeThought(garden);
  writeFileSync(path, readFileSync(path, "utf8").replace("owner_per_minute: 100000", "owner_per_minute: 1"));
  const body = { verdict: "reject", digest, note: "no" };
  const answers = [
    await ask("token", "PATCH", `/proposals/${id}`, { body }),
    await ask("token", "PATCH", `/proposals/${id}`, { body }),
  ];
  expect(answers.map(({ status, headers }) => [status, headers.has("retry-after")])).toContainEqual([429, true]);
});

describe("A-2 a failure in a browser", () => {
  const accept = "text/html,application/xhtml+xml,*/*;q=0.8";
  const addresses: readonly (readonly [string, string, number, readonly string[]])[] = [
    ["a used link", "/sign-in?code=USED", 401, ["This sign-in link was already used", "<code>bloom token link</code>"]],
    ["an expired link", "/sign-in?code=OLD", 401, ["This sign-in link has expired"]],
    ["an unknown link", "/sign-in?code=0123456789abcdef", 401, ["This sign-in link is not valid"]],
    ["a used link in Ukrainian", "/sign-in?code=USED&lang=uk", 401, ["Це посилання для входу вже використано"]],
    ["a link without its code", "/sign-in", 400, ["<h1>"]],
    ["a missing address", "/no-such-page", 404, ["There is no endpoint at this address"]],
  ];
  test("a browser gets a page with what to do, a program JSON", async () => {
    const { ask, garden, at } = await testGateway();
    const old = await makeSignInCode(garden);
    at(START + 599_000);
    const used = await makeSignInCode(garden);
    await ask("none", "GET", `/sign-in?code=${used.code}`);
    at(START + 601_000);
    const found = [];
    for (const [name, path, , texts] of addresses) {
      const address = path.replace("USED", used.code).replace("OLD", old.code);
      const page = await ask("none", "GET", address, { headers: { accept } });
      const shown = await page.text();
      const told = await ask("none", "GET", address);
      const types = [page, told].map(({ headers }) => headers.get("content-type")?.split(";")[0]);
      expect({ name, types, statuses: [page.status, told.status] }).toMatchObject({
        types: ["text/html", "application/json"],
      });
      expect(page.headers.get("content-security-policy")).toContain("style-src 'sha256-");
      found.push([name, path, page.status, texts.filter((text) => shown.includes(text))]);
    }
    expect(found).toEqual(addresses);
  });
});

test("A-3 sign-in attempts are rate limited", async () => {
  const { ask } = await testGateway();
  const statuses = new Set<number>();
  for (let i = 0; i < 12; i++) statuses.add((await ask("none", "GET", `/sign-in?code=guess-number-${i}`)).status);
  expect([...statuses]).toEqual([401, 429]);
});

describe("A-3 signing in", () => {
  test("guessing codes is rate limited and does not lock the owner out", async () => {
    const { ask, garden } = await testGateway();
    const { code } = await makeSignInCode(garden);
    const tried = [];
    for (let count = 0; count < 12; count++)
      tried.push((await ask("none", "GET", `/sign-in?code=${"x".repeat(32)}`)).status);
    const owner = await ask("none", "GET", `/sign-in?code=${code}`);
    const again = await ask("none", "GET", `/sign-in?code=${code}`);
    expect({ guesses: tried.slice(0, 10), limited: tried.slice(10), owner: owner.status, again: again.status }).toEqual(
      { guesses: Array.from({ length: 10 }, () => 401), limited: [429, 429], owner: 200, again: 429 },
    );
  });

  const tokens: readonly (readonly [TokenWish, number])[] = [
    [{ kind: "guest", zone: "porch" }, 200],
    [{ kind: "owner", name: "script" }, 401],
    [{ kind: "session" }, 401],
    [{ kind: "agent", slug: "archivist", run: "run_2026-02-14_080000_zzzzzz" }, 401],
  ];
  test.each(tokens)("only a guest's code of all tokens becomes a cookie: $kind", async (wish, status) => {
    const { ask, token, inRun } = await testGateway();
    if (wish.kind === "agent") await inRun(wish.slug, wish.run);
    const answer = await ask("none", "GET", `/sign-in?code=${await token(wish)}`);
    expect({ status: answer.status, hasCookie: answer.headers.get("set-cookie") !== null }).toEqual({
      status,
      hasCookie: status === 200,
    });
  });
});
