import fc from "fast-check";
import { expect, test } from "vitest";
import type { Oid } from "../../../domain/git/git-names.ts";
import { keys, memoryPath } from "../../../domain/layout.ts";
import { recallLimits, recallModes } from "../../../domain/memory/memory-limits.ts";
import { countTokens } from "../../../domain/text/tokens.ts";
import { memoryTextAt } from "../../records/memory/memory-state.ts";
import { approved } from "../../testing/tended-garden.ts";
import { recall } from "./recall.ts";
import { SEARCH_TOKENS, searchMemory } from "./search-memory.ts";
import { fact, longFact, memoryGarden, proposeUpdate, SLUG } from "./testing/memory-garden.ts";

const by = { name: "Ann", email: "ann@example.org", at: Date.parse("2026-02-14T08:00:00Z") };

/** Contents of a file, from empty to far beyond every limit. */
const line = fc.oneof(
  fc.constantFrom(
    "- факт про Баха",
    "# Заголовок",
    "",
    "```",
    "- [ ] питання? ^loop-1",
    "  під ним",
    "текст 🌻",
    "x\r",
  ),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.nat(3000).map((words) => `- ${"слово ".repeat(words)}`),
  fc.nat(4000).map((length) => "їa".repeat(length)),
);
const text = fc
  .tuple(fc.array(line, { maxLength: 25 }), fc.constantFrom("\n", "\r\n"))
  .map(([lines, end]) => lines.join(end));
const values = fc.oneof(
  fc.constantFrom(undefined, "{}", "{ half", "[1]"),
  fc.nat(9000).map((words) => JSON.stringify({ seen: "слово ".repeat(words) })),
);
const memory = fc.record({
  "snapshot.md": text,
  "open_loops.md": text,
  "facts.md": text,
  "decisions.md": text,
  "changelog.md": text,
  "timeline/2026-02-13.md": text,
  "values.json": values,
});

test("M-3 every recall mode keeps its token limit, reports what it cut, and is deterministic for a commit", async () => {
  const { garden, head } = await memoryGarden();
  const { repo } = garden;
  const start = await head();
  const committed = (files: Readonly<Record<string, string | undefined>>): Promise<Oid> =>
    repo.build({
      parents: [start],
      edits: Object.entries(files).flatMap(([name, content]) =>
        content === undefined ? [] : [{ path: memoryPath.file(SLUG, name), bytes: Buffer.from(content) }],
      ),
      author: by,
      committer: by,
      message: "memory",
    });
  await fc.assert(
    fc.asyncProperty(memory, async (files) => {
      const at = await committed(files);
      for (const mode of recallModes) {
        const recalled = await recall(repo, at, SLUG, mode, { from: "2026-02-01", to: "2026-02-28" });
        const given = [...Object.values(recalled.parts), JSON.stringify(recalled.values)].filter(
          (part) => part !== "" && part !== "{}",
        );
        const tokens = await countTokens(given.join("\n"));
        expect({ isWithinLimit: tokens <= recallLimits[mode], tokens }).toEqual({
          isWithinLimit: true,
          tokens: recalled.tokens,
        });
        // Layer 2 is included only on request.
        const asked = {
          basic: ["observations"],
          wide: ["facts", "decisions", "observations"],
          deep: ["facts", "decisions", "changelog", "observations"],
          temporal: ["timeline"],
        }[mode];
        expect(Object.keys(recalled.parts)).toEqual(["snapshot", "open_loops", ...asked]);
        const whole = Object.entries(recalled.parts).filter(([name]) => !recalled.cut.includes(name));
        if (mode === "basic")
          expect(
            whole.every(([name, part]) => name === "observations" || part === files[`${name}.md` as "snapshot.md"]),
          ).toBe(true);
        expect(await recall(repo, at, SLUG, mode, { from: "2026-02-01", to: "2026-02-28" })).toEqual(recalled);
      }
      const { tokens } = await searchMemory(repo, at, SLUG, { query: "факт слово питання", limit: 100, deep: true });
      expect(tokens).toBeLessThanOrEqual(SEARCH_TOKENS);
    }),
    { numRuns: 8 },
  );
});

