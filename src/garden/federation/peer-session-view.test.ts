import { expect, test } from "vitest";
import { commandLineOwner } from "../../domain/identity.ts";
import { peerRefs } from "../../domain/layout.ts";
import { reviewProposal } from "../changes/effect/review.ts";
import { decide } from "../changes/proposals/decide.ts";
import { peerSessionState } from "../runs/session-states.ts";
import { reviewSession } from "../sessions/review-session.ts";
import { sessionCommitFiles, sessionCommitSizes } from "../sessions/session-files.ts";
import { showSession } from "../sessions/session-views.ts";
import { codeOf } from "../sessions/testing/space.ts";
import { sessionTraces } from "../sessions/traces.ts";
import { git } from "../testing/scratch.ts";
import { chooseSessions, followedGardens } from "./follow.ts";
import { herWork, mayMerge, proposedMerge, workingGardens } from "./testing/working-gardens.ts";

const by = commandLineOwner;

test("S-10 a session of another garden is read with its goal, commits, files, reviews and announcement", async () => {
  const gardens = await workingGardens();
  const { bob, bobDir } = gardens;
  await herWork(gardens, "scout", { "notes/cellar.md": "The cellar leaks\n" });
  await reviewSession(bob, { session: "alice/scout", outcome: "good", text: "Good" }, by);
  const shown = await showSession(bob, "alice/scout");
  const head = git(bobDir, "rev-parse", "refs/remotes/alice/agents/scout");
  expect(shown).toMatchObject({
    name: "alice/scout",
    goal: "Goal of scout",
    head: { commit: head, kind: "finding", message: "Found" },
    commits: [{ kind: "finding" }, { kind: "spawn" }],
    reviews: [{ outcome: "good", head }],
    origin: { peer: "alice", session: "scout", head, seq: 2 },
    isMoved: false,
  });
  const { files } = await sessionCommitFiles(bob.repo, "alice/scout", head);
  expect(files).toMatchObject([{ path: "notes/cellar.md", change: "added", added: 1 }]);
  expect((await sessionCommitSizes(bob.repo, "alice/scout"))[0]).toMatchObject({ commit: head, files: 1, added: 1 });
  const own = git(bobDir, "rev-parse", "main");
  expect([
    await codeOf(showSession(bob, "alice/nothing")),
    await codeOf(sessionCommitFiles(bob.repo, "alice/scout", own)),
  ]).toEqual(["NOT_FOUND", "NOT_FOUND"]);
});

test("S-10 another garden's session is open, waits with its proposal, and is merged until new work comes", async () => {
  const gardens = await workingGardens();
  const { bob } = gardens;
  await mayMerge(gardens);
  await herWork(gardens, "scout", { "notes/cellar.md": "The cellar leaks\n" });
  const state = async () => peerSessionState(bob, await showSession(bob, "alice/scout"));
  expect(await state()).toEqual({ state: "open" });
  const proposal = await proposedMerge(bob, "alice/scout");
  expect(await state()).toEqual({ state: "waiting", proposal: proposal.id });
  const { digest } = await reviewProposal(bob, proposal);
  await decide(bob, { proposal: proposal.id, verdict: "approve", digest, by });
  expect(await state()).toEqual({ state: "merged" });
  await herWork(gardens, "scout", { "notes/cellar.md": "The cellar is dry\n" });
  expect(await state()).toEqual({ state: "open" });
});

test("S-6 S-10 entries of another garden's traces that no garden writes are left out", async () => {
  const gardens = await workingGardens();
  const { bob, bobDir } = gardens;
  await herWork(gardens, "scout", { "notes/cellar.md": "The cellar leaks\n" });
  const head = git(bobDir, "rev-parse", "refs/remotes/alice/agents/scout");
  const entries = [null, "x", { kind: "say" }, { kind: "say", text: {} }, { kind: "say", text: "x", at: {} }];
  const strange = [
    { kind: "say", textId: "../../main" },
    { kind: "say", text: "The door was open" },
  ];
  const trace = { type: "console-trace", commit: head, agent: "scout", entries: [...entries, ...strange] };
  const lines = [trace, { ...trace, agent: {} }].map((line) => JSON.stringify(line)).join("\n");
  git(bobDir, "notes", `--ref=${peerRefs("alice").traces}`, "add", "-m", lines, head);
  expect(await sessionTraces(bob.repo, "alice/scout")).toMatchObject([
    { commit: head, traces: [{ agent: "scout", entries: [{ kind: "say", text: "The door was open" }] }] },
  ]);
});

test("S-10 sessions that are announced and not followed are listed beside those that are here", async () => {
  const gardens = await workingGardens();
  const { bob } = gardens;
  await herWork(gardens, "scout", { "notes/cellar.md": "The cellar leaks\n" });
  await herWork(gardens, "helper", { "notes/roof.md": "The roof is fine\n" });
  await chooseSessions(bob, "alice", ["helper"], by);
  const [alice] = await followedGardens(bob);
  expect([alice?.announced, alice?.sessions.map(({ name }) => name)]).toEqual([["helper", "scout"], ["helper"]]);
});
