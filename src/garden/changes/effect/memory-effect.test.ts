import { describe, expect, test } from "vitest";
import { keys, MAIN_REF, memoryPath } from "../../../domain/layout.ts";
import { readMemoryMeta } from "../../../domain/memory/memory-meta.ts";
import type { MemoryOperation, Operation } from "../../../domain/proposal/operation.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { Garden } from "../../core/garden.ts";
import { memoryTextAt, readMemory } from "../../records/memory/memory-state.ts";
import { files, gardenWith, git } from "../../testing/scratch.ts";
import { applyProposal } from "../apply/apply-proposal.ts";
import { type Asker, approved, archivist, proposed } from "../apply/testing/proposals.ts";
import { prepareEffect } from "./effects.ts";

const SLUG = "archivist";
const update = (expectedVersion: number, ...operations: MemoryOperation[]): Operation => ({
  action: "memory-update",
  payload: { agent: SLUG, operations, expectedVersion, priority: "normal" },
});
const fact = (text: string, section?: string): MemoryOperation => ({
  op: "append",
  file: "facts.md",
  text,
  ...(section !== undefined && { section }),
});

async function apply(garden: Garden, operation: Operation, by: Asker = archivist): Promise<Proposal> {
  const { id } = await approved(garden, operation, by);
  return applyProposal(garden, id, "owner");
}
const at = async (garden: Garden, name: string): Promise<string | undefined> =>
  memoryTextAt(garden.repo, (await garden.repo.resolve(MAIN_REF))!, memoryPath.file(SLUG, name));
const versionOf = async (garden: Garden): Promise<number> =>
  (await readMemory(garden.repo, (await garden.repo.resolve(MAIN_REF))!, SLUG)).version;
const observations = async (garden: Garden): Promise<string> =>
  Buffer.from((await garden.store.get(keys.observations(SLUG)))?.bytes ?? []).toString();

describe("M-1 M-4 a memory update", () => {
  test("is one commit with the subject of the memory design and all files of memory", async () => {
    const { garden, dir } = await gardenWith();
    const { id } = await apply(
      garden,
      update(0, fact("Бах написав шість сонат"), {
        op: "observe",
        text: "Оброблено 2 нотатки",
        values: { last: "bwv1002" },
      }),
    );
    expect(git(dir, "log", "-1", "--format=%s")).toBe(`memory-update: ${SLUG} / ${archivist.run} / ${id}`);
    expect(git(dir, "show", "--name-only", "--format=").split("\n").toSorted()).toEqual([
      "memory/archivist/changelog.md",
      "memory/archivist/facts.md",
      "memory/archivist/meta.json",
      `memory/archivist/runs/${archivist.run}.md`,
      "memory/archivist/timeline/2026-02-14.md",
      "memory/archivist/values.json",
    ]);
    expect(await at(garden, "facts.md")).toBe("# Facts: archivist\n\n- Бах написав шість сонат\n");
    expect(readMemoryMeta(await at(garden, "meta.json"))).toMatchObject({
      version: 1,
      counts: { facts: 1, values: 1 },
    });
  });

  test("adds a line {ts, run, observation} to the store once, in any number of projections", async () => {
    const { garden } = await gardenWith();
    const proposal = await approved(garden, update(0, { op: "observe", text: "Нових нотаток немає" }), archivist);
    await applyProposal(garden, proposal.id, "owner");
    const line = (await observations(garden)).trimEnd();
    expect(JSON.parse(line)).toEqual({
      ts: expect.stringMatching(/^2026-02-14T08:/) as string,
      run: archivist.run,
      observation: "Нових нотаток немає",
    });
    const head = (await garden.repo.resolve(MAIN_REF))!;
    const moment = {
      proposal: proposal.id,
      at: (JSON.parse(line) as { ts: string }).ts,
      made: (JSON.parse(line) as { ts: string }).ts,
      by: SLUG,
      agent: undefined,
      run: archivist.run,
      summary: "",
    };
    const again = await prepareEffect({ garden, head, base: head, moment }, proposal.operation);
    if (again.kind === "ready") await again.project?.(garden, "owner");
    expect(await observations(garden)).toBe(`${line}\n`);
  });

  test("C-10 keeps lines that the owner added to the observations, or removed from them", async () => {
    const { garden } = await gardenWith();
    await apply(garden, update(0, { op: "observe", text: "one" }));
    const now = (await garden.store.get(keys.observations(SLUG)))!;
    await garden.store.swap(keys.observations(SLUG), now.hash, Buffer.from('{"mine":true}'));
    await apply(garden, update(1, { op: "observe", text: "two" }));
    const lines = (await observations(garden)).trimEnd().split("\n");
    expect({ lines: lines.length, first: lines[0], hasTwo: lines[1]?.includes('"two"') }).toEqual({
      lines: 2,
      first: '{"mine":true}',
      hasTwo: true,
    });
  });
});

