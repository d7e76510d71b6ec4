import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { languages } from "../../base/text.ts";
import type { Action } from "../proposal/action.ts";
import { problemText } from "../text/checked-yaml.ts";
import { type ContractReading, MAX_CONTRACT_BYTES, readContract } from "./contract.ts";
import { contractFile, contractHash, frontFields, frontValue, withFrontValues } from "./contract-file.ts";
import { mayPropose, missingAbility } from "./contract-rules.ts";

const fields: Readonly<Record<string, string>> = {
  name: '"Архіваріус"',
  slug: "archivist",
  version: '"1.2.0"',
  description: "x",
  model: "bloom/follower",
  tools: "[read-notes, create-proposal]",
  safe_outputs: "[propose-summary]",
  created_at: "2026-02-01T10:00:00Z",
  updated_at: '"2026-02-14T12:00:00+02:00"',
  created_by: "owner",
  status: "draft",
};

/** A good contract with some lines changed, added (new fields) or left out (undefined). */
function contractWith(over: Readonly<Record<string, string | undefined>> = {}): string {
  const all = Object.entries({ ...fields, ...over }).filter(([, value]) => value !== undefined);
  return `---\n${all.map(([field, value]) => `${field}: ${value}`).join("\n")}\n---\nbody\n`;
}

const read = (text: string): ContractReading => readContract(Buffer.from(text));
const problemsIn = (text: string): string[] => {
  const reading = read(text);
  return reading.kind === "contract" ? [] : reading.problems.map((problem) => problemText("f", problem).en);
};

describe("C-2 the contract", () => {
  test("a minimal contract has the defaults of source 001 §2.4", () => {
    expect(read(contractWith())).toMatchObject({
      kind: "contract",
      body: "body\n",
      contract: {
        name: "Архіваріус",
        temperature: 0.3,
        max_steps: 5,
        triggers: { manual: true, cron: null, events: null },
        context: { max_sources: 10 },
        execution: "prompt",
        mcp: [],
        reads_memory_of: [],
      },
    });
  });

  test("the example of source 001 §2.2 is a valid contract, with its comments", () => {
    const source = readFileSync(join(import.meta.dirname, "testing/source-001-2.2.yaml"), "utf8");
    expect(read(`${source}\nbody`)).toMatchObject({
      kind: "contract",
      contract: {
        slug: "agent-slug",
        tools: expect.arrayContaining(["notebooklm-query", "search-notes"]) as string[],
        triggers: { manual: true, cron: "0 8 * * 1", events: ["note/created", "comment/approved"] },
        context: { folder: "violin.pp.ua", max_sources: 10, notebook_id: "nb_abc123" },
        generated_from: "main-flow.drakon.json",
        status: "active",
      },
    });
  });

  test.each<[string, Record<string, string>]>([
    [
      "the fields that this system adds",
      {
        execution: "flow",
        budget: "{tokens: 1000, calls: 10}",
        timeouts: "{step_s: 10, run_s: 60}",
        timezone: "Europe/Kyiv",
        mcp: "[{name: files, url: https://x.example/mcp, tools: [list_files]}]",
        network: "{allow: ['*.example.com', 'localhost:11434']}",
        reads_memory_of: "[echo]",
        logic_version: "v007",
      },
    ],
    ["free fields", { "x-anything": "{a: [1, {b: c}]}", "x-": "1" }],
    ["null for no schedule and no events", { triggers: "{manual: false, cron: null, events: null}" }],
    ["a body that says it was changed by hand", { generated_from: '"main.drakon.json # modified manually"' }],
    ["a day for a time", { created_at: "2026-02-14" }],
    ["a draft without tools", { tools: "[]", safe_outputs: "[]" }],
    ["an archived agent without tools", { tools: "[]", status: "archived" }],
    ["values by alias", { name: "&n Echo", description: "*n" }],
  ])("a contract may have %s", (_, over) => expect(problemsIn(contractWith(over))).toEqual([]));

  test.each<[field: string, good: string, bad: string]>([
    ["execution", "flow", "both"],
    ["workspace", "session", "branch"],
    ["budget", "{tokens: 1000, calls: 10, proposals: 3}", "{tokens: -1}"],
    ["timeouts", "{step_s: 10, run_s: 60}", "{step_s: soon}"],
    ["sub_agents", "{most: 3, depth: 1}", "{most: 0}"],
    ["timezone", "Europe/Kyiv", "Kyiv"],
    ["mcp", "[{name: files, url: https://x.example/mcp, tools: [list_files]}]", "[{name: files}]"],
    ["network", "{allow: ['*.example.com']}", "{allow: everything}"],
    ["reads_memory_of", "[echo]", "echo"],
    ["logic_version", "v007", "seven"],
  ])("C-2a the added field %s is optional, and its value is checked", (field, good, bad) => {
    expect(problemsIn(contractWith({ [field]: undefined }))).toEqual([]);
    expect(problemsIn(contractWith({ [field]: good }))).toEqual([]);
    const problems = problemsIn(contractWith({ [field]: bad }));
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.every((problem) => problem.includes(field))).toBe(true);
  });

  test("a contract may have Windows line ends and a byte order mark", () => {
    expect(read(`\ufeff${contractWith().replaceAll("\n", "\r\n")}`)).toMatchObject({
      kind: "contract",
      body: "body\r\n",
    });
  });
});

