import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Failure } from "../../../base/failure.ts";
import { contractKey, keys, logicPath, MAIN_REF } from "../../../domain/layout.ts";
import { readMeta } from "../../../domain/logic/logic-meta.ts";
import type { Operation, OperationOf } from "../../../domain/proposal/operation.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import { behaviourId } from "../../../drakon/canonical.ts";
import { checkText } from "../../../drakon/check.ts";
import type { Garden } from "../../core/garden.ts";
import { logicTextAt } from "../../records/logic/logic-state.ts";
import {
  agent,
  contractOf,
  drawn,
  finishedRun,
  ukrainianGarden as gardenWith,
  procedure,
  stored,
} from "../../records/logic/testing/agent.ts";
import { files, gardensLike, git } from "../../testing/scratch.ts";
import { applyProposal } from "../apply/apply-proposal.ts";
import { approved, owner } from "../apply/testing/proposals.ts";
import type { PreparedEffect } from "./effect.ts";
import { prepareEffect } from "./effects.ts";

const SLUG = "archivist";

const update = (over: Partial<OperationOf<"logic-update">["payload"]> = {}): Operation => ({
  action: "logic-update",
  payload: {
    agent: SLUG,
    rationale: { problem: "13 % помилок при порожньому snapshot", evidenceRuns: [] },
    requiresHumanReview: true,
    ...over,
  },
});
const rollback = (currentVersion: string, toVersion: string): Operation => ({
  action: "logic-rollback",
  payload: {
    agent: SLUG,
    currentVersion,
    toVersion,
    rationale: { problem: "гірше, ніж було", evidenceRuns: [] },
    requiresHumanReview: true,
  },
});

async function apply(garden: Garden, operation: Operation): Promise<Proposal> {
  const { id } = await approved(garden, operation);
  const done = await applyProposal(garden, id, "owner");
  if (done.status !== "applied") throw new Error(JSON.stringify(done.apply_result));
  return done;
}

async function prepare(garden: Garden, operation: Operation, over: { by?: string } = {}): Promise<PreparedEffect> {
  const head = (await garden.repo.resolve(MAIN_REF))!;
  const moment = {
    proposal: "prop_2026-02-14_090000_abc123",
    at: "2026-02-14T09:00:00Z",
    made: "2026-02-14T09:00:00Z",
    by: over.by ?? owner.identity,
    agent: undefined,
    run: undefined,
    summary: "",
  };
  return prepareEffect({ garden, head, base: head, moment }, operation);
}

async function refusal(garden: Garden, operation: Operation, by?: string): Promise<Failure> {
  const prepared = await prepare(garden, operation, by === undefined ? {} : { by });
  if (prepared.kind !== "refused") throw new Error(`not refused: ${prepared.kind}`);
  return prepared.failure;
}

const at = async (garden: Garden, path: string): Promise<string | undefined> =>
  logicTextAt(garden.repo, (await garden.repo.resolve(MAIN_REF))!, path);
const versionFiles = async (garden: Garden): Promise<string[]> =>
  (await garden.repo.list((await garden.repo.resolve(MAIN_REF))!, logicPath.versions(SLUG))).map(({ path }) =>
    path.slice(logicPath.versions(SLUG).length + 1),
  );

/** An agent with v001 and v002. */
const { open: twoVersions } = gardensLike(async () => {
  const made = await gardenWith();
  await agent(made.garden);
  await apply(made.garden, update({ diagram: drawn("x ← read-notes()") }));
  await apply(made.garden, update({ currentVersion: "v001", diagram: drawn("x ← read-notes()", "перевірити x") }));
  return made;
});

