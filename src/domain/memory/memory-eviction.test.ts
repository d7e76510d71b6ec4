import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countTokens } from "../text/tokens.ts";
import { entriesIn, factId, lastEntries, withoutEntries } from "./memory-entries.ts";
import { type EntryAges, type FittedMemory, fitToLimits } from "./memory-eviction.ts";
import { isStale, LAYER_ONE_TOKENS, layerOneFiles, layerOneLimits } from "./memory-limits.ts";
import { openLoops } from "./memory-loops.ts";
import type { MemoryFiles } from "./memory-meta.ts";
import { isLargeChange, replacedShare } from "./memory-share.ts";

describe("M-1 the facts in a file", () => {
  test.each([
    ["items with the lines indented under them", "- a\n  more\n- b\n", ["a more", "b"]],
    ["a blank line inside an item", "- a\n\n  more\n\n- b\n", ["a more", "b"]],
    ["a line that continues without indent", "- a\nmore\n\nprose\n\n- b", ["a more", "b"]],
    ["Windows line ends", "# F\r\n\r\n- a\r\n  more\r\n- b\r\n", ["a more", "b"]],
    [
      "other markers, boxes and names",
      "* a\n+ b\n1. c\n2) d\n- [ ] e ^loop-1\n- [x] f\n",
      ["a", "b", "c", "d", "e", "f"],
    ],
    [
      "no code, except for a fence under an item",
      "```\n- no\n```\n- a\n  ```\n  - no\n  ```\n- b\n",
      ["a ``` - no ```", "b"],
    ],
    ["no rules and no empty items", "---\n- \n***\n- a\n---\n", ["a"]],
    ["items that a heading ends", "- a\n# H\n  text\n- b\n", ["a", "b"]],
    ["Ukrainian items", "- Бах написав\n  шість сонат\n", ["Бах написав шість сонат"]],
    ["an empty file", "", []],
  ])("%s", (_, file, texts) => expect(entriesIn(file).map(({ text }) => text)).toEqual(texts));

  test("the same words with other markers and line ends are the same fact", () => {
    const ids = ["- й ї", "\r\n1. й  ї\r\n", "x\n\n* й\n  ї\n"].map((file) => factId(entriesIn(file)[0]!));
    expect(new Set(ids).size).toBe(1);
  });

  test("removing all items keeps every other line, in any file", () => {
    const line = fc.constantFrom("# H", "- a", "  b", "", "text", "```", "* c", "---", "1. d", "\tx");
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.constantFrom("\n", "\r\n"), (lines, end) => {
        const file = lines.join(end);
        const entries = entriesIn(file);
        const rest = withoutEntries(file, entries);
        const taken = entries.reduce((sum, each) => sum + each.end - each.line, 0);
        expect(entries.every((each, index) => each.line >= (entries[index - 1]?.end ?? 0))).toBe(true);
        expect(rest.split("\n").length).toBeLessThanOrEqual(file.split("\n").length - taken + 1);
        expect(entries.slice(-2).every(({ title }) => lastEntries(file, 2).includes(title))).toBe(true);
      }),
    );
  });
});

/** `count` facts of `words` words each, numbered from `from`. */
const facts = (count: number, words = 60, from = 0): string[] =>
  Array.from({ length: count }, (_, index) => `- fact ${from + index} ${"слово ".repeat(words).trim()}`);
const file = (lines: readonly string[], title = "Facts"): string => `# ${title}: curator\n\n${lines.join("\n")}\n`;

interface Wished {
  readonly rank?: (key: string) => number;
  readonly lastUse?: (key: string) => string;
}
const room = (before: MemoryFiles, after: MemoryFiles, { rank, lastUse }: Wished = {}): Promise<FittedMemory> => {
  const order = new Map<string, number>();
  const ages = (key: string): EntryAges => ({
    rank: rank?.(key) ?? order.get(key) ?? 0,
    lastUse: lastUse?.(key) ?? "2026-02-14",
  });
  return fitToLimits({
    agentId: "curator",
    before,
    after,
    day: "2026-02-14",
    async agesOf(name) {
      for (const [index, entry] of entriesIn(before[name] ?? "").entries())
        order.set(name === "facts.md" ? factId(entry) : entry.text, index);
      return ages;
    },
  });
};
const made = async (given: Promise<FittedMemory>): Promise<Extract<FittedMemory, { kind: "room" }>> => {
  const result = await given;
  if (result.kind === "refused") throw new Error(JSON.stringify(result.problems));
  return result;
};
const numbers = (texts: readonly string[]): number[] => texts.map((text) => Number(/\d+/.exec(text)![0]));

