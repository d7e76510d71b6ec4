import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { git } from "../garden/testing/scratch.ts";
import { openApi, operationId } from "./openapi.ts";
import { routes } from "./routes.ts";
import { httpGuide } from "./testing/http-guide.ts";
import { type TestGateway, testGateway } from "./testing/test-gateway.ts";

type Json = Record<string, any>; // oxlint-disable-line no-explicit-any -- answers are looked at, not worked with
const json = async (answer: Promise<Response> | Response): Promise<Json> => (await (await answer).json()) as Json;

const wish = (action: string, payload: object, more: object = {}) => ({ intent: { action, payload, ...more } });
const edit = (text: string) => wish("propose-edit", { path: "notes/a.md", text });

async function submitted({ ask }: TestGateway, body: unknown): Promise<Json> {
  const answer = await ask("token", "POST", "/inbox/submit", { body });
  expect(answer.status).toBe(201);
  return json(answer);
}

test("U-2 the owner gets the nearest name with a missing note, a guest does not", async () => {
  const { ask } = await testGateway();
  const asked = await json(ask("token", "GET", "/notes/notes/aa.md"));
  const guest = await json(ask("guest", "GET", "/notes/notes/aa.md"));
  expect({ owner: asked["error"].details, guest: guest["error"].details["near"] }).toEqual({
    owner: { path: "notes/aa.md", near: "notes/a.md", hint: "Did you mean `notes/a.md`?" },
    guest: undefined,
  });
});

describe("P-3 repeating a request", () => {
  test.each([
    ["by header", { headers: { "x-correlation-id": "mine-1" } }, {}],
    ["by metadata", {}, { metadata: { correlation_id: "mine-1" } }],
  ])("a repetition with %s gets the first answer, also after a person decided", async (_, asked, more) => {
    const { ask } = await testGateway();
    const send = (text: string) =>
      ask("token", "POST", "/inbox/submit", { body: { ...edit(text), ...more }, ...asked });
    const first = await json(send("# A\n\nmore\n"));
    const second = await json(send("# A\n\nmore\n"));
    await ask("token", "PATCH", `/proposals/${first["proposal_id"]}`, {
      body: { verdict: "approve", digest: first["digest"] },
    });
    const third = await json(send("# A\n\nmore\n"));
    const other = await send("# A\n\nsomething else\n");
    expect({ second, third, other: other.status }).toEqual({ second: first, third: first, other: 409 });
  });

  test("a repetition of a refused request gets the same refusal but for the correlation id", async () => {
    const { ask } = await testGateway();
    const body = { ...wish("propose-edit", { path: "notes/none.md", text: "x\n" }), metadata: { correlation_id: "r" } };
    const [first, second] = [
      await json(ask("token", "POST", "/inbox/submit", { body })),
      await json(ask("token", "POST", "/inbox/submit", { body })),
    ];
    expect({ code: first["error"].code, second: second["error"] }).toEqual({
      code: "NOT_FOUND",
      second: first["error"],
    });
  });
});

describe("P-10a a decision", () => {
  test("a decision names the reviewed digest, and is refused when the effect has changed", async () => {
    const ground = await testGateway();
    const { ask } = ground;
    const { proposal_id } = await submitted(ground, edit("# A\n\nmore\n"));
    const { review } = await json(ask("token", "GET", `/proposals/${proposal_id}`));
    const wrong = await ask("token", "PATCH", `/proposals/${proposal_id}`, {
      body: { verdict: "approve", digest: "0".repeat(40) },
    });
    const right = await json(
      ask("token", "PATCH", `/proposals/${proposal_id}`, { body: { verdict: "approve", digest: review.digest } }),
    );
    const again = await ask("token", "PATCH", `/proposals/${proposal_id}`, {
      body: { verdict: "approve", digest: review.digest },
    });
    expect({
      showsPatch: review.files[0].patch.includes("+more"),
      wrong: wrong.status,
      status: right["proposal"].status,
      note: git(ground.dir, "show", "main:notes/a.md"),
      isItsCommit: git(ground.dir, "log", "-1", "--format=%H", "main") === right["proposal"].apply_result.git_commit,
      again: again.status,
    }).toEqual({ showsPatch: true, wrong: 409, status: "applied", note: "# A\n\nmore", isItsCommit: true, again: 409 });
  });

  test("a rejection needs a reason, which the agent reads", async () => {
    const { ask, proposal } = await testGateway();
    const { id, digest } = await proposal();
    const bare = await ask("token", "PATCH", `/proposals/${id}`, { body: { verdict: "reject", digest } });
    await ask("token", "PATCH", `/proposals/${id}`, { body: { verdict: "reject", digest, note: "Too vague" } });
    const seen = await json(ask("agent", "GET", `/proposals/${id}`));
    const list = await json(ask("agent", "GET", "/proposals/history"));
    const others = await json(ask("other", "GET", "/proposals/history"));
    expect({
      bare: bare.status,
      note: seen["proposal"].approval.decision_note,
      hasReview: "review" in seen,
      agentNotes: list["proposals"].map((card: Json) => card["decision_note"]),
      otherProposals: others["proposals"],
    }).toEqual({ bare: 400, note: "Too vague", hasReview: false, agentNotes: ["Too vague"], otherProposals: [] });
  });

  test("an edit creates a new proposal that names the first", async () => {
    const ground = await testGateway();
    const { proposal_id, digest } = await submitted(ground, edit("# A\n\nmore\n"));
    const answer = await json(
      ground.ask("cookie", "PATCH", `/proposals/${proposal_id}`, {
        body: { verdict: "edit", digest, grace_s: 0, payload: { path: "notes/a.md", text: "# A\n\nmine\n" } },
      }),
    );
    expect({
      first: answer["first"].status,
      edits: answer["proposal"].edits,
      status: answer["proposal"].status,
      note: git(ground.dir, "show", "main:notes/a.md"),
    }).toEqual({ first: "rejected", edits: proposal_id, status: "applied", note: "# A\n\nmine" });
  });

  test("a batch decision succeeds or fails one by one", async () => {
    const { ask, proposal } = await testGateway();
    const [one, two] = [await proposal(), await proposal()];
    const { results } = await json(
      ask("token", "POST", "/proposals/batch", {
        body: {
          verdict: "approve",
          proposals: [
            { id: one.id, digest: one.digest },
            { id: two.id, digest: "0".repeat(40) },
          ],
        },
      }),
    );
    expect(results.map((each: Json) => [each["status"], each["proposal"]?.status, each["error"]?.code])).toEqual([
      [200, "applied", undefined],
      [409, undefined, expect.any(String)],
    ]);
  });
});

