import { appendFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { keys } from "../../../domain/layout.ts";
import { entriesIn, factId } from "../../../domain/memory/memory-entries.ts";
import type { MemoryOperation } from "../../../domain/proposal/operation.ts";
import { countTokens } from "../../../domain/text/tokens.ts";
import { reviewProposal } from "../../changes/effect/review.ts";
import { recordUse } from "../../records/memory/memory-use.ts";
import { git } from "../../testing/scratch.ts";
import { approved } from "../../testing/tended-garden.ts";
import { memoryFacts } from "./memory-facts.ts";
import { memoryHistory } from "./memory-history.ts";
import { fact, longFact, memoryGarden, proposeUpdate, SLUG } from "./testing/memory-garden.ts";

const idOf = (text: string): string => factId(entriesIn(`- ${text}`)[0]!);
const numbersIn = (text: string): number[] => entriesIn(text).map((entry) => Number(/\d+/.exec(entry.text)![0]));

describe("M-2 facts that give way", () => {
  test("the oldest goes by history, whatever the order in the file; the one that was of use stays; git has all", async () => {
    const { garden, on, head, text, update, byHand, dir } = await memoryGarden();
    for (const some of [
      [1, 2],
      [3, 4],
      [5, 6],
      [7, 8],
    ])
      await update(...some.map((number) => fact(longFact(number, 980))));
    on("2026-03-20T08:00:00Z");
    await recordUse(garden, { slug: SLUG, at: await head(), facts: [idOf(longFact(1, 980))] });
    // A person turns the file around, which makes nothing younger.
    byHand("facts.md", (await text("facts.md")).split("\n").toReversed().join("\n"));
    const proposal = await proposeUpdate(garden, 5, [fact(longFact(10, 1900))]);
    const { warnings } = await reviewProposal(garden, proposal);
    expect(warnings.map(({ en }) => en.slice(0, 44))).toEqual(["to make room, 2 facts are evicted; they stay "]);
    await approved(garden, proposal);
    expect(numbersIn(await text("facts.md")).toSorted((a, b) => a - b)).toEqual([1, 3, 5, 6, 7, 8, 10]);
    expect(await text("timeline/2026-03-20.md")).toMatch(/- 08:00 evicted: fact 2 .*…\n- 08:00 evicted: fact 4 /);
    expect(git(dir, "log", "--oneline", "-S", "fact 2 ", "--", "memory/archivist/facts.md").split("\n")).toHaveLength(
      2,
    );
  });

  test("M-2a a clock that goes back, or was ahead, makes nothing that is fresh old", async () => {
    const { garden, on, head, text, update } = await memoryGarden();
    await update(fact(longFact(1, 2500)));
    on("2020-01-01T08:00:00Z"); // back: what comes now is still younger than what is there
    await update(fact(longFact(2, 2500)));
    await recordUse(garden, { slug: SLUG, at: await head(), facts: [idOf(longFact(1, 2500))] });
    on("2026-02-15T08:00:00Z");
    expect(
      (await memoryFacts(garden, await head(), SLUG)).map(({ since, lastUsed, stale }) => [since, lastUsed, stale]),
    ).toEqual([
      ["2026-02-14", "2026-02-14", false],
      ["2026-02-14", null, false],
    ]);
    await update(fact(longFact(3, 2500)));
    await update(fact(longFact(4, 2500)));
    expect(numbersIn(await text("facts.md"))).toEqual([2, 3, 4]);
  });

  test("10,000 facts that a person wrote: the next update is held for a person, then they give way", async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `- факт ${index}`).join("\n");
    const { garden, dir, text } = await memoryGarden({ "facts.md": `# Facts\n\n${many}\n` });
    appendFileSync(`${dir}/garden.yaml`, "auto_approve:\n  - { source: owner, actions: [memory-update] }\n");
    const proposal = await proposeUpdate(garden, 1, [fact("новий")]);
    expect(proposal.status).toBe("pending");
    await approved(garden, proposal);
    const facts = await text("facts.md");
    expect([(await countTokens(facts)) <= 8000, facts.endsWith("- факт 9999\n- новий\n")]).toEqual([true, true]);
  });
});

