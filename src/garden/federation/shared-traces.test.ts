import { describe, expect, test } from "vitest";
import type { Oid } from "../../domain/git/git-names.ts";
import { ANNOUNCE_REF, peerRefs, SHARED_TRACES_REF, sessionBranch, TRACE_REF } from "../../domain/layout.ts";
import { committed } from "../sessions/testing/branch-checks.ts";
import { reopened } from "../sessions/testing/space.ts";
import { traced } from "../sessions/testing/trace-checks.ts";
import { recordTrace } from "../sessions/trace-buffer.ts";
import { announceSessions } from "./announce.ts";
import { trackingFindings } from "./chain-findings.ts";
import { changePeer } from "./peer-book.ts";
import { announcedTraces } from "./shared-traces.ts";
import {
  accepted,
  aliceKey,
  expectRefused,
  following,
  forged,
  granted,
  ownedSession,
  published,
  sent,
  type TwoGardens,
  tracking,
} from "./testing/two-gardens.ts";

const TRACES = peerRefs("alice").traces;
const TRACKED = "refs/remotes/alice/agents/scout";

/** Announces these sessions with their traces, and sends everything as `publishSessions` does. */
async function publishedWithTraces(gardens: TwoGardens, sessions: readonly string[], traces?: boolean): Promise<void> {
  await announceSessions(gardens.alice, aliceKey, sessions, undefined, () =>
    announcedTraces(gardens.alice, sessions, traces),
  );
  sent(gardens, "+refs/heads/agents/*:refs/heads/agents/*", "+refs/agentic/agents/*:refs/agentic/agents/*");
  sent(gardens, `+${ANNOUNCE_REF}:${ANNOUNCE_REF}`, `+${SHARED_TRACES_REF}:${TRACE_REF}`);
}

const said = (gardens: TwoGardens, session: string, text: string): Promise<number> =>
  recordTrace(gardens.alice, session, { kind: "say", text });

describe("S-10 traces over federation", () => {
  test("F8 F9 traces land where git log shows them, and only with a grant for notes", async () => {
    const gardens = await following();
    await said(gardens, "scout", "The door was open");
    const commit = await traced(gardens.alice, "scout", { "a.md": "one" });
    await publishedWithTraces(gardens, ["scout"], true);
    await expectRefused(gardens, "not-allowed");
    await granted(gardens, "console-trace", ["notes"]);
    expect(await accepted(gardens)).toMatchObject({ kind: "accepted", seq: 2 });
    expect(tracking(gardens)).toContain(TRACES);
    const log = gardens.bob.git("log", "-1", `--notes=${TRACES}`, commit);
    expect(log).toContain("The door was open");
  });

  test("N22 others get the traces of published sessions only, without the secrets known now", async () => {
    const { alice: first, ...gardens } = await following();
    await ownedSession(first, "hidden");
    const before: TwoGardens = { ...gardens, alice: first };
    await said(before, "hidden", "A private thought");
    await traced(first, "hidden", { "h.md": "h" });
    await said(before, "scout", `The word is open-sesame ${"long ".repeat(400)}`);
    const commit = await traced(first, "scout", { "a.md": "one" });
    const alice = await reopened(first.dir, { secrets: ["open-sesame"] });
    const later: TwoGardens = { ...gardens, alice };
    await publishedWithTraces(later, ["scout"], true);
    await granted(later, "console-trace", ["notes"]);
    expect(await accepted(later)).toMatchObject({ kind: "accepted" });
    const all = later.bob.git("log", "-p", TRACES);
    expect([all.includes("private thought"), all.includes("open-sesame"), all.includes("[redacted]")]).toEqual([
      false,
      false,
      true,
    ]);
    expect(later.bob.git("log", "-1", `--notes=${TRACES}`, commit)).toContain("console-trace");
  });

  test("traces stay announced with later commits, until they or their session are withdrawn", async () => {
    const gardens = await following();
    await granted(gardens, "console-trace", ["notes"]);
    await said(gardens, "scout", "First");
    const one = await traced(gardens.alice, "scout", { "a.md": "one" });
    await publishedWithTraces(gardens, ["scout"], true);
    await said(gardens, "scout", "Second");
    const two = await traced(gardens.alice, "scout", { "a.md": "two" });
    await publishedWithTraces(gardens, ["scout"]);
    expect(await accepted(gardens)).toMatchObject({ kind: "accepted", seq: 3 });
    const note = (commit: Oid): string => gardens.bob.git("notes", `--ref=${TRACES}`, "show", commit);
    expect([note(one), note(two)]).toEqual([expect.stringContaining("First"), expect.stringContaining("Second")]);
    await publishedWithTraces(gardens, ["scout"], false);
    expect(await accepted(gardens)).toMatchObject({ kind: "accepted", seq: 4 });
    expect(tracking(gardens)).not.toContain(TRACES);
  });

  test("a trace of a commit of this garden that the other one does not announce is refused", async () => {
    const gardens = await following();
    await granted(gardens, "console-trace", ["notes"]);
    const mine = await ownedSession(gardens.bob, "mine");
    gardens.alice.git("fetch", "-q", gardens.bob.dir, sessionBranch("mine"));
    gardens.alice.git("notes", `--ref=${TRACE_REF}`, "add", "-m", "Alice wrote this", mine);
    sent(gardens, `+${TRACE_REF}:${TRACE_REF}`);
    const refs = new Map([
      [sessionBranch("scout"), gardens.head],
      [TRACE_REF, gardens.alice.git("rev-parse", TRACE_REF)],
    ]);
    await forged(gardens, { parents: [gardens.alice.git("rev-parse", ANNOUNCE_REF)], seq: 2, refs });
    await expectRefused(gardens, "foreign-trace");
  });
});

describe("S-10 sessions of another garden are chosen", () => {
  test("only chosen sessions are taken, and a choice that changes is followed without a new announcement", async () => {
    const gardens = await following();
    await ownedSession(gardens.alice, "helper");
    await committed(gardens.alice, "scout", { "a.md": "one" });
    await published(gardens, ["scout", "helper"]);
    await changePeer(gardens.bob, "alice", (peer) => ({ ...peer, chosen: ["helper"] }));
    expect(await accepted(gardens)).toMatchObject({ kind: "accepted", seq: 2 });
    expect(tracking(gardens)).toEqual([
      "refs/agentic/peers/alice/agents/helper",
      "refs/agentic/peers/alice/announce",
      "refs/remotes/alice/agents/helper",
    ]);
    for await (const finding of trackingFindings(gardens.bob.repo)) expect(finding).toBeUndefined();
    expect(await accepted(gardens)).toEqual({ kind: "up-to-date", seq: 2 });
    await changePeer(gardens.bob, "alice", (peer) => ({ ...peer, chosen: undefined }));
    expect(await accepted(gardens)).toMatchObject({ kind: "accepted", seq: 2 });
    expect(tracking(gardens)).toContain(TRACKED);
  });
});
