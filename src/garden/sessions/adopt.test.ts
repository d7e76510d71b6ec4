import { describe, expect, test } from "vitest";
import { sessionBranch, sessionDossier } from "../../domain/layout.ts";
import { adoptSession } from "./adopt-session.ts";
import { sessionGraph } from "./session-graph.ts";
import { spawnSessionAt } from "./spawn-session.ts";
import { committed } from "./testing/branch-checks.ts";
import { codeOf, newSpace, type SessionSpace } from "./testing/space.ts";
import { say, textsOf, traced } from "./testing/trace-checks.ts";
import { briefingOf, sessionHead, sessionLog } from "./topology.ts";

const kept = { genesis: "kept", dossier: "kept" };

/** A session of two commits with traces, on main, checked out by a person. */
async function checkedOut(): Promise<SessionSpace> {
  const space = await newSpace();
  space.git("commit", "-q", "--allow-empty", "-m", "Begin");
  const main = space.git("rev-parse", "HEAD");
  await spawnSessionAt(space, main, { name: "scout", briefing: { goal: "Find the leak", room: "cellar" } });
  for (const text of ["one", "two"]) {
    await say(space, text);
    await traced(space, "scout", { [`${text}.md`]: text, "one.md": "one" });
  }
  space.git("checkout", "-q", "agents/scout");
  return space;
}
const messages = async (space: SessionSpace): Promise<(string | undefined)[]> =>
  (await sessionLog(space.repo, "scout")).commits.map(
    ({ commit, typed }) => typed?.kind ?? commit.message.split("\n")[0],
  );
const allTexts = async (space: SessionSpace): Promise<string[]> => {
  const { commits } = await sessionLog(space.repo, "scout");
  return (await Promise.all(commits.map(({ commit }) => textsOf(space, commit.oid)))).flat().toSorted();
};
const byHand = (space: SessionSpace, message: string): string =>
  space.git("commit", "-q", "--allow-empty", "-m", message);

describe("S-2 S-6 a branch that a person worked on is taken up again", () => {
  test("commits by hand are part of the log, and nothing needs to be put right", async () => {
    const space = await checkedOut();
    byHand(space, "By hand");
    const head = await sessionHead(space.repo, "scout");
    expect(await adoptSession(space, { name: "scout" })).toMatchObject({ ...kept, head, byHand: 1 });
    await committed(space, "scout", { "one.md": "next" });
    expect(await messages(space)).toEqual(["finding", "By hand", "finding", "finding", "spawn"]);
  });

  test("a rebased branch keeps its goal and its traces, and its dossier names the new spawn commit", async () => {
    const space = await checkedOut();
    space.git("checkout", "-q", "main");
    byHand(space, "Main goes on");
    space.git("checkout", "-q", "agents/scout");
    space.git("rebase", "-q", "--keep-empty", "main");
    expect(await adoptSession(space, { name: "scout" })).toMatchObject({ genesis: "kept", dossier: "repaired" });
    expect(await adoptSession(space, { name: "scout" })).toMatchObject({
      ...kept,
      rebound: { bound: [], orphans: [] },
    });
    expect([await messages(space), await allTexts(space)]).toEqual([
      ["finding", "finding", "spawn"],
      ["one", "two"],
    ]);
    expect(await briefingOf(space.repo, "scout")).toMatchObject({ goal: "Find the leak", room: "cellar" });
  });

  test("a branch whose spawn commit was dropped gets one on top, which says where the branch began", async () => {
    const space = await checkedOut();
    const main = space.git("rev-parse", "main");
    space.git("rebase", "-q", "--onto", main, "agents/scout~2"); // without the spawn commit
    await say(space, "not yet in a commit");
    expect(await adoptSession(space, { name: "scout" })).toMatchObject({ genesis: "made", dossier: "repaired" });
    expect(await messages(space)).toEqual(["spawn", "finding", "finding"]);
    expect(await allTexts(space)).toEqual(["not yet in a commit", "one", "two"]);
    const head = await sessionHead(space.repo, "scout");
    expect(await adoptSession(space, { name: "scout" })).toMatchObject({ ...kept, head });
    await committed(space, "scout", { "one.md": "next" });
    const { lanes } = await sessionGraph(space.repo, ["scout"]);
    expect([lanes[0]!.from, lanes[0]!.goal, lanes[0]!.commits.length]).toEqual([main, "Find the leak", 4]);
  });

  test("a branch that a person made becomes a session with the goal that is named", async () => {
    const space = await checkedOut();
    space.git("checkout", "-q", "-b", "agents/mine", "main");
    byHand(space, "Mine");
    expect(await codeOf(adoptSession(space, { name: "mine" }))).toBe("VALIDATION_FAILED");
    const adopted = await adoptSession(space, { name: "mine", goal: "My own work" });
    expect(adopted).toMatchObject({ genesis: "made", dossier: "made", byHand: 1 });
    await committed(space, "mine", { "m.md": "m" });
    const { commits } = await sessionLog(space.repo, "mine");
    expect(commits.map(({ typed }) => typed?.kind)).toEqual(["finding", "spawn", undefined]);
    expect((await briefingOf(space.repo, "mine"))?.goal).toBe("My own work");
    expect(commits[0]!.typed?.fields["briefing"]).toBe(commits[1]!.typed?.fields["briefing"]);
  });

  test("a lost dossier is made again with the whole briefing, or with the goal alone where that is gone too", async () => {
    const space = await checkedOut();
    space.git("update-ref", "-d", sessionDossier("scout"));
    expect(await adoptSession(space, { name: "scout" })).toMatchObject({ genesis: "kept", dossier: "made" });
    expect(await briefingOf(space.repo, "scout")).toMatchObject({ goal: "Find the leak", room: "cellar" });
    expect([
      await codeOf(adoptSession(space, { name: "nobody" })),
      space.git("rev-parse", sessionBranch("scout")),
    ]).toEqual(["NOT_FOUND", await sessionHead(space.repo, "scout")]);
  });
});