describe("L-3 adopting a version", () => {
  test("the first version has its files, its reason, and one commit", async () => {
    const { garden, dir } = await gardenWith();
    await agent(garden);
    const { id } = await apply(garden, update({ diagram: drawn("x ← read-notes()") }));
    expect(git(dir, "log", "-1", "--grep=^logic-", "--format=%s")).toBe(`logic-update: ${SLUG} v000→v001 / ${id}`);
    expect(git(dir, "log", "-1", "--grep=^logic-", "--name-only", "--format=").split("\n").toSorted()).toEqual([
      "logic/archivist/changelog.md",
      "logic/archivist/current.drakon.json",
      "logic/archivist/current.meta.json",
      "logic/archivist/current.pseudo.md",
      "logic/archivist/versions/v001.rationale.md",
    ]);
    expect(readMeta((await at(garden, logicPath.current(SLUG, "meta")))!)).toMatchObject({
      logicVersion: "v001",
      sourceProposal: id,
      runsOnThisVersion: 0,
    });
    expect(await at(garden, logicPath.current(SLUG, "pseudo"))).toContain(procedure("x ← read-notes()"));
  });

  test("the next one archives the current version byte for byte, and records why it was adopted", async () => {
    const { garden, dir } = await gardenWith();
    await agent(garden);
    await apply(garden, update({ diagram: drawn("x ← read-notes()") }));
    const before = await Promise.all(
      (["diagram", "pseudo", "meta"] as const).map((part) => at(garden, logicPath.current(SLUG, part))),
    );
    const { id } = await apply(garden, update({ currentVersion: "v001", diagram: drawn("крок") }));
    const frozen = await Promise.all(
      (["diagram", "pseudo", "meta"] as const).map((part) => at(garden, logicPath.archived(SLUG, "v001", part))),
    );
    expect(frozen).toEqual(before);
    expect(await versionFiles(garden)).toEqual([
      "v001.drakon.json",
      "v001.meta.json",
      "v001.pseudo.md",
      "v001.rationale.md",
      "v002.rationale.md",
    ]);
    expect(git(dir, "log", "-1", "--grep=^logic-", "--format=%s")).toBe(`logic-update: ${SLUG} v001→v002 / ${id}`);
    expect(await at(garden, logicPath.rationale(SLUG, "v002"))).toContain("13 % помилок");
    expect(await at(garden, logicPath.changelog(SLUG))).toMatch(
      /^# Logic Changelog: archivist\n\n## v002 — .*\n[\s\S]*## v001 — /,
    );
  });

  test("an agent without a diagram versions its text and meta alone", async () => {
    const { garden } = await gardenWith();
    await agent(garden);
    await apply(garden, update({ pseudocode: "Роби добре." }));
    await apply(garden, update({ currentVersion: "v001", pseudocode: "Роби краще." }));
    expect(await versionFiles(garden)).toEqual([
      "v001.meta.json",
      "v001.pseudo.md",
      "v001.rationale.md",
      "v002.rationale.md",
    ]);
    expect(await at(garden, logicPath.current(SLUG, "diagram"))).toBeUndefined();
    expect(await stored(garden, contractKey(SLUG))).toMatch(/logic_version: "v002"\n---\n\nРоби краще\.\n$/);
  });

  test("pseudocode alone is drawn as a diagram, or keeps the diagram if it means the same", async () => {
    const { garden } = await twoVersions();
    const same = await prepare(
      garden,
      update({ currentVersion: "v002", pseudocode: procedure("x ← read-notes()", "перевірити x") }),
    );
    expect(same.kind).toBe("nothing");
    await apply(garden, update({ currentVersion: "v002", pseudocode: procedure("нове") }));
    const tree = checkText((await at(garden, logicPath.current(SLUG, "diagram")))!).tree!;
    expect(behaviourId(tree)).toBe(behaviourId(checkText(drawn("нове")).tree!));
  });

  test("D-4b pseudocode copied from the file with its header changes only the icons whose text changed, and says which", async () => {
    const { garden } = await twoVersions();
    const file = (await at(garden, logicPath.current(SLUG, "pseudo")))!;
    const before = (await at(garden, logicPath.current(SLUG, "diagram")))!;
    const asked = update({ currentVersion: "v002", pseudocode: file.replace("перевірити x", "перевірити двічі") });
    expect((await prepare(garden, asked)) as unknown).toMatchObject({
      warnings: [{ en: expect.stringMatching(/new text \(1\): \d “перевірити двічі”$/) as string }],
    });
    await apply(garden, asked);
    expect(await at(garden, logicPath.current(SLUG, "diagram"))).toBe(
      before.replace("перевірити x", "перевірити двічі"),
    );
    expect(await stored(garden, keys.pseudocode(SLUG))).toBe(procedure("x ← read-notes()", "перевірити двічі"));
  });
});

describe("L-2 projection", () => {
  test("diagram, pseudocode and contract follow the version; prose, comments and status stay", async () => {
    const { garden } = await gardenWith();
    await agent(garden);
    const diagram = drawn("x ← read-notes()");
    await apply(garden, update({ diagram }));
    expect(await stored(garden, keys.diagram(SLUG, "main-flow.drakon.json"))).toBe(diagram);
    expect(await stored(garden, keys.pseudocode(SLUG))).toBe(procedure("x ← read-notes()"));
    const contract = (await stored(garden, contractKey(SLUG)))!;
    expect(contract).toContain("Ти — архіваріус.");
    expect(contract).toContain("version: 1.1.0 # перша");
    expect(contract).toContain('generated_from: "main-flow.drakon.json"');
    expect(contract).toContain('logic_version: "v001"');
    expect(contract).toContain("status: draft");
    expect(contract).toContain(procedure("x ← read-notes()").trimEnd());
  });

  test("a body marked as changed by hand is shown, replaced, and kept in the audit record", async () => {
    const { garden } = await twoVersions();
    const key = contractKey(SLUG);
    const now = (await garden.store.get(key))!;
    const byHand = Buffer.from(now.bytes)
      .toString()
      .replace('"main-flow.drakon.json"', '"main-flow.drakon.json # modified manually"')
      .replace("  перевірити x\n", "  перевірити інакше\n");
    await garden.store.swap(key, now.hash, Buffer.from(byHand));
    const operation = update({ currentVersion: "v002", diagram: drawn("нове") });
    const prepared = await prepare(garden, operation);
    const shown = prepared.kind === "ready" && prepared.review.find(({ path }) => path === `store:${key}`);
    expect(shown && shown.patch).toContain("-  перевірити інакше\n");
    expect(prepared.kind === "ready" && prepared.warnings.some(({ en }) => en.includes("by hand"))).toBe(true);
    await apply(garden, operation);
    expect(await stored(garden, key)).not.toContain("інакше");
    const page = await garden.store.list("audit/");
    const kept = page.entries.find(({ key: one }) => one.includes("body-replaced"));
    expect(await stored(garden, kept!.key)).toContain("перевірити інакше");
  });
});

