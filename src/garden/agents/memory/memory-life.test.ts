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

describe("M-2 eviction of facts", () => {
  test("evicts the oldest fact by history, not by file order; a used fact stays, and git keeps all", async () => {
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
    // A person reverses the file, which does not make any fact younger.
    byHand("facts.md", (await text("facts.md")).split("\n").toReversed().join("\n"));
    const proposal = await proposeUpdate(garden, 5, [fact(longFact(10, 1900))]);
    const { warnings } = await reviewProposal(garden, proposal);
    expect(warnings.map(({ en }) => en.slice(0, 44))).toEqual(["to make room, 2 facts are evicted; they stay"]);
    await approved(garden, proposal);
    expect(numbersIn(await text("facts.md")).toSorted((a, b) => a - b)).toEqual([1, 3, 5, 6, 7, 8, 10]);
    expect(await text("timeline/2026-03-20.md")).toMatch(/- 08:00 evicted: fact 2 .*…\n- 08:00 evicted: fact 4 /);
    expect(git(dir, "log", "--oneline", "-S", "fact 2 ", "--", "memory/archivist/facts.md").split("\n")).toHaveLength(
      2,
    );
  });

  test("M-2a does not count a fresh fact as stale when the clock jumps", async () => {
    const { garden, on, head, text, update } = await memoryGarden();
    await update(fact(longFact(1, 2500)));
    on("2020-01-01T08:00:00Z"); // back: the next fact is still younger than the first
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

  test("waits for approval when an update would evict from 3,000 hand-written facts", async () => {
    const many = Array.from({ length: 3000 }, (_, index) => `- факт ${index}`).join("\n");
    const { garden, dir, text } = await memoryGarden({ "facts.md": `# Facts\n\n${many}\n` });
    appendFileSync(`${dir}/garden.yaml`, "auto_approve:\n  - { source: owner, actions: [memory-update] }\n");
    const proposal = await proposeUpdate(garden, 1, [fact("новий")]);
    expect(proposal.status).toBe("pending");
    await approved(garden, proposal);
    const facts = await text("facts.md");
    expect({
      isWithinLimit: (await countTokens(facts)) <= 8000,
      keepsTheNewest: facts.endsWith("- факт 2999\n- новий\n"),
    }).toEqual({ isWithinLimit: true, keepsTheNewest: true });
  });
});

describe("M-4 M-2 limits and approval of memory updates", () => {
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
  test("an update beyond a limit is refused with a message, and nothing changes", async () => {
    const { garden, version } = await memoryGarden();
    for (const [what, operation, words] of refusals)
      await expect(proposeUpdate(garden, 0, [operation]), what).rejects.toMatchObject({
        code: "VALIDATION_FAILED",
        text: { en: expect.stringContaining(words) as string },
      });
    expect(await version()).toBe(0);
  });

  test("M-4 a rule approves small changes, and leaves one that removes most of layer 1 pending unless the owner allows it", async () => {
    const { garden, dir, version } = await memoryGarden({ "facts.md": `# Facts\n\n- ${longFact(1)}\n` });
    const replaced: MemoryOperation = { op: "replace", file: "facts.md", text: "- nothing" };
    appendFileSync(`${dir}/garden.yaml`, "auto_approve:\n  - { source: owner, actions: [memory-update] }\n");
    const small = await proposeUpdate(garden, 1, [fact("one more")]);
    const large = await proposeUpdate(garden, 2, [replaced]);
    const { warnings } = await reviewProposal(garden, large);
    appendFileSync(`${dir}/garden.yaml`, "limits: { memory_change_percent: 100 }\n");
    const allowed = await proposeUpdate(garden, await version(), [{ ...replaced, text: "- nothing else" }]);
    expect({ small: small.status, large: large.status, allowed: allowed.status }).toEqual({
      small: "applied",
      large: "pending",
      allowed: "applied",
    });
    expect(warnings[0]!.en).toMatch(/^100 % of what the agent knows/);
  });

  test("of two concurrent updates for one version both appends apply; of two replacements one is a version_conflict", async () => {
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
    expect({
      hasTwo: (await text("facts.md")).includes("- two\n"),
      hasThree: (await text("facts.md")).includes("- three\n"),
      version: await version(),
    }).toEqual({ hasTwo: true, hasThree: true, version: now + 3 });
  });
});

describe("G-5 memory edited by hand", () => {
  test("is marked as a human edit, keeps its place in the changelog, and is never overwritten silently", async () => {
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
  test("never reuses a version after meta.json is damaged, and the next update rewrites the file", async () => {
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

  test("keeps a broken section, an open code fence and Windows line ends byte for byte through an update", async () => {
    const written = "# Facts\r\n\r\n## A\r\n- один\r\n  - під ним\r\n#### глибше\r\n- два\r\n\r\n```\r\n- не факт\r\n";
    const { update, text, garden, head } = await memoryGarden({ "facts.md": written });
    await update({ op: "append", file: "facts.md", section: "A", text: "три" });
    const after = await text("facts.md");
    expect(written.split("\r\n").every((line) => after.includes(line))).toBe(true);
    expect((await memoryFacts(garden, await head(), SLUG)).map(({ text: words }) => words)).toContain("три");
  });
});

describe("M-2a the last use of a fact", () => {
  test("is written once a day, in the store and not in git, without lost updates", async () => {
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