describe("M-4 M-2 what is refused, and what waits for a person", () => {
  const refusals: readonly (readonly [string, MemoryOperation, string])[] = [
    ["a fact of 5 MB", fact(`x ${"дуже ".repeat(450_000)}`), "at most 8000 tokens"],
    [
      "a snapshot beyond its limit",
      { op: "replace", file: "snapshot.md", text: "слово ".repeat(2100) },
      "at most 2000 tokens",
    ],
    [
      "values that came by the inbox",
      { op: "observe", text: "", values: { a: "слово ".repeat(600) } },
      "at most 500 tokens",
    ],
    ["a restore to values that are none", { op: "restore", files: { "values.json": "[1]" }, from: "x" }, "values.json"],
  ];
  test("what is beyond a limit is refused in words, and nothing changes", async () => {
    const { garden, version } = await memoryGarden();
    for (const [what, operation, words] of refusals)
      await expect(proposeUpdate(garden, 0, [operation]), what).rejects.toMatchObject({
        code: "VALIDATION_FAILED",
        text: { en: expect.stringContaining(words) as string },
      });
    expect(await version()).toBe(0);
  });

  test("M-4 a rule lets small changes through, and holds one that takes most of layer 1 away, unless the owner lets it", async () => {
    const { garden, dir, version } = await memoryGarden({ "facts.md": `# Facts\n\n- ${longFact(1)}\n` });
    const replaced: MemoryOperation = { op: "replace", file: "facts.md", text: "- nothing" };
    appendFileSync(`${dir}/garden.yaml`, "auto_approve:\n  - { source: owner, actions: [memory-update] }\n");
    const small = await proposeUpdate(garden, 1, [fact("one more")]);
    const large = await proposeUpdate(garden, 2, [replaced]);
    const { warnings } = await reviewProposal(garden, large);
    appendFileSync(`${dir}/garden.yaml`, "limits: { memory_change_percent: 100 }\n");
    const allowed = await proposeUpdate(garden, await version(), [{ ...replaced, text: "- nothing else" }]);
    expect([small.status, large.status, allowed.status]).toEqual(["applied", "pending", "applied"]);
    expect(warnings[0]!.en).toMatch(/^100 % of what the agent knows/);
  });

  test("two updates for the same version at once: both appends land, of two replacements one is a version_conflict", async () => {
    const { garden, text, update, version } = await memoryGarden();
    await update(fact("one"), { op: "replace", file: "snapshot.md", text: "Calm." });
    const now = await version();
    const wishes = [
      fact("two"),
      fact("three"),
      { op: "replace" as const, file: "snapshot.md" as const, text: "Wind." },
      { op: "replace" as const, file: "snapshot.md" as const, text: "Rain." },
    ];
    const proposals = [];
    for (const wish of wishes) proposals.push(await proposeUpdate(garden, now, [wish]));
    const done = await Promise.all(proposals.map((each) => approved(garden, each)));
    const failed = done.filter(({ status }) => status === "failed");
    expect(done.map(({ status }) => status).toSorted()).toEqual(["applied", "applied", "applied", "failed"]);
    expect(failed[0]!.apply_result?.error?.details["reason"]).toBe("version_conflict");
    expect([
      (await text("facts.md")).includes("- two\n"),
      (await text("facts.md")).includes("- three\n"),
      await version(),
    ]).toEqual([true, true, now + 3]);
  });
});

