import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Failure } from "../base/failure.ts";
import { cookieName } from "./authenticate.ts";
import { bodyBudget, bodyBytes } from "./body.ts";
import { START, signedHeaders, testGateway } from "./testing/test-gateway.ts";

const comment = (text: string) => ({
  intent: { action: "propose-comment", payload: { note: "notes/porch/b.md", text } },
});
const codeOf = async (answer: Response): Promise<[number, string]> => [
  answer.status,
  ((await answer.json()) as { error?: { code: string } }).error?.code ?? "",
];

describe("A-2 invalid bodies", () => {
  const deep = `{"intent":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}`;
  const bodies: readonly (readonly [string, string | Uint8Array, string])[] = [
    ["nothing", "", "INVALID_JSON"],
    ["no JSON", "{intent: 1}", "INVALID_JSON"],
    ["half of it", '{"intent": {', "INVALID_JSON"],
    ["no UTF-8", Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), "INVALID_JSON"],
    ["half a surrogate pair in UTF-8", Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), "INVALID_JSON"],
    ["a bottomless nesting", deep, "INVALID_JSON"],
    ["a nesting of lists", "[".repeat(200_000) + "]".repeat(200_000), "INVALID_JSON"],
    ["a million values", `{"intent":[${"1,".repeat(1_000_000)}1]}`, "INVALID_JSON"],
    ["a million lists", `{"intent":[${"[],".repeat(1_000_000)}1]}`, "INVALID_JSON"],
    ["a million fields", `{${Array.from({ length: 1_000_000 }, (_, at) => `"${at}":1`).join(",")}}`, "INVALID_JSON"],
    ["a text of a million commas", JSON.stringify(`\\"${",[{".repeat(400_000)}`), "VALIDATION_FAILED"],
    ["a trap for prototypes", '{"__proto__":{"admin":true},"intent":{}}', "INVALID_JSON"],
    ["a trap further in", '{"intent":{"action":"propose-comment","payload":{"a":{"__proto__":1}}}}', "INVALID_JSON"],
    ["a constructor", '{"constructor":{"prototype":{"admin":true}},"intent":{}}', "VALIDATION_FAILED"],
    ["a list", "[]", "VALIDATION_FAILED"],
    ["null", "null", "VALIDATION_FAILED"],
    ["a number", "1e999", "VALIDATION_FAILED"],
    ["half a surrogate pair by escape", JSON.stringify(comment("\ud800")), "VALIDATION_FAILED"],
  ];
  test("bad bodies are refused with INVALID_JSON or VALIDATION_FAILED", async () => {
    const { ask } = await testGateway();
    const found = [];
    for (const [name, raw] of bodies)
      found.push([name, ...(await codeOf(await ask("token", "POST", "/inbox/submit", { raw })))]);
    expect(found).toEqual(bodies.map(([name, , code]) => [name, 400, code]));
    expect(({} as Record<string, unknown>)["admin"]).toBeUndefined();
  });

  test("all problems of path, query and body are reported at once", async () => {
    const { ask } = await testGateway();
    const answer = await ask("token", "PATCH", "/agents/NoSlug/status?x=1", { body: { status: "asleep", more: 1 } });
    const { error } = (await answer.json()) as { error: { details: { problems: { in: string; field: string }[] } } };
    expect(error.details.problems.map((problem) => `${problem.in} ${problem.field}`)).toEqual([
      "path slug",
      "query ",
      "body status",
      "body ",
    ]);
  });

  test("a body over the limit is refused before it is in memory, with or without Content-Length", async () => {
    const { ask } = await testGateway();
    const large = "x".repeat(1_100_000);
    const told = await ask("token", "POST", "/tokens", { raw: large });
    const lied = await ask("token", "POST", "/tokens", { raw: large, headers: { "content-length": "10" } });
    const stranger = await ask("none", "POST", "/tokens", { raw: large });
    expect({ told: await codeOf(told), lied: await codeOf(lied), stranger: await codeOf(stranger) }).toEqual({
      told: [400, "VALIDATION_FAILED"],
      lied: [400, "VALIDATION_FAILED"],
      stranger: [401, "AUTH_REQUIRED"],
    });
  });

  test("A-3 a note of 5 MB is accepted, one byte more is refused", async () => {
    const { ask } = await testGateway();
    const note = (name: string, bytes: number) => ({
      intent: { action: "propose-note", payload: { path: `notes/${name}.md`, text: "a".repeat(bytes) } },
    });
    const most = 5_000_000;
    const statuses = [];
    for (const body of [note("large", most), note("larger", most + 1)])
      statuses.push((await ask("token", "POST", "/inbox/submit", { body })).status);
    expect(statuses).toEqual([201, 400]);
  });

  test("A-3 guests and webhooks get room only for what they may propose", async () => {
    const { ask, dir } = await testGateway();
    const size = async (who: "guest" | "webhook" | "token"): Promise<unknown> => {
      const answer = await ask(who, "POST", "/inbox/submit", { raw: " ".repeat(1_100_000) });
      const { error } = (await answer.json()) as { error: { code: string; details: { limit?: number } } };
      return error.details.limit ?? error.code;
    };
    const before = [await size("guest"), await size("webhook"), await size("token")];
    const path = join(dir, "garden.yaml");
    writeFileSync(path, readFileSync(path, "utf8").replaceAll("[propose-comment]", "[propose-note]"));
    expect({ before, after: [await size("guest"), await size("webhook")] }).toEqual({
      before: [1_000_000, 1_000_000, "INVALID_JSON"],
      after: ["INVALID_JSON", "INVALID_JSON"],
    });
  });

  test("A-3 bodies of one kind of caller share a budget; one alone always fits", async () => {
    const budget = bodyBudget(100);
    const read = (bytes: number, taken: { bytes: number }): Promise<number | string> =>
      bodyBytes(new Request("http://localhost/", { method: "POST", body: "x".repeat(bytes) }), 200, budget, taken).then(
        ({ length }) => length,
        (error: Failure) => error.code,
      );
    const [one, other] = [{ bytes: 0 }, { bytes: 0 }];
    const first = [await read(150, one), await read(1, other)];
    budget.release(one.bytes);
    budget.release(other.bytes);
    expect([...first, await read(90, { bytes: 0 })]).toEqual([150, "RATE_LIMITED", 90]);
  });

  test("randomly changed valid bodies never cause an internal error", async () => {
    const { ask, garden, dir, proposal } = await testGateway();
    const { id, digest } = await proposal();
    const { base } = (await (await ask("token", "GET", "/settings/rules")).json()) as { base: string };
    const good: readonly (readonly [string, string, unknown])[] = [
      ["POST", "/inbox/submit", { ...comment("x"), metadata: { correlation_id: "a", priority: "high", ttl_hours: 2 } }],
      ["PATCH", `/proposals/${id}`, { verdict: "edit", digest, payload: { note: "notes/a.md", text: "y" }, note: "n" }],
      ["POST", "/proposals/batch", { verdict: "approve", proposals: [{ id, digest }], note: "n" }],
      [
        "POST",
        "/logic/archivist/propose",
        { currentVersion: "v001", proposedPseudo: "x", rationale: { problem: "p" } },
      ],
      ["POST", "/agents/run", { slug: "archivist", input: { a: [1] } }],
      ["PATCH", "/agents/sleeper/status", { status: "archived", reason: "r" }],
      ["PUT", "/settings/rules", { base, items: [{ source: "agent", actions: ["propose-tag"], folder: "notes/a" }] }],
      [
        "PUT",
        "/settings/zones",
        { base, items: [{ name: "a", folders: ["notes"], actions: [], expires: "2027-01-01" }] },
      ],
      ["PUT", "/settings/webhooks", { base, items: [{ name: "a", secret_env: "A_B", actions: ["propose-note"] }] }],
      ["POST", "/tokens", { kind: "guest", zone: "porch", days: 3 }],
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...good),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        async (of, changes) => {
          const [method, path, body] = of;
          const bad = changes.reduce<unknown>((value, one) => one(value), structuredClone(body));
          if (JSON.stringify(bad) === JSON.stringify(body)) return;
          const answer = await ask("token", method, path, { raw: JSON.stringify(bad) ?? "" });
          const text = await answer.text();
          const known = answer.status === 503 ? text.includes('"part":"orchestrator"') : answer.status < 500;
          expect({
            method,
            path,
            bad,
            status: answer.status,
            known,
            namesFolder: text.includes(dir),
            hasStack: /\bat .*\.ts:/.test(text),
          }).toEqual({ method, path, bad, status: answer.status, known: true, namesFolder: false, hasStack: false });
        },
      ),
      { numRuns: 300, seed: 20260214 },
    );
    expect({
      status: (await ask("token", "GET", "/settings/rules")).status,
      ok: (await garden.store.health()).ok,
    }).toEqual({ status: 200, ok: true });
  });
});

