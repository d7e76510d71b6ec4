import { describe, expect, test } from "vitest";
import type { Json } from "../../../../base/canonical.ts";
import { keys } from "../../../../domain/layout.ts";
import { countTokens } from "../../../../domain/text/tokens.ts";
import type { Garden } from "../../../core/garden.ts";
import { factUse } from "../../../records/memory/memory-use.ts";
import { readProposal } from "../../../records/proposals/proposal-log.ts";
import { approved, wished } from "../../../testing/tended-garden.ts";
import { expectedResults, type Made, proposalResults } from "../testing/proposal-results.ts";
import { toolGround } from "../testing/tool-ground.ts";

const notes = { "notes/a.md": "# A\n" };

describe("R-3 write-memory and read-memory", () => {
  test("M-3a write-memory proposes an observation and named values, which read-memory and search-memory return once approved", async () => {
    const first = await toolGround({ notes });
    const { garden } = first;
    expect(await first.use("read-memory")).toMatchObject({
      mode: "basic",
      version: 0,
      values: {},
      snapshot: "",
      cut: [],
    });
    const written = (await first.use("write-memory", {
      text: "Нових нотаток немає",
      оброблені_slugs: ["a", "b"],
      останній_run: 1_770_000_000_000,
    })) as unknown as Made;
    expect(written).toMatchObject({ status: "pending", type: "memory-update" });
    await approved(garden, await readProposal(garden.store, written.proposal));
    expect(await first.use("read-memory")).toMatchObject({ version: 0 }); // pinned
    const next = await toolGround({ garden });
    expect(await next.use("read-memory")).toMatchObject({
      оброблені_slugs: ["a", "b"],
      останній_run: 1_770_000_000_000,
      version: 1,
    });
    for (const mode of ["basic", "wide", "deep"]) {
      const { observations } = (await next.use("read-memory", { mode })) as unknown as { observations: string };
      expect(observations, mode).toMatch(/^- 20\d\d-\d\d-\d\d \d\d:\d\d run_\S+: Нових нотаток немає\n$/);
    }
    expect(await next.use("search-memory", { query: "нотатка" })).toMatchObject({
      hits: [{ text: "Нових нотаток немає", file: expect.stringMatching(/^timeline\//) as string }],
    });
    expect(Buffer.from((await garden.store.get(keys.observations("archivist")))!.bytes).toString()).toContain(
      "Нових нотаток немає",
    );
  });

  test("R-3 values of more than 500 tokens and invalid names are refused", async () => {
    const { use } = await toolGround({ notes });
    expect(
      await use("write-memory", { text: "x", list: Array.from({ length: 400 }, (_, index) => `note-${index}`) }),
    ).toMatchObject({
      status: "refused",
      reason: expect.stringContaining("at most 500 are kept") as string,
    });
    expect(await use("write-memory", { "a\nb": 1 })).toMatchObject({ status: "refused" });
    expect(await use("write-memory", {})).toMatchObject({ status: "refused" });
  });

  test("source 001 §6.2: the tool is enough to observe, without memory-update in safe_outputs", async () => {
    const { use } = await toolGround({ notes, outputs: ["propose-tag"] });
    expect(await use("write-memory", { text: "x" })).toMatchObject({ status: "pending" });
    expect(await use("propose-memory-update", { content: "fact" })).toMatchObject({
      status: "refused",
      code: "FORBIDDEN",
    });
  });

  test("M-3 each mode keeps its limit, and says what it cut", async () => {
    const ground = await toolGround({
      notes: {
        ...notes,
        "memory/archivist/snapshot.md": `# Snapshot\n\n${"один рядок стану речей\n".repeat(400)}`,
        "memory/archivist/open_loops.md": "# Open loops\n\n- [ ] Чи є друга партита? ^loop-1\n",
        "memory/archivist/facts.md": `# Facts\n\n${"- Факт, який варто знати.\n".repeat(2000)}`,
        "memory/archivist/decisions.md": `# Decisions\n\n${Array.from({ length: 9 }, (_, index) => `- Рішення ${index}\n`).join("")}`,
        "memory/archivist/timeline/2026-02-10.md": "# 2026-02-10\n\n- ранок\n",
        "memory/archivist/timeline/2026-01-01.md": "# 2026-01-01\n\n- зима\n",
      },
    });
    const read = async (input: Json) => {
      const {
        values: _,
        mode,
        tokens,
        cut,
        ...parts
      } = (await ground.use("read-memory", input)) as Record<string, string> & { tokens: number; cut: string[] };
      const counted = await countTokens(
        ["snapshot", "open_loops", "facts", "decisions", "changelog", "timeline"]
          .map((name) => parts[name] ?? "")
          .join(""),
      );
      return {
        mode,
        parts: Object.keys(parts)
          .filter((name) => name !== "version")
          .join(" "),
        fits: tokens <= LIMITS[mode as keyof typeof LIMITS] && counted <= LIMITS[mode as keyof typeof LIMITS] + 6,
        cut: cut.join(" "),
        text: JSON.stringify(parts),
      };
    };
    const LIMITS = { basic: 4100, wide: 13_000, deep: 32_000, temporal: 13_000 };
    expect(await read({})).toMatchObject({ mode: "basic", parts: "snapshot open_loops observations", fits: true });
    const wide = await read({ mode: "wide" });
    expect(wide).toMatchObject({
      parts: "snapshot open_loops facts decisions observations",
      fits: true,
      cut: "facts decisions",
    });
    expect(await read({ mode: "deep" })).toMatchObject({
      parts: "snapshot open_loops facts decisions changelog observations",
      fits: true,
    });
    const temporal = await read({ mode: "temporal" });
    expect(temporal).toMatchObject({ fits: true });
    expect(temporal.text).toContain("ранок");
    expect(temporal.text).not.toContain("зима");
    expect((await read({ mode: "temporal", from: "2026-01-01", to: "2026-01-02" })).text).toContain("зима");
  });

  test("M-6 an agent reads its own memory only, unless the owner granted another's", async () => {
    const { use, garden } = await toolGround({ notes });
    await expect(use("read-memory", { agent: "other" })).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(use("memory-diff", { from: "2026-02-13", agent: "other" })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    const granted = await toolGround({ garden, slug: "reader", contract: "reads_memory_of: [archivist]" });
    expect(await granted.use("read-memory", { agent: "archivist" })).toMatchObject({ version: 0 });
  });

  test("M-5 memory-diff between commits and dates; propose-memory-update in its forms", async () => {
    const first = await toolGround({ notes });
    const { garden } = first;
    const rows: readonly (readonly [string, Json, unknown])[] = [
      [
        "a text is a fact",
        { content: "Липа стара." },
        {
          operations: [{ op: "append", file: "facts.md", text: "Липа стара." }],
          expectedVersion: 0,
          priority: "normal",
        },
      ],
      [
        "texts",
        { content: ["a", "b"], file: "open_loops.md", section: "Нове" },
        {
          operations: [
            { op: "append", file: "open_loops.md", section: "Нове", text: "a" },
            { op: "append", file: "open_loops.md", section: "Нове", text: "b" },
          ],
        },
      ],
      [
        "operations, important",
        { content: [{ op: "replace", file: "snapshot.md", text: "# S\n" }], priority: "high" },
        { priority: "high" },
      ],
      ["another's", { content: "x", agent: "other" }, /^FORBIDDEN/],
      [
        "a loop that does not exist",
        { content: [{ op: "close-loop", loop: "x" }] },
        /^VALIDATION_FAILED: operation 1: there is no open loop/,
      ],
    ];
    expect(await proposalResults(first, "propose-memory-update", rows)).toEqual(expectedResults(rows));
    await approved(
      garden,
      await wished(garden, "memory-update", {
        agent: "archivist",
        operations: [{ op: "append", file: "facts.md", text: "Дуб молодий." }],
        expectedVersion: 0,
      }),
    );
    const later = await toolGround({ garden, slug: "archivist" });
    const diff = await later.use("memory-diff", { from: "2026-02-13" });
    expect(diff).toMatchObject({
      agentId: "archivist",
      from: null,
      diff: expect.stringContaining("+- Дуб молодий.") as string,
    });
    expect((diff as { files: { file: string }[] }).files.map(({ file }) => file)).toContain("facts.md");
    const { to } = diff as { to: string };
    expect(await later.use("memory-diff", { from: to.slice(0, 12), to })).toMatchObject({ files: [], diff: "" });
    await expect(first.use("memory-diff", { from: to })).rejects.toMatchObject({ code: "NOT_FOUND" }); // it came after that run began
    await expect(later.use("memory-diff", { from: "0000" })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(later.use("memory-diff", { from: "учора" })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
  });
});

describe("M-2a M-5 M-6 search-memory and memory-snapshot", () => {
  const memory = {
    ...notes,
    "memory/archivist/facts.md": "# Facts\n\n- Бах написав шість сонат\n- Липа стара\n",
    "memory/other/facts.md": "# Facts\n\n- чужа соната\n",
  };
  const usedIn = async (garden: Garden): Promise<number | undefined> => {
    const stored = await garden.store.get(keys.memoryUse("archivist"));
    const { used } = JSON.parse(Buffer.from(stored?.bytes ?? Buffer.from("{}")).toString()) as { used?: object };
    return used && Object.keys(used).length;
  };

  test("facts returned by a search or a wide read count as used that day; basic returns no fact", async () => {
    const { use, garden } = await toolGround({ notes: memory });
    const seen: unknown[] = [];
    for (const [tool, input] of [
      ["read-memory", {}],
      ["search-memory", { запит: "соната" }],
      ["read-memory", { mode: "wide" }],
    ] as const) {
      await use(tool, input);
      seen.push(await usedIn(garden));
    }
    expect(seen).toEqual([undefined, 1, 2]);
    expect(await use("search-memory", { query: "сонати" })).toMatchObject({
      hits: [{ file: "facts.md", text: "Бах написав шість сонат", id: expect.stringMatching(/^fact-/) as string }],
      total: 1,
    });
  });

  test("lost records of use are restored from the journals of runs", async () => {
    const { use, garden, slug, run } = await toolGround({ notes: memory });
    const answer = await use("read-memory", { mode: "wide" });
    const step = { finished_at: "2026-02-14T08:00:00.000Z", input: { mode: "wide" }, output: answer };
    await garden.store.create(keys.runStep(slug, run, 2, "read-memory"), Buffer.from(JSON.stringify(step)));
    const before = await factUse(garden, slug, "2026-02-14");
    await garden.store.put(keys.memoryUse(slug), Buffer.from("{ damaged"));
    const damaged = await factUse(garden, slug, "2026-02-14");
    await garden.store.delete(keys.memoryUse(slug));
    expect({ size: before.size, damaged, restored: await factUse(garden, slug, "2026-02-14") }).toEqual({
      size: 2,
      damaged: before,
      restored: before,
    });
  });

  test("an agent archives its own memory once, and cannot search or archive another's", async () => {
    const { use } = await toolGround({ notes: memory });
    const first = await use("memory-snapshot");
    expect({ first, second: await use("memory-snapshot") }).toEqual({
      first: expect.objectContaining({ version: 1, files: 1 }),
      second: first,
    });
    await expect(use("search-memory", { query: "соната", agent: "other" })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    await expect(use("memory-snapshot", { agent: "other" })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
  });

  test("a value with the name of a part of the memory is under `values`", async () => {
    const { use } = await toolGround({
      notes: { ...notes, "memory/archivist/values.json": '{"facts": "mine", "last": 1}\n' },
    });
    expect(await use("read-memory", { mode: "wide" })).toMatchObject({ facts: "", last: 1, values: { facts: "mine" } });
  });
});