describe("M-2 the limit of facts", () => {
  test("only as many of the oldest facts as needed are evicted, and the new ones are kept", async () => {
    const old = facts(120);
    const before = { "facts.md": file(old) };
    const after = { "facts.md": file([...old, ...facts(5, 60, 900)]) };
    const { files, evicted } = await made(room(before, after));
    const left = files["facts.md"]!;
    expect(numbers(evicted)).toEqual(Array.from({ length: evicted.length }, (_, index) => index));
    const tokens = await countTokens(left);
    expect(tokens).toBeLessThanOrEqual(8000);
    expect(tokens).toBeGreaterThan(8000 - 80);
    expect(left).toContain("fact 904");
  });

  test("stale facts are evicted before older ones in use; a fact used in the future is not stale", async () => {
    const old = facts(120);
    const stale = new Set([100, 101, 102].map((index) => factId(entriesIn(old[index]!)[0]!)));
    const ahead = factId(entriesIn(old[0]!)[0]!);
    const given = room(
      { "facts.md": file(old) },
      { "facts.md": file([...old, ...facts(8, 60, 900)]) },
      {
        lastUse: (id) => (stale.has(id) ? "2026-01-14" : id === ahead ? "2031-01-01" : "2026-01-16"),
      },
    );
    const { evicted } = await made(given);
    expect(numbers(evicted).slice(0, 4)).toEqual([100, 101, 102, 0]);
  });

  test.each([
    ["2026-01-15", false],
    ["2026-01-14", true],
    ["2026-02-14", false],
    ["2027-01-01", false],
  ])("M-2a a fact last used on %s is stale on 2026-02-14: %s", (day, stale) =>
    expect(isStale(day, "2026-02-14")).toBe(stale),
  );

  test.each([
    ["one fact of 5 MB", `- ${"дуже довгий факт ".repeat(180_000)}`],
    ["one fact of 5 MB without a space", `- ${"x".repeat(5_000_000)}`],
    ["more new facts than the limit", facts(400).join("\n")],
    ["prose, which is never evicted,", "слово ".repeat(9000)],
  ])("%s is refused with the limit", async (_, text) => {
    const result = await room({ "facts.md": file(facts(10)) }, { "facts.md": file([...facts(10), text]) });
    expect(result).toMatchObject({
      kind: "refused",
      problems: [{ en: expect.stringContaining("at most 8000 tokens") as string }],
    });
  });

  test("facts are evicted if values and snapshot are full, so that layer 1 stays within 12,000 tokens", async () => {
    const full = { "snapshot.md": "слово ".repeat(1950), "open_loops.md": file(facts(30), "Open loops") };
    const before = { ...full, "facts.md": file(facts(122)) };
    const after = { ...before, "values.json": JSON.stringify({ seen: "слово ".repeat(450) }) };
    const { files, evicted } = await made(room(before, after));
    const all = await Promise.all(layerOneFiles.map((name) => countTokens(files[name] ?? "")));
    expect(evicted.length).toBeGreaterThan(0);
    expect(all.reduce((sum, tokens) => sum + tokens, 0)).toBeLessThanOrEqual(LAYER_ONE_TOKENS);
  });

  test("G-5 a person's text beyond a limit stays while an update changes other files", async () => {
    const before = { "facts.md": file(facts(3000, 3)), "snapshot.md": "слово ".repeat(3000) };
    const after = { ...before, "decisions.md": file(["- a"], "Decisions") };
    expect(await made(room(before, after))).toMatchObject({ files: after, evicted: [] });
  });

  test("the oldest of 3,000 manual facts are evicted for a new one", async () => {
    const old = facts(3000, 3);
    const { files, evicted } = await made(room({ "facts.md": file(old) }, { "facts.md": file([...old, "- new"]) }));
    expect({
      evictsManyFacts: evicted.length > 1500,
      keepsNewFact: files["facts.md"]!.includes("- new"),
      firstEvicted: numbers(evicted)[0],
    }).toEqual({ evictsManyFacts: true, keepsNewFact: true, firstEvicted: 0 });
    expect(await countTokens(files["facts.md"]!)).toBeLessThanOrEqual(8000);
  });

  test("any update is within the limits or refused, and no new fact is evicted", async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(sizes, sizes, fc.infiniteStream(fc.nat(9)), async (old, more, use) => {
        const lines = (many: readonly number[], from: number): string[] =>
          many.map((words, index) => `- fact ${from + index} ${"слово ".repeat(words).trim()}`);
        const before = { "facts.md": file(lines(old, 0)) };
        const after = { "facts.md": file([...lines(old, 0), ...lines(more, 1000)]) };
        const result = await room(before, after, { lastUse: () => `2026-0${(use.next().value % 2) + 1}-01` });
        if (result.kind === "refused") return;
        const kept = numbers(entriesIn(result.files["facts.md"]!).map(({ text }) => text));
        expect(await countTokens(result.files["facts.md"]!)).toBeLessThanOrEqual(8000);
        expect(kept.filter((number) => number >= 1000)).toEqual(more.map((_, index) => 1000 + index));
        expect(kept.length + result.evicted.length).toBe(old.length + more.length);
      }),
      { numRuns: 15 },
    );
  });
});