/** One change of a JSON value at a random place. */
const change = fc
  .tuple(
    fc.array(fc.nat(20), { maxLength: 4 }),
    fc.oneof(
      fc.jsonValue(),
      fc.constantFrom("", "../../etc/passwd", "\0", "a".repeat(3000), -1, 1e300, {}, [], null, "prop_x", "constructor"),
    ),
    fc.constantFrom("set", "drop", "add"),
    fc.string(),
  )
  .map(([steps, value, how, name]) => (root: unknown): unknown => {
    let at = root;
    for (const step of steps) {
      const members = typeof at === "object" && at !== null ? Object.values(at) : [];
      const next: unknown = members.length > 0 ? members[step % members.length] : undefined;
      if (typeof next !== "object" || next === null) break;
      at = next;
    }
    if (typeof at !== "object" || at === null) return value;
    const keys = Object.keys(at);
    const key = keys[(steps[0] ?? 0) % Math.max(1, keys.length)] ?? name;
    const record = at as Record<string, unknown>;
    if (how === "drop") delete record[key];
    else
      Object.defineProperty(record, how === "add" ? name : key, {
        value,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    return root;
  });

describe("A-3 foreign pages", () => {
  const pages: readonly (readonly [string, Record<string, string>, number])[] = [
    ["a page of ours", { origin: "http://localhost:4440", "sec-fetch-site": "same-origin" }, 201],
    ["a script that says so", { origin: "", "x-requested-with": "fetch" }, 201],
    ["a request of unknown origin", { origin: "" }, 403],
    ["a page at another port", { origin: "http://localhost:3000" }, 403],
    ["a page at another port that hides its origin", { origin: "", "sec-fetch-site": "same-site" }, 403],
    [
      "a page at another port with a header",
      { origin: "", "sec-fetch-site": "same-site", "x-requested-with": "x" },
      403,
    ],
    ["a page over another protocol", { origin: "file://localhost:4440" }, 403],
    ["a sandboxed page", { origin: "null" }, 403],
  ];
  test("foreign pages cannot write with the owner's cookie", async () => {
    const { ask } = await testGateway();
    const found = [];
    for (const [name, { origin, ...more }] of pages) {
      const headers = { ...more, origin: origin === "" ? undefined : origin };
      found.push([name, (await ask("cookie", "POST", "/inbox/submit", { body: comment(name), headers })).status]);
    }
    expect(found).toEqual(pages.map(([name, , status]) => [name, status]));
  });

  test("reading, and writing with a token, need no Origin", async () => {
    const { ask } = await testGateway();
    const none = { headers: { origin: undefined } };
    expect({
      cookie: (await ask("cookie", "GET", "/me", none)).status,
      token: (await ask("token", "POST", "/inbox/submit", { body: comment("x") })).status,
    }).toEqual({ cookie: 200, token: 201 });
  });

  test("a session is refused as a bearer token, and a script's token as a session", async () => {
    const { ask, garden, token } = await testGateway();
    const session = await token({ kind: "session" });
    const script = await token({ kind: "owner", name: "x" });
    const cookie = `${await cookieName(garden, { headers: new Headers({ host: "localhost:4440" }) }, "owner")}=${script}`;
    expect({
      bearer: (await ask("none", "GET", "/me", { headers: { authorization: `Bearer ${session}` } })).status,
      cookie: (await ask("none", "GET", "/me", { headers: { cookie } })).status,
    }).toEqual({ bearer: 401, cookie: 401 });
  });

  test("an invalid credential is refused also beside a valid one", async () => {
    const { ask } = await testGateway();
    const statuses = [];
    for (const headers of [{ authorization: "Bearer x" }, { authorization: "Basic x" }, { "x-bloom-webhook": "mail" }])
      statuses.push((await ask("cookie", "GET", "/me", { headers })).status);
    expect(statuses).toEqual([401, 401, 403]);
  });
});

describe("A-3 webhooks", () => {
  test("a replayed webhook request is refused", async () => {
    const { ask } = await testGateway();
    const body = comment("From the post office");
    const headers = signedHeaders(Buffer.from(JSON.stringify(body)));
    const first = await ask("none", "POST", "/inbox/submit", { body, headers });
    const again = await ask("none", "POST", "/inbox/submit", { body, headers });
    expect({ first: first.status, again: await codeOf(again) }).toEqual({ first: 201, again: [403, "FORBIDDEN"] });
  });

  test("a webhook that retries with a new signature and the same correlation id gets the first answer", async () => {
    const { ask, at } = await testGateway();
    const body = { ...comment("From the post office"), metadata: { correlation_id: "letter-1" } };
    const send = async (): Promise<unknown> =>
      (
        await ask("none", "POST", "/inbox/submit", { body, headers: signedHeaders(Buffer.from(JSON.stringify(body))) })
      ).json();
    const first = await send();
    at(START + 2000);
    expect(await send()).toEqual(first);
  });

  test("a webhook with another body, an old time or a forbidden action is refused", async () => {
    const { ask } = await testGateway();
    const note = { intent: { action: "propose-note", payload: { path: "notes/x.md", text: "x" } } };
    const signed = (body: unknown): Record<string, string> => signedHeaders(Buffer.from(JSON.stringify(body)));
    const sent: readonly (readonly [unknown, Record<string, string>])[] = [
      [comment("Another"), signed(comment("x"))],
      [comment("x"), { ...signed(comment("x")), "x-bloom-timestamp": String(START / 1000 - 301) }],
      [comment("x"), signedHeaders(Buffer.from(JSON.stringify(comment("x"))), String(START / 1000 - 301))],
      [note, signed(note)],
    ];
    const found = [];
    for (const [body, headers] of sent)
      found.push(await codeOf(await ask("none", "POST", "/inbox/submit", { body, headers })));
    expect(found).toEqual([
      [401, "AUTH_REQUIRED"],
      [401, "AUTH_REQUIRED"],
      [401, "TOKEN_EXPIRED"],
      [403, "FORBIDDEN"],
    ]);
  });
});

describe("A-3 notes behind a zone", () => {
  const ways = [
    "/notes/notes/porch/../cellar/c.md",
    "/notes/notes/porch/%2e%2e/cellar/c.md",
    "/notes/notes/porch%2f..%2fcellar/c.md",
    "/notes/notes/porch/..%2fcellar%2fc.md",
    "/notes/notes/porch/%2e%2e%2fcellar/c.md",
    "/notes/notes/porch%5c..%5ccellar/c.md",
    "/notes/notes//cellar/c.md",
    "/notes/notes/porch/b.md%00/../../cellar/c.md",
    "/notes/..%2f..%2f..%2f..%2fetc/passwd",
    "/notes/%2fetc%2fpasswd",
    "/notes/.git/config",
    "/notes/.bloom/keys/signing-key",
    "/notes/garden.yaml",
    "/notes/notes/porch",
    "/notes/notes/porch/",
    "/notes/notes/porchx/b.md",
    "/notes/%ff%fe",
    "/notes/%zz",
    "/notes/logic/archivist/current.pseudo.md",
  ];
  test("no path leads a guest out of the zone", async () => {
    const { ask } = await testGateway();
    const through: string[] = [];
    for (const path of ways) {
      const answer = await ask("guest", "GET", path);
      if (![400, 404].includes(answer.status) || (await answer.text()).includes("secret")) through.push(path);
    }
    expect(through).toEqual([]);
  });

  test("a guest sees the zone, but neither its history nor other folders", async () => {
    const { ask, garden } = await testGateway();
    const head = await garden.repo.resolve("refs/heads/main");
    const list = (await (await ask("guest", "GET", "/notes")).json()) as { notes: { path: string }[] };
    const note = (await (await ask("guest", "GET", "/notes/notes/porch/b.md")).json()) as Record<string, unknown>;
    const past = await ask("guest", "GET", `/notes/notes/porch/b.md?at=${head}`);
    expect({
      notes: list.notes.map(({ path }) => path),
      fields: Object.keys(note).toSorted(),
      history: past.status,
    }).toEqual({
      notes: ["notes/porch/b.md"],
      fields: ["bytes", "comments", "commit", "oid", "path", "properties", "tags", "text"],
      history: 404,
    });
  });

  test("access that the owner removes is refused at the next request", async () => {
    const { ask, dir } = await testGateway();
    const before = (await ask("guest", "GET", "/notes")).status;
    const path = join(dir, "garden.yaml");
    writeFileSync(path, readFileSync(path, "utf8").replace("name: porch", "name: balcony"));
    expect({ before, after: (await ask("guest", "GET", "/notes")).status }).toEqual({ before: 200, after: 401 });
  });
});