describe("notes", () => {
  test("notes come page by page, current and at a commit, with history and comments", async () => {
    const ground = await testGateway();
    const { ask, dir } = ground;
    const first = git(dir, "rev-parse", "main");
    const made = await submitted(ground, edit("# A\n\nmore\n"));
    await ask("token", "PATCH", `/proposals/${made["proposal_id"]}`, {
      body: { verdict: "approve", digest: made["digest"] },
    });
    const remark = await submitted(ground, wish("propose-comment", { note: "notes/a.md", text: "Well said", line: 1 }));
    await ask("token", "PATCH", `/proposals/${remark["proposal_id"]}`, {
      body: { verdict: "approve", digest: remark["digest"] },
    });
    const pages = [];
    for (let after = ""; ; ) {
      const page = await json(ask("token", "GET", `/notes?limit=2${after && `&after=${encodeURIComponent(after)}`}`));
      pages.push(page["notes"].map(({ path }: Json) => path));
      if (page["next"] === undefined) break;
      after = page["next"];
    }
    const now = await json(ask("token", "GET", "/notes/notes/a.md"));
    const then = await json(ask("token", "GET", `/notes/notes/a.md?at=${first}`));
    const never = await ask("token", "GET", `/notes/notes/a.md?at=${"0".repeat(40)}`);
    expect({
      pages,
      text: now["text"],
      proposals: now["history"].map(({ proposal }: Json) => proposal),
      comments: now["comments"].map(({ text, line }: Json) => [text, line]),
      former: then["text"],
      never: never.status,
    }).toEqual({
      pages: [["notes/a.md", "notes/cellar/c.md"], ["notes/porch/b.md"]],
      text: "# A\n\nmore\n",
      proposals: [made["proposal_id"], undefined],
      comments: [["Well said", 1]],
      former: "# A\n",
      never: 404,
    });
  });

  test("C-11 an agent reads the notes of its folder", async () => {
    const { ask } = await testGateway();
    const list = await json(ask("other", "GET", "/notes"));
    expect(list["notes"].map(({ path }: Json) => path)).toEqual(["notes/porch/b.md"]);
  });
});