describe("L-7 rollback", () => {
  test("is a new version with the old content and the old behaviour id", async () => {
    const { garden, dir } = await twoVersions();
    const first = (await at(garden, logicPath.archived(SLUG, "v001", "diagram")))!;
    const { id } = await apply(garden, rollback("v002", "v001"));
    expect(git(dir, "log", "-1", "--grep=^logic-", "--format=%s")).toBe(`logic-rollback: ${SLUG} v002→v003 / ${id}`);
    expect(await at(garden, logicPath.current(SLUG, "diagram"))).toBe(first);
    expect(await at(garden, logicPath.changelog(SLUG))).toContain("## v003 — rollback до v001 — ");
    expect(await stored(garden, keys.pseudocode(SLUG))).toBe(procedure("x ← read-notes()"));
    expect(await versionFiles(garden)).toContain("v002.drakon.json");
  });

  test("removes the diagram when it goes back to a version without one", async () => {
    const { garden } = await gardenWith();
    await agent(garden);
    await apply(garden, update({ pseudocode: "Роби добре." }));
    await apply(garden, update({ currentVersion: "v001", diagram: drawn("крок") }));
    await apply(garden, rollback("v002", "v001"));
    expect(await at(garden, logicPath.current(SLUG, "diagram"))).toBeUndefined();
    const contract = (await stored(garden, contractKey(SLUG)))!;
    expect(contract).not.toContain("generated_from");
    expect(contract.endsWith("---\n\nРоби добре.\n")).toBe(true);
  });

  test("restores the behaviour of a version after any versions in between", async () => {
    const steps = fc.array(fc.constantFrom("крок", "x ← read-notes()", "інше", "перевірити x"), {
      minLength: 1,
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 2, maxLength: 3 }), fc.nat(), async (versions, pick) => {
        const { garden } = await gardenWith({ "notes/a.md": "a\n" });
        await agent(garden);
        let current: string | undefined;
        const behaviours: string[] = [];
        for (const lines of versions) {
          const diagram = drawn(...lines);
          const wished = update({ ...(current !== undefined && { currentVersion: current }), diagram });
          if ((await prepare(garden, wished)).kind !== "ready") continue;
          await apply(garden, wished);
          behaviours.push(behaviourId(checkText(diagram).tree!));
          current = `v00${behaviours.length}`;
        }
        const to = pick % behaviours.length;
        const back = rollback(current!, `v00${to + 1}`);
        const prepared = await prepare(garden, back);
        if (prepared.kind === "nothing") return;
        await apply(garden, back);
        const text = (await at(garden, logicPath.current(SLUG, "diagram")))!;
        expect(behaviourId(checkText(text).tree!)).toBe(behaviours[to]);
      }),
      { numRuns: 2 },
    );
  });
});