describe("C-3 all problems are reported at once, with line, field, found and expected value", () => {
  const table: [string, string][] = [
    [
      "a file of mistakes",
      contractWith({
        name: undefined,
        nmae: "x",
        slug: "A",
        version: "1.10",
        description: "''",
        model: "a b",
        temperature: "1.5",
        max_steps: "21",
        tools: "[read-nots, create-proposal, create-proposal]",
        safe_outputs: "[propose-edits]",
        triggers: '{cron: "0 25 * * *", evnts: []}',
        context: "{folder: ../x, max_sources: 0}",
        created_at: "2026-02-30T00:00:00Z",
        updated_at: "2026-02-14T12:00:00",
        created_by: "7",
        generated_from: "x.drakon.json # modified manually",
        status: "activ",
        execution: "flo",
        logic_version: "7",
        mcp: "[{name: x, url: ftp://x, tools: [read-notes]}]",
      }),
    ],
    ["a field twice", contractWith().replace("slug:", "name: b\nslug:")],
    ["a field twice beside other mistakes", contractWith({ tols: "[]", name: "a\nname: 7", status: "Active" })],
    ["a diagram in another folder", contractWith({ generated_from: "../main.drakon.json" })],
    ["a diagram whose name no store can hold", contractWith({ generated_from: '"..drakon.json # modified manually"' })],
    ["no front matter", "# prose\n"],
    ["front matter without an end", "---\nname: x\n"],
    ["front matter that is no group", "---\n- a\n- b\n---\n"],
    ["empty front matter", "---\n---\n"],
    ["no YAML", contractWith({ name: '"x' })],
    ["a tab", contractWith({ triggers: "\n\tmanual: true" })],
    ["an active one that can propose nothing", contractWith({ status: "active", tools: "[read-notes]" })],
    ["an active one without tools", contractWith({ status: "active", tools: "[]" })],
    ["tools of a branch without one", contractWith({ tools: "[write-note, delete-note]" })],
    [
      "an active one on a branch that cannot propose it",
      contractWith({ status: "active", workspace: "session", tools: "[write-note, create-proposal]" }),
    ],
    [
      "a paused one whose tool serves none of its outputs",
      contractWith({ status: "paused", tools: "[create-proposal]", safe_outputs: "[logic-update]" }),
    ],
    ["numbers and words that are no text", contractWith({ name: "2024", description: "true", slug: "012" })],
    ["the owner's name", contractWith({ slug: "owner" })],
    ["a schedule of six fields", contractWith({ triggers: '{cron: "0 0 8 * * 1"}' })],
    ["a schedule that never runs", contractWith({ triggers: '{cron: "0 0 30 2 *"}' })],
    ["an event without a subject", contractWith({ triggers: "{events: [created]}" })],
    ["a key that is a list", contractWith().replace("status:", "? [a, b]\n: c\nstatus:")],
    ["a name of the language", contractWith({ __proto__x: "1" }).replace("__proto__x", "__proto__")],
  ];

  test.each(languages)("golden, in %s", async (language) => {
    const told = table.map(([name, text]) => {
      const reading = read(text);
      const lines =
        reading.kind === "contract" ? ["fine"] : reading.problems.map((one) => problemText("_agent.md", one)[language]);
      return `## ${name}\n\n${lines.map((line) => `- ${line}`).join("\n")}\n`;
    });
    await expect(told.join("\n")).toMatchFileSnapshot(
      join(import.meta.dirname, `../../../test/golden/contract/problems.${language}.md`),
    );
  });

  const taken = ["owner", "webhook", "guest", "gateway", "unknown", "nobody", "list", "run"];
  test.each(taken)("C-2 the reserved name %s is refused", (slug) => {
    const reading = read(contractWith({ slug }));
    expect(reading.kind === "problems" && reading.problems.map(({ field }) => field)).toEqual(["slug"]);
  });

  test("line numbers are those of the file, also with Windows line ends and a byte order mark", () => {
    const text = contractWith({ max_steps: "0" });
    const line = text.split("\n").findIndex((each) => each.startsWith("max_steps")) + 1;
    const lines = [text, `\ufeff${text.replaceAll("\n", "\r\n")}`].map((each) => {
      const reading = read(each);
      return reading.kind === "problems" ? reading.problems.map((problem) => problem.line) : [];
    });
    expect(lines).toEqual([[line], [line]]);
  });

  test.each<[string, Uint8Array]>([
    ["bytes that are not UTF-8", Buffer.from([45, 45, 45, 10, 0xff, 0xfe])],
    ["a file that is too large", new Uint8Array(MAX_CONTRACT_BYTES + 1)],
    ["front matter that is too large", Buffer.from(`---\nx-a: ${"a".repeat(40_000)}\n---\n`)],
    ["20,000 open brackets", Buffer.from(`---\nx: ${"[".repeat(20_000)}\n---\n`)],
    ["lists in lists", Buffer.from(`---\n${"- ".repeat(15_000)}\n---\n`)],
    [
      "an alias bomb",
      Buffer.from(
        `---\na0: &a0 [x, x]\n${Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`).join("\n")}\n---\n`,
      ),
    ],
    ["an alias of itself", Buffer.from("---\na: &a [*a]\n---\n")],
  ])("the reader reports %s without a crash, in both languages", (_, bytes) => {
    const reading = readContract(bytes);
    const problems = reading.kind === "problems" ? reading.problems : [];
    expect({
      hasProblems: problems.length > 0,
      isTranslated: problems.every(({ found, expected }) => /\p{Script=Cyrillic}/u.test(found.uk + expected.uk)),
    }).toEqual({ hasProblems: true, isTranslated: true });
  });

  test("the reader never throws, for any bytes", () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom(...Object.entries(fields).map(([field, value]) => `${field}: ${value}`)),
    );
    fc.assert(
      fc.property(fc.array(line), fc.uint8Array(), (lines, noise) => {
        readContract(Buffer.from(`---\n${lines.join("\n")}\n---\n`));
        readContract(noise);
      }),
      { seed: 7, numRuns: 200 },
    );
  });
});

describe("C-5 safe outputs", () => {
  test.each<[string[], string[], boolean]>([
    [["create-proposal"], ["propose-tag"], true],
    [["create-proposal"], ["propose-merge"], true],
    [["create-proposal"], ["memory-update"], false],
    [["write-memory"], ["memory-update"], true],
    [["propose-memory-update"], ["memory-update"], true],
    [["propose-logic-update"], ["logic-update"], true],
    [["propose-logic-update"], ["propose-tag"], false],
    [["read-notes"], ["propose-tag"], false],
    [["read-notes", "create-proposal"], ["logic-update", "propose-note"], true],
  ])("tools %s can produce %s: %s", (tools, safe_outputs, can) =>
    expect(missingAbility({ tools, safe_outputs }) === undefined).toBe(can),
  );

  test.each<[Action, unknown, boolean]>([
    ["propose-tag", {}, true],
    ["propose-edit", {}, false],
    ["logic-update", {}, false],
    ["memory-update", { operations: [{ op: "observe", text: "x" }] }, true],
    ["memory-update", { operations: [{ op: "observe" }, { op: "replace" }] }, false],
    ["memory-update", { operations: [] }, false],
    ["memory-update", { operations: [null] }, false],
    ["memory-update", null, false],
  ])("an agent with write-memory may ask for %s with %j: %s", (action, payload, may) => {
    const contract = { tools: ["write-memory", "create-proposal"], safe_outputs: ["propose-tag"] };
    expect(mayPropose(contract, action, payload)).toBe(may);
  });
});

describe("C-2, C-7 a rewrite changes only its own lines", () => {
  /** Front matter as people write it: comments, blank lines, quotes, orders, line ends. */
  const value = (field: string, plain: string) => {
    const quotes = fc.constantFrom(
      (text: string) => text,
      JSON.stringify,
      (text: string) => `'${text}'`,
    );
    const tail = fc.constantFrom("", " ", "   # чому так", "\t# why");
    const gap = fc.constantFrom(
      "",
      "# a comment: with a colon\n",
      "\n",
      "x-note: |\n  status: active\n  # no comment\n",
    );
    return fc
      .tuple(quotes, tail, gap)
      .map(([quote, after, before]) => ({ field, before, line: `${field}: ${quote(plain)}${after}` }));
  };
  const file = fc
    .tuple(
      fc.tuple(
        value("name", "Вартовий"),
        value("slug", "guard"),
        value("version", "1.2.0"),
        value("status", "active"),
        value("updated_at", "2026-02-14T12:00:00Z"),
      ),
      fc.infiniteStream(fc.nat()),
      fc.boolean(),
      fc.boolean(),
      fc.constantFrom("", "body\n", "\n# Роль\n\nstatus: x\n---\n"),
    )
    .map(([lines, order, windows, mark, body]) => {
      const shuffled = lines
        .map((line) => ({ line, at: order.next().value as number }))
        .toSorted((a, b) => a.at - b.at);
      let free = false;
      const front = shuffled.map(({ line }) => {
        const before = line.before.startsWith("x-note") && free ? "" : line.before;
        free ||= before.startsWith("x-note");
        return before + line.line;
      });
      const text = `---\n${front.join("\n")}\n---\n${body}`;
      return `${mark ? "\ufeff" : ""}${windows ? text.replaceAll("\n", "\r\n") : text}`;
    });

  test("changing the status and back gives the same bytes, except updated_at", () => {
    fc.assert(
      fc.property(file, fc.constantFrom("paused", "error", "archived"), (text, status) => {
        const [first, second] = ["2026-03-01T00:00:00Z", "2026-02-14T12:00:00Z"];
        const there = withFrontValues(contractFile(text)!, { status, updated_at: first })!;
        const back = withFrontValues(there, { status: "active", updated_at: second })!;
        expect(frontValue(there, "status")).toBe(status);
        expect(back.text).toBe(text);
        expect(contractHash(there.text)).toBe(contractHash(text));
      }),
      { seed: 7, numRuns: 150 },
    );
  });

  test("every other change gives another hash", () => {
    const text = contractWith();
    const others = [
      text.replace("read-notes", "read-context"),
      text.replace("body", "Body"),
      text.replace("1.2.0", "1.2.1"),
      `${text}\n`,
    ];
    expect(new Set([text, ...others].map(contractHash)).size).toBe(5);
  });

  test.each<[string, string]>([
    ["an anchor that another field uses", contractWith({ status: "&s draft", "x-was": "*s" })],
    ["a map on one line without the field", "---\n{name: x, status: draft}\n---\n"],
    ["invalid front matter", "---\nstatus: [\n---\n"],
  ])("a rewrite is refused for %s, because another field would change", (_, text) => {
    expect(
      withFrontValues(contractFile(text)!, { status: "active", updated_at: "2026-02-14T12:00:00Z" }),
    ).toBeUndefined();
  });

  test("a value that its old quotes cannot hold gets other quotes", () => {
    const text = "---\na: plain\nb: 'single'\nc: |\n  block\nd:\ne: 12 # n\n---\n";
    const changed = withFrontValues(contractFile(text)!, { a: "x: # y", b: "it's", c: "one\ntwo", d: "1.0", e: "13" })!;
    expect(changed.text).toBe('---\na: "x: # y"\nb: \'it\'\'s\'\nc: "one\\ntwo"\nd: "1.0"\ne: "13" # n\n---\n');
    expect(frontFields(changed)).toEqual({ a: "x: # y", b: "it's", c: "one\ntwo", d: "1.0", e: "13" });
  });
});
