import { describe, expect, test } from "vitest";
import { contractKey, keys, logicPath, MAIN_REF } from "../../../domain/layout.ts";
import type { Operation } from "../../../domain/proposal/operation.ts";
import { joinDiagrams, splitDiagrams } from "../../../drakon/diagram/called-diagrams.ts";
import type { Garden } from "../../core/garden.ts";
import { projectionCheck } from "../../insight/verify/logic-checks.ts";
import { logicTextAt } from "../../records/logic/logic-state.ts";
import { logicOfFiles } from "../../records/logic/proposed-logic.ts";
import { calledDrift } from "../../records/logic/stored-program.ts";
import { agent, drawn, stored, ukrainianGarden } from "../../records/logic/testing/agent.ts";
import { files, gardensLike, git } from "../../testing/scratch.ts";
import { applyProposal } from "../apply/apply-proposal.ts";
import { approved } from "../apply/testing/proposals.ts";
import { receive } from "../inbox/receive.ts";
import { addRemark, remarksOn } from "../proposals/remarks.ts";
import { noticeRevert } from "./notice-revert.ts";
import { projectLogic } from "./project-logic.ts";
import { logicDiff } from "./read-logic.ts";

const SLUG = "archivist";
const CHECK = "перевірка.drakon.json";
const CHECK_KEY = keys.diagram(SLUG, CHECK);
const MAIN = drawn("ВИКЛИКАТИ перевірка", "x ← read-notes()");
const [FIRST, SECOND] = [drawn("подивитися"), drawn("подивитися", "перевірити двічі")];
const rationale = { problem: "x", evidenceRuns: [] };

const update = (payload: { readonly diagram: string; readonly currentVersion?: string }): Operation => ({
  action: "logic-update",
  payload: { agent: SLUG, rationale, requiresHumanReview: true, ...payload },
});
const whole = (check: string): string => joinDiagrams({ main: MAIN, called: new Map([[CHECK, check]]) });

async function apply(garden: Garden, operation: Operation): Promise<string> {
  const { id } = await approved(garden, operation);
  const done = await applyProposal(garden, id, "owner");
  if (done.status !== "applied") throw new Error(JSON.stringify(done.apply_result));
  return done.apply_result!.git_commit!;
}

const head = async (garden: Garden): Promise<string> => (await garden.repo.resolve(MAIN_REF))!;
const at = async (garden: Garden, path: string): Promise<string | undefined> =>
  logicTextAt(garden.repo, await head(garden), path);

/** v001 calls a diagram that only the agent's folder had. */
const { open: withFirst } = gardensLike(async () => {
  const made = await ukrainianGarden();
  await agent(made.garden);
  await made.garden.store.create(CHECK_KEY, Buffer.from(FIRST));
  await apply(made.garden, update({ diagram: MAIN }));
  return made;
});

/** v002 changes the called diagram and nothing else. */
const { open: withSecond } = gardensLike(async () => {
  const made = await withFirst();
  return { ...made, second: await apply(made.garden, update({ currentVersion: "v001", diagram: whole(SECOND) })) };
});