describe("M-2 the limits of snapshot, loops and values", () => {
  test.each([
    ["snapshot.md", "слово ".repeat(2100), "at most 2000 tokens"],
    [
      "values.json",
      JSON.stringify({ list: Array.from({ length: 300 }, (_, index) => `note-${index}`) }),
      "at most 500",
    ],
  ] as const)("%s that is too large is refused", async (name, text, words) => {
    expect(await room({}, { [name]: text })).toMatchObject({
      kind: "refused",
      problems: [{ en: expect.stringContaining(words) as string, uk: expect.stringContaining("не більше") as string }],
    });
  });

  const loop = (text: string, words = 110): string =>
    `- [ ] ${text} ${"слово ".repeat(words).trim()} ^loop-${text.length}`;

  test("ticked loops are closed first, then low priority and the oldest are frozen; high priority and new ones stay open", async () => {
    const names = [
      "0 #high",
      "1",
      "2 #low",
      "3",
      "4 #неважливо",
      "5 #важливо",
      ...Array.from({ length: 10 }, (_, at) => `${6 + at}`),
    ];
    const old = names.map((name) => loop(name));
    old[3] = old[3]!.replace("[ ]", "[x]");
    const more = Array.from({ length: 6 }, (_, index) => loop(`${90 + index}`));
    const before = { "open_loops.md": file(old, "Open loops") };
    const after = { "open_loops.md": file([...old, "", ...more], "Open loops") };
    const { files, frozen } = await made(room(before, after));
    expect(numbers(frozen).slice(0, 4)).toEqual([2, 4, 1, 6]);
    const open = numbers(openLoops(files["open_loops.md"]!).map(({ text }) => text));
    expect([0, 5, 90, 95].filter((number) => open.includes(number))).toEqual([0, 5, 90, 95]);
    expect(files["decisions.md"]).toMatch(
      /^# Decisions: curator\n\n- \[x\] 2026-02-14 3 .*\n- \[-\] 2026-02-14 frozen: 2 #low/,
    );
    expect(await countTokens(files["open_loops.md"]!)).toBeLessThanOrEqual(layerOneLimits["open_loops.md"]);
  });

  test("a loop is frozen with the lines under it, and the update is refused if all have high priority", async () => {
    const old = [
      `${loop("1 #low", 700)}\n  - a detail`,
      ...Array.from({ length: 7 }, (_, at) => loop(`${2 + at} #high`, 160)),
    ];
    const before = { "open_loops.md": file(old, "Open loops") };
    const plus = (count: number): MemoryFiles => ({
      "open_loops.md": file(
        [...old, ...Array.from({ length: count }, (_, at) => loop(`${90 + at}`, 160))],
        "Open loops",
      ),
    });
    expect((await made(room(before, plus(1)))).files["decisions.md"]).toContain("\n  - a detail\n");
    expect(await room(before, plus(12))).toMatchObject({
      kind: "refused",
      problems: [{ en: expect.stringContaining("never frozen") as string }],
    });
  });
});

test.each([
  ["an append", ["- a\n", "- a\n- b\n"], 0, false],
  ["a line that moves", ["- a\n- b\n", "- b\n- a\n"], 0, false],
  ["most of a large memory", [`${"- a long enough line\n".repeat(1)}${facts(40).join("\n")}`, "- x\n"], 1, true],
  ["all of a small memory", ["- a\n", "- b\n"], 1, false],
  ["a fifth of a large memory", [facts(40).join("\n"), facts(32).join("\n")], 0.2, false],
] as const)("M-4 the replaced share of layer 1 is measured for %s", (_, [before, after], share, large) => {
  const replaced = replacedShare({ "facts.md": before }, { "facts.md": after });
  expect({ share: Math.round(replaced.share * 10) / 10, isLarge: isLargeChange(replaced, 50) }).toEqual({
    share,
    isLarge: large,
  });
});