describe("M-4 expectedVersion", () => {
  test("a stale append merges and keeps its effect; a stale replace of what changed is a version_conflict", async () => {
    const { garden } = await gardenWith();
    await apply(garden, update(0, fact("one", "A")));
    const stale = await proposed(garden, update(1, fact("two", "A")), archivist);
    const clash = await approved(
      garden,
      update(1, { op: "replace", file: "facts.md", section: "A", text: "mine" }),
      archivist,
    );
    await apply(garden, update(1, fact("three", "A")), { identity: "owner" });
    const head = (await garden.repo.resolve(MAIN_REF))!;
    const moment = {
      proposal: stale.id,
      at: stale.created_at,
      made: stale.created_at,
      by: SLUG,
      agent: undefined,
      run: archivist.run,
      summary: "",
    };
    expect(await prepareEffect({ garden, head, base: stale.base.revision, moment }, stale.operation)).toMatchObject({
      kind: "ready",
      merged: true,
      effect: stale.effect,
    });
    const failed = await applyProposal(garden, clash.id, "owner");
    expect({ status: failed.status, details: failed.apply_result?.error?.details }).toEqual({
      status: "failed",
      details: expect.objectContaining({ reason: "version_conflict", expected: 1, current: 2 }),
    });
    expect(await at(garden, "facts.md")).toContain("- three");
  });

  test("a version that never existed is refused", async () => {
    const { garden } = await gardenWith();
    const done = await apply(garden, update(7, fact("x")));
    expect({ status: done.status, code: done.apply_result?.error?.code }).toEqual({
      status: "failed",
      code: "CONCURRENT_MODIFICATION",
    });
  });

  test("G-5 an edit by hand counts as a version: it is not overwritten and does not block an append", async () => {
    const { garden, dir } = await gardenWith();
    await apply(garden, update(0, fact("one", "A")));
    files(dir, { "memory/archivist/facts.md": "# Facts: archivist\n\n## A\n\n- mine\n" });
    git(dir, "commit", "-qam", "by hand");
    expect(await versionOf(garden)).toBe(2);
    const replace: MemoryOperation = { op: "replace", file: "facts.md", section: "A", text: "agent's" };
    expect((await apply(garden, update(1, replace))).status).toBe("failed");
    expect((await apply(garden, update(1, fact("two", "A")))).status).toBe("applied");
    expect(await at(garden, "facts.md")).toBe("# Facts: archivist\n\n## A\n\n- mine\n- two\n");
    expect(await versionOf(garden)).toBe(3);
    expect((await apply(garden, update(3, replace))).status).toBe("applied");
  });

  test.each<[string, formerly: number, (dir: string) => void]>([
    ["a git revert", 2, (dir) => void git(dir, "revert", "--no-edit", "HEAD")],
    [
      "an edit by hand that was undone by hand",
      3,
      (dir) => {
        files(dir, { "memory/archivist/facts.md": "# F\n\n## A\n\n- mine\n" });
        git(dir, "commit", "-qam", "by hand");
        git(dir, "revert", "--no-edit", "HEAD");
      },
    ],
  ])(
    "M-4 after %s no version is reused, so a stale reader cannot replace text that it has not read",
    async (_, formerly, byHand) => {
      const { garden, dir } = await gardenWith();
      await apply(garden, update(0, fact("one", "A")));
      await apply(garden, update(1, fact("two", "A")));
      byHand(dir);
      await apply(garden, update(await versionOf(garden), fact("three", "A")));
      const replace: MemoryOperation = { op: "replace", file: "facts.md", section: "A", text: "x" };
      expect({
        stale: (await apply(garden, update(formerly, replace))).status,
        current: (await apply(garden, update(await versionOf(garden), replace))).status,
      }).toEqual({ stale: "failed", current: "applied" });
    },
  );

  test("two commits by hand are two versions, and an update read between them is stale", async () => {
    const { garden, dir } = await gardenWith();
    await apply(garden, update(0, fact("one", "A")));
    for (const text of ["first", "second"]) {
      files(dir, { "memory/archivist/facts.md": `# F\n\n## A\n\n- ${text}\n` });
      git(dir, "commit", "-qam", text);
    }
    const replace: MemoryOperation = { op: "replace", file: "facts.md", section: "A", text: "x" };
    expect({
      stale: (await apply(garden, update(2, replace))).status,
      current: (await apply(garden, update(3, replace))).status,
    }).toEqual({ stale: "failed", current: "applied" });
  });
});

test("a closed loop is a decision, in decisions.md and as a line in the store", async () => {
  const { garden } = await gardenWith();
  await apply(garden, update(0, { op: "append", file: "open_loops.md", text: "Знайти ноти" }));
  await apply(garden, update(1, { op: "close-loop", loop: "Знайти ноти", resolution: "у томі 2" }));
  expect(await at(garden, "decisions.md")).toBe("# Decisions: archivist\n\n- [x] 2026-02-14 Знайти ноти — у томі 2\n");
  const line = Buffer.from((await garden.store.get(keys.decisions(SLUG)))!.bytes).toString();
  expect(JSON.parse(line)).toMatchObject({ run: archivist.run, decision: "Знайти ноти — у томі 2" });
});

describe("refusals of a memory update", () => {
  test("a missing open loop is refused with the list of open ones, and nothing is written", async () => {
    const { garden } = await gardenWith();
    await apply(garden, update(0, { op: "append", file: "open_loops.md", text: "Знайти ноти" }));
    const before = await garden.repo.resolve(MAIN_REF);
    const done = await apply(garden, update(1, fact("x"), { op: "close-loop", loop: "інше" }));
    expect({ status: done.status, message: done.apply_result?.error?.message.en }).toEqual({
      status: "failed",
      message: expect.stringContaining("Знайти ноти"),
    });
    expect(await garden.repo.resolve(MAIN_REF)).toBe(before);
  });

  test("an update without a difference changes nothing", async () => {
    const { garden } = await gardenWith();
    await apply(garden, update(0, { op: "replace", file: "snapshot.md", text: "Все добре." }));
    const head = (await garden.repo.resolve(MAIN_REF))!;
    const moment = {
      proposal: "prop_x",
      at: "2026-02-14T09:00:00Z",
      made: "2026-02-14T09:00:00Z",
      by: "owner",
      agent: undefined,
      run: undefined,
      summary: "",
    };
    const again = update(1, { op: "replace", file: "snapshot.md", text: "Все добре." });
    expect((await prepareEffect({ garden, head, base: head, moment }, again)).kind).toBe("nothing");
  });
});