describe("settings", () => {
  test("settings are edits of garden.yaml that keep its comments, committed as the owner", async () => {
    const { ask, dir } = await testGateway();
    const { base, items } = await json(ask("token", "GET", "/settings/zones"));
    const more = { name: "attic", folders: ["notes/attic"] };
    const answer = await json(ask("token", "PUT", "/settings/zones", { body: { base, items: [...items, more] } }));
    const text = readFileSync(join(dir, "garden.yaml"), "utf8");
    const stale = await ask("token", "PUT", "/settings/zones", { body: { base, items } });
    const { records } = await json(ask("token", "GET", "/audit?after=2026-02-14"));
    expect({
      zones: answer["items"].map(({ name }: Json) => name),
      keeps: ["# Kept by hand.", "# the neighbours", "# by the post office", "name: attic"].map((part) =>
        text.includes(part),
      ),
      commit: git(dir, "log", "-1", "--format=%H %s %(trailers:key=Proposal)", "main").trim(),
      uncommitted: git(dir, "status", "--porcelain"),
      stale: stale.status,
      audited: records
        .filter(({ record }: Json) => record.kind === "settings-changed")
        .map(({ record }: Json) => record.subject),
    }).toEqual({
      zones: ["porch", "attic"],
      keeps: [true, true, true, true],
      commit: `${answer["commit"]} garden.yaml: zones`,
      uncommitted: "",
      stale: 409,
      audited: ["zones"],
    });
  });

  test("settings that a person is editing by hand are not overwritten", async () => {
    const { ask, dir } = await testGateway();
    const { base } = await json(ask("token", "GET", "/settings/rules"));
    const path = join(dir, "garden.yaml");
    const mine = `${readFileSync(path, "utf8")}# mine\n`;
    writeFileSync(path, mine);
    const body = { base, items: [{ source: "agent", actions: ["propose-tag"] }] };
    const answer = await ask("token", "PUT", "/settings/rules", { body });
    expect({ status: answer.status, file: readFileSync(path, "utf8") }).toEqual({ status: 409, file: mine });
  });

  test("P-9 no rule approves logic", async () => {
    const { ask } = await testGateway();
    const { base } = await json(ask("token", "GET", "/settings/rules"));
    const body = { base, items: [{ source: "owner", actions: ["logic-update"] }] };
    expect((await ask("token", "PUT", "/settings/rules", { body })).status).toBe(400);
  });

  test("P-9 a rule that was just set approves in the same request", async () => {
    const ground = await testGateway();
    const { base } = await json(ground.ask("token", "GET", "/settings/rules"));
    const body = { base, items: [{ source: "owner", actions: ["propose-edit"] }] };
    const set = await ground.ask("token", "PUT", "/settings/rules", { body });
    const made = await submitted(ground, edit("# A\n\nmore\n"));
    expect({ status: set.status, proposal: made["status"], main: git(ground.dir, "rev-parse", "main") }).toEqual({
      status: 200,
      proposal: "applied",
      main: made["git_commit"],
    });
  });
});

test("P-6 pending proposals are filtered by agent, run and text, and grouped by sender and run", async () => {
  const ground = await testGateway();
  for (let count = 0; count < 5; count++) await ground.proposal();
  const own = await submitted(ground, edit("# A\n\nlime\n"));
  const list = async (query: string): Promise<string[]> =>
    ((await json(ground.ask("token", "GET", `/proposals/pending?${query}`)))["proposals"] as Json[]).map(
      ({ summary }) => summary as string,
    );
  const { groups, whole } = await json(ground.ask("token", "GET", "/proposals/groups"));
  const [found] = (await json(ground.ask("token", "GET", "/proposals/groups?text=lime")))["groups"] as Json[];
  const run = (groups as Json[])[0]!["run_id"] as string;
  expect({
    whole,
    groups: (groups as Json[]).map(({ identity, count, proposals }) => [identity, count, (proposals as Json[]).length]),
    found: [found!["identity"], (found!["proposals"] as Json[])[0]!["preview"]],
    byRun: (await list(`run=${run}`)).length,
    byText: await list("text=THOUGHT 3"),
    byAgent: (await list("agent=gardener")).length,
    own: own["status"],
  }).toEqual({
    whole: true,
    groups: [
      ["archivist", 5, 3],
      ["owner", 1, 1],
    ],
    found: ["owner", { text: "+ lime", more: 0 }],
    byRun: 5,
    byText: ["Thought 3"],
    byAgent: 0,
    own: "pending",
  });
});

describe("A-1 the description of the interface", () => {
  const document = openApi(routes, "en") as Json;

  test("every reference of the OpenAPI document resolves", () => {
    const names = Object.keys(document["components"].schemas);
    const referred = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref!);
    expect(referred.length).toBeGreaterThan(50);
    expect(referred.filter((ref) => !names.includes(ref.replace("#/components/schemas/", "")))).toEqual([]);
  });

  test("the OpenAPI document names every endpoint once, with its parameters and callers", () => {
    const ids = Object.values(document["paths"] as Json).flatMap((path: Json) =>
      Object.values(path).map((operation: Json) => String(operation["operationId"])),
    );
    const parameters = document["paths"]["/proposals/{id}"].patch.parameters;
    expect({
      ids: ids.toSorted(),
      distinct: new Set(ids).size,
      parameters: parameters.map(({ name }: Json) => name),
    }).toEqual({ ids: routes.map(operationId).toSorted(), distinct: routes.length, parameters: ["id"] });
  });

  test("the OpenAPI document is served", async () => {
    const { ask } = await testGateway();
    expect(await json(ask("none", "GET", "/openapi.json"))).toEqual(document);
  });

  test("docs/http.md matches the table of routes", async () => {
    await expect(httpGuide(routes)).toMatchFileSnapshot(join(import.meta.dirname, "../../docs/http.md"));
  });
});