describe("refusals", () => {
  test("D-2a a diagram with errors is refused with all of them", async () => {
    const { garden } = await twoVersions();
    const broken = JSON.stringify({
      items: { 1: { type: "branch", one: "2" }, 2: { type: "question", content: "", one: "9" } },
    });
    const failure = await refusal(garden, update({ currentVersion: "v002", diagram: broken }));
    expect((failure.details["findings"] as unknown[]).length).toBeGreaterThan(1);
    expect(failure.code).toBe("VALIDATION_FAILED");
  });

  const wrong: [what: string, Operation, code: string, words: RegExp][] = [
    [
      "pseudocode that says something else than the diagram",
      update({ currentVersion: "v002", diagram: drawn("a"), pseudocode: procedure("b") }),
      "VALIDATION_FAILED",
      /does not say what the diagram says/,
    ],
    [
      "pseudocode that cannot be read",
      update({ currentVersion: "v002", pseudocode: "ПОЧАТОК\n  ЯКЩО\nКІНЕЦЬ" }),
      "VALIDATION_FAILED",
      /line 2/,
    ],
    ["neither diagram nor pseudocode", update({ currentVersion: "v002" }), "VALIDATION_FAILED", /needs a diagram/],
    ["a stale version", update({ currentVersion: "v001", diagram: drawn("a") }), "CONCURRENT_MODIFICATION", /at v002/],
    ["a first version where there is one", update({ diagram: drawn("a") }), "CONCURRENT_MODIFICATION", /at v002/],
    [
      "an insertion of a diagram that is missing",
      update({ currentVersion: "v002", diagram: drawn("a").replace('"type": "action"', '"type": "insertion"') }),
      "VALIDATION_FAILED",
      /missing/,
    ],
    ["an unknown version to go back to", rollback("v002", "v007"), "NOT_FOUND", /v007/],
    [
      "an unknown agent",
      {
        ...update(),
        payload: { ...(update().payload as OperationOf<"logic-update">["payload"]), agent: "nobody" },
      } as Operation,
      "NOT_FOUND",
      /nobody/,
    ],
    [
      "evidence that does not exist",
      update({ currentVersion: "v002", diagram: drawn("a"), rationale: { problem: "x", evidenceRuns: ["run_098"] } }),
      "VALIDATION_FAILED",
      /run_098/,
    ],
    [
      "L-1a more than 8,000 tokens",
      update({
        currentVersion: "v002",
        diagram: drawn(...Array.from({ length: 900 }, (_, n) => `перевірити нотатку номер ${n} ще раз уважно`)),
      }),
      "VALIDATION_FAILED",
      /8000 tokens/,
    ],
  ];

  test("each invalid change is refused with its own message", async () => {
    const { garden } = await twoVersions();
    for (const [what, operation, code, words] of wrong) {
      const failure = await refusal(garden, operation);
      expect({ what, code: failure.code, message: failure.text.en }).toEqual({
        what,
        code,
        message: expect.stringMatching(words),
      });
    }
  });

  test("L-6 evidence is required from agents, and from the owner once there are runs; an existing run is enough", async () => {
    const { garden } = await twoVersions();
    const wished = (evidenceRuns: string[]): Operation =>
      update({ currentVersion: "v002", diagram: drawn("a"), rationale: { problem: "x", evidenceRuns } });
    expect((await prepare(garden, wished([]))).kind).toBe("ready");
    expect((await refusal(garden, wished([]), "optimizer")).text.en).toMatch(/at least one run/);
    await finishedRun(garden, SLUG, "run_2026-02-13_080000_abc123");
    expect((await refusal(garden, wished([]))).text.en).toMatch(/at least one run/);
    expect((await prepare(garden, wished(["run_2026-02-13_080000_abc123"]), { by: "optimizer" })).kind).toBe("ready");
  });

  test("L-6 a run after the owner's proposal does not invalidate it", async () => {
    const { garden } = await twoVersions();
    await finishedRun(garden, SLUG, "run_2026-02-14_090001_abc123");
    expect((await prepare(garden, update({ currentVersion: "v002", diagram: drawn("a") }))).kind).toBe("ready");
  });

  test("L-1a a diagram above 50 KB has a warning, and its review describes the change", async () => {
    const { garden } = await twoVersions();
    const big = JSON.parse(drawn("a")) as Record<string, unknown>;
    const prepared = await prepare(
      garden,
      update({ currentVersion: "v002", diagram: JSON.stringify({ ...big, "x-notes": "y".repeat(60_000) }) }),
    );
    expect(prepared.kind === "ready" && prepared.warnings.some(({ en }) => en.includes("50 KB"))).toBe(true);
    const diagram =
      prepared.kind === "ready" && prepared.review.find(({ path }) => path.endsWith("current.drakon.json"));
    expect(diagram && diagram.summary?.en).toMatch(/risk: /);
  });

  test("P-7 logic changed by hand since the proposal was made is never merged", async () => {
    const { garden, dir } = await twoVersions();
    const { id } = await approved(garden, update({ currentVersion: "v002", diagram: drawn("a") }));
    files(dir, { "logic/archivist/current.pseudo.md": "# інше\n" });
    git(dir, "commit", "-qam", "by hand");
    const done = await applyProposal(garden, id, "owner");
    expect({ status: done.status, code: done.apply_result?.error?.code }).toEqual({
      status: "failed",
      code: "CONCURRENT_MODIFICATION",
    });
  });
});

test("contracts made for these tests are valid", async () => {
  const { garden } = await gardenWith();
  await agent(garden, SLUG, contractOf(SLUG, 'x-note: "y"\n'));
  expect((await prepare(garden, update({ pseudocode: "Роби." }))).kind).toBe("ready");
});
