import { expect, test } from "vitest";
import { MAIN_REF } from "../../domain/layout.ts";
import { MERGES } from "../../domain/session/edges.ts";
import { MAIN_SESSION } from "../../domain/session/session-name.ts";
import { closeGarden } from "../core/garden.ts";
import { headOf } from "../core/main-head.ts";
import { commitSession } from "../sessions/commit-session.ts";
import { relateSessions } from "../sessions/edge-stream.ts";
import { mergeSession } from "../sessions/merge-session.ts";
import { spawnSessionAt, spawnSessionFrom } from "../sessions/spawn-session.ts";
import { sessionHead } from "../sessions/topology.ts";
import { gardenWith } from "../testing/scratch.ts";
import { sessionsWithStates } from "./session-states.ts";

test("S-4 a merged session is open again as soon as it has a commit of its own, until that is merged too", async () => {
  const { garden } = await gardenWith({ "notes/a.md": "a\n" });
  const { repo } = garden;
  const states = async () =>
    Object.fromEntries((await sessionsWithStates(garden)).sessions.map(({ name, state }) => [name, state]));
  const work = async (name: string, text: string): Promise<void> => {
    const edits = [{ path: `notes/${name}.md`, bytes: Buffer.from(text) }];
    const wish = { expect: await sessionHead(repo, name), kind: "finding", message: "Work", tree: { edits } };
    expect(await commitSession(garden, name, wish)).toMatchObject({ kind: "committed" });
  };
  const mergeIntoMain = async (name: string): Promise<void> => {
    const [from, theirs] = [await headOf(repo), await sessionHead(repo, name)];
    const by = { name: "Owner", email: "owner@example.org", at: 1_800_000_000_000 };
    const draft = { parents: [from, theirs], edits: [], author: by, committer: by, message: "Merge" };
    const to = await repo.build({ ...draft, tree: (await repo.commit(theirs)).tree });
    expect(await repo.move([{ ref: MAIN_REF, from, to }])).toMatchObject({ kind: "moved" });
    await relateSessions(garden, { kind: MERGES, from: MAIN_SESSION, to: name });
  };
  await spawnSessionAt(garden, await headOf(repo), { name: "scout", briefing: { goal: "Scout" } });
  await spawnSessionFrom(garden, "scout", { name: "helper", briefing: { goal: "Help" } });
  await work("helper", "1\n");
  expect(await states()).toEqual({ helper: "open", scout: "open" });
  await mergeSession(garden, { into: "scout", from: "helper" });
  await mergeIntoMain("scout");
  expect(await states()).toEqual({ helper: "merged", scout: "merged" });
  await work("helper", "2\n");
  await work("scout", "1\n");
  expect(await states()).toEqual({ helper: "open", scout: "open" });
  await mergeSession(garden, { into: "scout", from: "helper" });
  expect(await states()).toEqual({ helper: "merged", scout: "open" });
  await mergeIntoMain("scout");
  expect(await states()).toEqual({ helper: "merged", scout: "merged" });
  await closeGarden(garden);
});