describe("D-7 L-1 called diagrams are part of the logic version", () => {
  test("a version takes in the diagrams that it calls, and leaves the main file as it was", async () => {
    const { garden } = await withFirst();
    const current = splitDiagrams((await at(garden, logicPath.current(SLUG, "diagram")))!);
    expect(current).toEqual({ main: MAIN, called: new Map([[CHECK, FIRST]]) });
    expect(await stored(garden, keys.diagram(SLUG, "main-flow.drakon.json"))).toBe(MAIN);
    expect(await stored(garden, CHECK_KEY)).toBe(FIRST);
  });

  test("a change of a called diagram alone is a version with another behaviour, archived and exported", async () => {
    const { garden } = await withSecond();
    expect(await stored(garden, CHECK_KEY)).toBe(SECOND);
    expect(await at(garden, logicPath.archived(SLUG, "v001", "diagram"))).toBe(whole(FIRST));
    const behaviour = (check: string): string => logicOfFiles({ diagram: whole(check), procedure: "" }).behaviour;
    expect(behaviour(FIRST)).not.toBe(behaviour(SECOND));
    const diff = await logicDiff(garden, { slug: SLUG, from: "v001", to: "v002" });
    expect(diff.summary.en).toContain("in “перевірка”:");
    expect(diff.diff).toContain("перевірити двічі");
  });

  test("L-7 a rollback brings the called diagram back", async () => {
    const { garden } = await withSecond();
    await apply(garden, {
      action: "logic-rollback",
      payload: { agent: SLUG, currentVersion: "v002", toVersion: "v001", rationale, requiresHumanReview: true },
    });
    expect(await stored(garden, CHECK_KEY)).toBe(FIRST);
    expect(await at(garden, logicPath.current(SLUG, "diagram"))).toBe(whole(FIRST));
  });

  test("L-7 a git revert by hand brings the called diagram back as a new version", async () => {
    const { garden, dir, second } = await withSecond();
    git(dir, "revert", "--no-edit", second);
    expect(await noticeRevert(garden)).toMatchObject([{ slug: SLUG, version: "v003" }]);
    expect(await stored(garden, CHECK_KEY)).toBe(FIRST);
  });

  test("P-5 a proposal holds the called diagrams as they were when it was made", async () => {
    const { garden } = await withFirst();
    const received = await receive(garden, {
      identity: { type: "owner", via: "test" },
      action: "logic-update",
      payload: { agent: SLUG, diagram: drawn("ВИКЛИКАТИ перевірка", "крок"), rationale },
      summary: "x",
    });
    if (received.kind !== "accepted" || received.proposal.operation.action !== "logic-update")
      throw new Error("refused");
    const { called } = splitDiagrams(received.proposal.operation.payload.diagram!);
    expect(called).toEqual(new Map([[CHECK, FIRST]]));
  });

  test("D-2a a called diagram with errors is refused with its file", async () => {
    const { garden } = await withFirst();
    const broken = FIRST.replace('"type": "end"', '"type": "nothing"');
    const received = await receive(garden, {
      identity: { type: "owner", via: "test" },
      action: "logic-update",
      payload: { agent: SLUG, diagram: whole(broken), rationale },
      summary: "x",
    });
    expect(received.kind === "refused" && received.failure.message).toContain(CHECK);
  });

  test("an older version without its called diagrams is restored with today's ones: here that is no change", async () => {
    const { garden, dir } = await withSecond();
    // The archive of a garden from before: v001 with the main diagram alone.
    const archived = logicPath.archived(SLUG, "v001", "diagram");
    files(dir, { [archived]: MAIN });
    git(dir, "commit", "-qam", "An older archive");
    const restored = apply(garden, {
      action: "logic-rollback",
      payload: { agent: SLUG, currentVersion: "v002", toVersion: "v001", rationale, requiresHumanReview: true },
    });
    await expect(restored).rejects.toThrow(/v002 says just this already/);
  });
});

describe("D-6 a called diagram changed by hand", () => {
  test("is told as a drift, found by verify, and put right by an export", async () => {
    const { garden, dir } = await withSecond();
    const seen = async (): Promise<readonly string[]> => {
      const found: string[] = [];
      const open = { store: { kind: "open", value: garden.store }, repo: { kind: "open", value: garden.repo } };
      for await (const { where } of projectionCheck.run(open as never, undefined as never)) found.push(where);
      return found;
    };
    expect(await calledDrift(garden, await head(garden), SLUG)).toEqual([]);
    expect(await seen()).toEqual([]);
    files(dir, { [CHECK_KEY]: FIRST });
    expect((await calledDrift(garden, await head(garden), SLUG)).map(({ kind }) => kind)).toEqual(["called-diagram"]);
    expect(await seen()).toEqual([`store:${CHECK_KEY}`]);
    await projectLogic(garden, SLUG);
    expect(await stored(garden, CHECK_KEY)).toBe(SECOND);
    expect(await garden.store.get(contractKey(SLUG))).toBeDefined();
  });
});

describe("P-10c a comment on an icon", () => {
  const path = `logic/${SLUG}/current.drakon.json`;
  const by = { type: "owner", via: "test" } as const;

  test("is recorded with the text of the icon, in the main diagram and in a called one", async () => {
    const { garden } = await withFirst();
    const { id } = await approved(garden, update({ currentVersion: "v001", diagram: whole(SECOND) }));
    for (const place of [
      { path, icon: "2", side: "after" },
      { path, icon: "3", diagram: CHECK, side: "after" },
    ] as const)
      await addRemark(garden, { proposal: id, by, text: "Why?", place });
    const places = (await remarksOn(garden.store, id)).map(({ place }) => place);
    expect(places).toMatchObject([{ quote: "перевірка" }, { diagram: CHECK, quote: "перевірити двічі" }]);
  });

  test("is refused for an icon that the proposed diagram does not have", async () => {
    const { garden } = await withFirst();
    const { id } = await approved(garden, update({ currentVersion: "v001", diagram: whole(SECOND) }));
    const place = { path, icon: "99", side: "after" } as const;
    await expect(addRemark(garden, { proposal: id, by, text: "Why?", place })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
    });
    expect(await remarksOn(garden.store, id)).toEqual([]);
  });
});
