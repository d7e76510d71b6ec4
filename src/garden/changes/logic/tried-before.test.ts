import { appendFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../../../base/canonical.ts";
import { commandLineOwner } from "../../../domain/identity.ts";
import { MAIN_REF } from "../../../domain/layout.ts";
import { editMarks, holdsEdit } from "../../../drakon/compare/edit-marks.ts";
import { readDiagram } from "../../../drakon/diagram/diagram.ts";
import { diagramFromTree } from "../../../drakon/from-tree/diagram-from-tree.ts";
import { parsePseudocode } from "../../../drakon/text/parse.ts";
import { createAgent } from "../../agents/lifecycle/create-agent.ts";
import { sampleRun } from "../../core/flow/testing/sample-run.ts";
import type { Garden } from "../../core/garden.ts";
import { readProposal } from "../../records/proposals/proposal-log.ts";
import { oneGarden } from "../../runs/testing/one-garden.ts";
import { type ToolGround, toolGround } from "../../runs/tools/testing/tool-ground.ts";
import { approved, wished } from "../../testing/tended-garden.ts";
import { reviewProposal } from "../effect/review.ts";
import { decide } from "../proposals/decide.ts";
import { earlierAttempts } from "./tried-before.ts";

const procedure = (...lines: string[]): string => `BEGIN "Rounds"\n${lines.map((line) => `  ${line}\n`).join("")}END\n`;
const drawn = (text: string): string => diagramFromTree(parsePseudocode(text).tree!).source.text;
const marks = (before: string, after: string): ReadonlySet<string> =>
  editMarks(readDiagram(drawn(before)).diagram, readDiagram(drawn(after)).diagram);

const READ = "notes ← read-notes(folder)";
const TELL = 'write-memory("done")';
const GUARD = ["IF notes are empty", "  → END"];
const plain = procedure(READ, TELL);
const guarded = procedure(READ, ...GUARD, TELL);

describe("Z-4 the same edit", () => {
  const other = procedure(READ, "count ← length(notes)", TELL);
  const rows: [string, ReadonlySet<string>, boolean][] = [
    ["the edit itself", marks(plain, guarded), true],
    ["the edit in another version", marks(other, procedure(READ, ...GUARD, "count ← length(notes)", TELL)), true],
    ["the edit together with more", marks(plain, procedure(READ, ...GUARD, TELL, 'write-memory("more")')), true],
    ["the edit at another place", marks(plain, procedure(READ, TELL, ...GUARD, 'write-memory("more")')), false],
    ["the edit with another condition", marks(plain, procedure(READ, "IF length(notes) < 2", "  → END", TELL)), false],
    ["another edit", marks(plain, other), false],
    ["no edit", marks(plain, plain), false],
  ];
  test.each(rows)("is recognised only in full and at its place: %s", (_, within, expected) => {
    expect(holdsEdit(marks(plain, guarded), within)).toBe(expected);
  });
  test("is not found for an empty change", () =>
    expect(holdsEdit(marks(plain, plain), marks(plain, guarded))).toBe(false));
});

describe("Z-4 earlier attempts", () => {
  const one = oneGarden();
  let garden: Garden;
  let ground: ToolGround;
  let runs: string[];

  /** v001 plain, v002 guarded, v003 back to v001, v004 with a count; then two runs, and an optimizer that may propose. */
  beforeAll(async () => {
    garden = one();
    const bytes = Buffer.from(drawn(plain));
    const from = { kind: "diagram", file: "main-flow.drakon.json", bytes } as const;
    await createAgent(garden, { slug: "gardener", by: commandLineOwner, language: "en", from });
    await changed("logic-update", { diagram: drawn(guarded), rationale: "It went on with nothing" });
    await changed("logic-rollback", { toVersion: "v001", rationale: "It stopped too often" });
    await changed("logic-update", {
      diagram: drawn(procedure(READ, "count ← length(notes)", TELL)),
      rationale: "To know how many",
    });
    runs = [];
    for (let count = 0; count < 2; count++)
      runs.push((await sampleRun(garden, { slug: "gardener", logic: "v004" })).run);
    appendFileSync(
      `${garden.dir}/garden.yaml`,
      "grants:\n  - { agent: optimizer, actions: [logic-update, logic-rollback], on: [gardener] }\n",
    );
    ground = await toolGround({ garden, slug: "optimizer" });
  });

  const changed = async (action: string, payload: object): Promise<void> => {
    await approved(garden, await wished(garden, action, { agent: "gardener", ...payload }));
  };
  let calls = 0;
  const propose = (input: Record<string, Json>): Promise<Json> =>
    ground.use(
      "propose-logic-update",
      { agent: "gardener", rationale: "It fails.", evidenceRuns: runs.slice(0, 1), ...input },
      { key: `call ${calls++}` },
    );
  const withCount = procedure(READ, ...GUARD, "count ← length(notes)", TELL);
  const fresh = drawn(procedure(READ, "count ← length(notes)", 'write-memory("counted")', TELL));

  test("are read from the archive and the changelog, the most serious first", async () => {
    const told = async (text: string) =>
      (await earlierAttempts(garden, { slug: "gardener", diagram: drawn(text), procedure: text })).map(
        ({ kind, same, version, why }) => ({ kind, same, version, why }),
      );
    expect({
      guarded: await told(guarded),
      withCount: await told(withCount),
      plain: await told(plain),
      counted: await told(procedure(READ, "count ← length(notes)", TELL)),
      read: await told(procedure(READ)),
    }).toEqual({
      guarded: [{ kind: "taken-back", same: "behaviour", version: "v002", why: "It stopped too often" }],
      withCount: [{ kind: "taken-back", same: "edit", version: "v002", why: "It stopped too often" }],
      plain: [
        { kind: "former", same: "behaviour", version: "v003", why: "It stopped too often" },
        { kind: "former", same: "behaviour", version: "v001", why: expect.any(String) as string },
      ],
      counted: [],
      read: [],
    });
  });

  const refusals: [string, () => Record<string, Json>, string, string][] = [
    ["the logic that was rolled back", () => ({ diagram: drawn(guarded) }), "DUPLICATE_ENTRY", "taken back by v003"],
    [
      "the same edit in a new version",
      () => ({ diagram: drawn(withCount) }),
      "DUPLICATE_ENTRY",
      "the same edit was in v002",
    ],
    ["the same in pseudocode", () => ({ content: withCount }), "DUPLICATE_ENTRY", "the same edit was in v002"],
    [
      "a rollback to a version that was rolled back",
      () => ({ toVersion: "v002" }),
      "DUPLICATE_ENTRY",
      "taken back by v003",
    ],
    [
      "evidence that does not exist",
      () => ({ diagram: fresh, evidenceRuns: ["run_2026-01-01_000000_zzzzzz"] }),
      "VALIDATION_FAILED",
      "no finished run of gardener",
    ],
    ["no evidence", () => ({ diagram: fresh, evidenceRuns: [] }), "VALIDATION_FAILED", "at least one run"],
    ["no diagram at all", () => ({ diagram: "{}" }), "VALIDATION_FAILED", "the diagram has errors"],
    [
      "a loop without an end",
      () => ({ content: procedure(READ, "REPEAT", `  ${TELL}`) }),
      "VALIDATION_FAILED",
      "every loop has an exit",
    ],
    [
      "a tool that the contract does not grant",
      () => ({ content: procedure(READ, 'answer ← ask-human("?")', TELL) }),
      "VALIDATION_FAILED",
      "not in tools[]",
    ],
  ];
  test.each(refusals)("Z-5 make an agent's proposal refused with its reason: %s", async (_, input, code, words) => {
    expect(await propose(input())).toMatchObject({
      status: "refused",
      code,
      reason: expect.stringContaining(words) as string,
    });
  });

  test("may be proposed again by the owner, who sees the report", async () => {
    const proposal = await wished(garden, "logic-update", {
      agent: "gardener",
      diagram: drawn(guarded),
      rationale: { problem: "Once more", evidenceRuns: runs },
    });
    expect(proposal.status).toBe("pending");
  });

  test("count a rejection until there is new evidence, and two optimizers make one proposal", async () => {
    const other = await toolGround({ garden, slug: "second" });
    appendFileSync(`${garden.dir}/garden.yaml`, "  - { agent: second, actions: [logic-update], on: [gardener] }\n");
    const { proposal: id } = (await propose({ diagram: fresh })) as { proposal: string };
    const wish = { agent: "gardener", rationale: "It fails.", evidenceRuns: runs.slice(0, 1), diagram: fresh };
    const second = await other.use("propose-logic-update", wish);
    const { digest } = await reviewProposal(garden, await readProposal(garden.store, id));
    await decide(garden, { proposal: id, verdict: "reject", digest, by: commandLineOwner, note: "Say what it is for" });
    const again = await propose({ diagram: fresh });
    const byOther = await other.use("propose-logic-update", wish, { key: "again" });
    const more = await propose({ diagram: fresh, evidenceRuns: runs });
    expect({ second, again, byOther, more }).toMatchObject({
      second: { status: "refused", code: "DUPLICATE_ENTRY", same_as: id },
      again: {
        status: "refused",
        code: "DUPLICATE_ENTRY",
        reason: expect.stringContaining("Say what it is for") as string,
      },
      byOther: {
        status: "refused",
        code: "DUPLICATE_ENTRY",
        reason: expect.stringContaining("Say what it is for") as string,
      },
      more: { status: "pending" },
    });
  });

  test("are in versions/, which no proposal can change", async () => {
    const before = await garden.repo.list((await garden.repo.resolve(MAIN_REF))!, "logic/gardener/versions");
    const path = "logic/gardener/versions/v001.drakon.json";
    const asked = await ground
      .use("create-proposal", { type: "propose-edit", note: path, content: "{}" })
      .catch((error: { code: string }) => ({ status: "refused", code: error.code }));
    const after = await garden.repo.list((await garden.repo.resolve(MAIN_REF))!, "logic/gardener/versions");
    expect({ asked, after }).toMatchObject({ asked: { status: "refused" }, after: before });
  });

  test("that were rolled back twice in a row leave the third change to a person", async () => {
    const bytes = Buffer.from(drawn(plain));
    const from = { kind: "diagram", file: "main-flow.drakon.json", bytes } as const;
    await createAgent(garden, { slug: "circle", by: commandLineOwner, language: "en", from });
    const change = (action: string, payload: object) =>
      wished(garden, action, { agent: "circle", rationale: "Try", ...payload }).then((made) => approved(garden, made));
    const idea = drawn(procedure(READ, TELL, 'write-memory("third")'));
    const kinds = async () =>
      (await earlierAttempts(garden, { slug: "circle", diagram: idea, procedure: "" })).map(({ kind, version }) => [
        kind,
        version,
      ]);
    const told: unknown[] = [];
    for (const step of ["first", "second"]) {
      await change("logic-update", { diagram: drawn(procedure(READ, TELL, `write-memory("${step}")`)) });
      told.push(await kinds());
      await change("logic-rollback", { toVersion: "v001" });
    }
    told.push(await kinds());
    expect(told).toEqual([[], [], [["circling", "v004"]]]);
  });
});