test("M-3 basic and wide return a small memory whole, and a long file is cut at its beginning", async () => {
  const { garden, head, update } = await memoryGarden({
    "decisions.md": `# Decisions\n\n${Array.from({ length: 8 }, (_, index) => `- [x] ${longFact(index, 300)}`).join("\n")}\n`,
  });
  await update(
    { op: "replace", file: "snapshot.md", text: "слово ".repeat(1980) },
    ...Array.from({ length: 4 }, (_, index) => fact(longFact(index, 1900))),
  );
  const [basic, wide] = [
    await recall(garden.repo, await head(), SLUG, "basic"),
    await recall(garden.repo, await head(), SLUG, "wide"),
  ];
  expect({ basic: basic.cut, wide: wide.cut }).toEqual({ basic: [], wide: [] });
  expect([...wide.parts["decisions"]!.matchAll(/fact (\d)/g)].map(([, number]) => number)).toEqual([
    "3",
    "4",
    "5",
    "6",
    "7",
  ]);
});

test("M-3a an observation has the time when it was made, not when it was approved, and its age does not hide it from search", async () => {
  const { garden, head, version, update, on } = await memoryGarden();
  on("2026-02-13T23:50:00Z");
  const early = await proposeUpdate(garden, await version(), [{ op: "observe", text: "The lime tree is in bloom" }]);
  on("2026-02-14T09:00:00Z");
  await approved(garden, early);
  for (let day = 10; day < 32; day++) {
    on(`2026-03-${day}T08:00:00Z`);
    await update({ op: "observe", text: `Nothing new on day ${day}` });
  }
  const stored = Buffer.from((await garden.store.get(keys.observations(SLUG)))!.bytes)
    .toString()
    .split("\n")[0]!;
  const { parts } = await recall(garden.repo, await head(), SLUG, "basic");
  const { hits } = await searchMemory(garden.repo, await head(), SLUG, { query: "lime trees", limit: 5, deep: false });
  expect({
    ts: (JSON.parse(stored) as { ts: string }).ts.slice(0, 16),
    timeline: await memoryTextAt(garden.repo, await head(), memoryPath.timeline(SLUG, "2026-02-14")),
    latest: parts["observations"]!.trimEnd().split("\n").length,
    newest: parts["observations"]!.trimEnd().split("\n").at(-1),
    found: hits.map((hit) => [hit.file, hit.text]),
  }).toEqual({
    ts: "2026-02-13T23:50",
    timeline: expect.stringContaining("- 2026-02-13 23:50 owner: The lime tree is in bloom") as string,
    latest: 20,
    newest: "- 2026-03-31 08:00 owner: Nothing new on day 31",
    found: [["timeline/2026-02-14.md", "The lime tree is in bloom"]],
  });
});

test("M-3 search finds any form of a word, in layer 2 only on request, and never in another agent's memory", async () => {
  const { garden, head, update, byHand } = await memoryGarden({
    "facts.md": "# Facts\n\n## Музика\n\n- Бах написав шість сонат\n- Липа стара\n",
    "../other/facts.md": "- Сонати Баха вивчає інший агент\n",
  });
  byHand("decisions.md", "- [x] 2026-02-01 Грати сонати повільно\n");
  await update({ op: "replace", file: "snapshot.md", text: "Про сонати відомо мало. Решта інше." });
  const search = async (query: string, deep = false) =>
    (await searchMemory(garden.repo, await head(), SLUG, { query, limit: 10, deep })).hits.map((hit) => [
      hit.file,
      hit.text,
    ]);
  expect(await search("соната")).toEqual([
    ["snapshot.md", "Про сонати відомо мало."],
    ["facts.md", "Бах написав шість сонат"],
  ]);
  expect((await search("соната", true)).map(([file]) => file)).toContain("decisions.md");
  expect(await search("музика")).toEqual([
    ["facts.md", "Липа стара"],
    ["facts.md", "Бах написав шість сонат"],
  ]);
  expect(await search("нема такого")).toEqual([]);
});