describe("G-5 what people write by hand", () => {
  test("is told apart, keeps its place in the changelog, and is never overwritten silently", async () => {
    const { garden, head, update, byHand, text, version } = await memoryGarden();
    await update(fact("від агента"));
    byHand("facts.md", `${await text("facts.md")}- від людини\n`);
    await update(fact("ще один"));
    expect(
      (await text("changelog.md"))
        .split("\n")
        .slice(2)
        .map((line) => line.replace(/[0-9a-f]{12}|prop_\w+(-\w+)*/, "ID")),
    ).toEqual([
      "- v1 2026-02-14T08:00:07Z ID (owner): facts.md +3 −0",
      expect.stringMatching(/^- v2 \S+ ID \(by hand: Ann\)$/),
      expect.stringMatching(/^- v3 \S+ ID \(owner\): facts.md \+1 −0$/),
      "",
    ]);
    const history = await memoryHistory(garden.repo, await head(), SLUG, { limit: 10 });
    expect(history.map(({ by, author, version: at }) => [by, author, at])).toEqual([
      ["proposal", "owner", 3],
      ["hand", "Ann", 2],
      ["proposal", "owner", 1],
    ]);
    const facts = await memoryFacts(garden, await head(), SLUG);
    expect(facts.map(({ text: words, byHand: hand }) => [words, hand])).toEqual([
      ["від агента", false],
      ["від людини", true],
      ["ще один", false],
    ]);
    expect(await version()).toBe(3);
  });

  const damages = [
    "{ half",
    '{"version": "many"}',
    "",
    '{"version":1,"counts":{"facts":99,"openLoops":0,"decisions":0,"values":0},"contents":"0000000000000000000000000000000000000000","schemaVersion":"1.0"}',
  ];
  test("a damaged meta.json uses no version twice, and the next update writes it anew", async () => {
    const { update, byHand, text, version } = await memoryGarden();
    await update(fact("one"));
    const seen: unknown[] = [];
    for (const [index, damage] of damages.entries()) {
      byHand("meta.json", damage);
      const damaged = await version();
      await update(fact(`more ${index}`));
      const meta = JSON.parse(await text("meta.json")) as { version: number; counts: { facts: number } };
      seen.push([damaged, meta.version, meta.counts.facts]);
    }
    expect(seen).toEqual([
      [2, 3, 2],
      [4, 5, 3],
      [6, 7, 4],
      [8, 9, 5],
    ]);
  });

  test("a broken section, an open code fence and Windows line ends survive an update byte by byte", async () => {
    const written = "# Facts\r\n\r\n## A\r\n- один\r\n  - під ним\r\n#### глибше\r\n- два\r\n\r\n```\r\n- не факт\r\n";
    const { update, text, garden, head } = await memoryGarden({ "facts.md": written });
    await update({ op: "append", file: "facts.md", section: "A", text: "три" });
    const after = await text("facts.md");
    expect(written.split("\r\n").every((line) => after.includes(line))).toBe(true);
    expect((await memoryFacts(garden, await head(), SLUG)).map(({ text: words }) => words)).toContain("три");
  });
});

describe("M-2a use", () => {
  test("is written once a day, in the store and not in git; two at once lose nothing", async () => {
    const { garden, head, on, update } = await memoryGarden();
    await update(fact("a"), fact("b"), fact("c"));
    const at = await head();
    const read = async () =>
      JSON.parse(Buffer.from((await garden.store.get(keys.memoryUse(SLUG)))!.bytes).toString()) as { used: object };
    await Promise.all(["a", "b", "c"].map((text) => recordUse(garden, { slug: SLUG, at, facts: [idOf(text)] })));
    const first = await garden.store.get(keys.memoryUse(SLUG));
    await recordUse(garden, { slug: SLUG, at, facts: [idOf("b")] });
    expect((await garden.store.get(keys.memoryUse(SLUG)))!.hash).toBe(first!.hash);
    expect((await read()).used).toEqual({
      [idOf("a")]: "2026-02-14",
      [idOf("b")]: "2026-02-14",
      [idOf("c")]: "2026-02-14",
    });
    on("2026-02-20T08:00:00Z");
    await recordUse(garden, { slug: SLUG, at, facts: [idOf("b")] });
    expect((await read()).used).toMatchObject({ [idOf("a")]: "2026-02-14", [idOf("b")]: "2026-02-20" });
    expect(await head()).toBe(at);
  });
});
