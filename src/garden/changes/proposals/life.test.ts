import { spawn } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isFailure } from "../../../base/failure.ts";
import { testProgram } from "../../../base/testing/test-program.ts";
import { commandLineOwner } from "../../../domain/identity.ts";
import { type ProposalState, proposalMoves } from "../../../domain/proposal/proposal-state.ts";
import { closeGarden, openGarden } from "../../core/garden.ts";
import { findProposal, readEvents, readProposal } from "../../records/proposals/proposal-log.ts";
import { closed, gardenWith, git, testPorts } from "../../testing/scratch.ts";
import { receive } from "../inbox/receive.ts";
import { accepted, clock, keysUnder, note } from "../inbox/testing/people.ts";
import { decide, retryApply } from "./decide.ts";
import { editAndApprove } from "./edit-and-approve.ts";
import { expireDue } from "./expire.ts";
import { listHistory, listPending } from "./list-proposals.ts";

const HOUR = 3_600_000;

/** Actions of people and time in a garden; `which` selects one of the existing proposals. */
type Step =
  | { readonly kind: "submit"; readonly path: number; readonly text: number }
  | { readonly kind: "approve" | "reject" | "edit" | "retry"; readonly which: number }
  | { readonly kind: "wait"; readonly hours: number }
  | { readonly kind: "expire" };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("submit" as const), path: fc.nat(2), text: fc.nat(2) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom("approve" as const, "reject" as const, "edit" as const, "retry" as const),
      which: fc.nat(20),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("wait" as const), hours: fc.integer({ min: -80, max: 80 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("expire" as const) }) },
);
/** Several people at once: the steps of one round run concurrently. */
const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 });

const expected = ["INVALID_TRANSITION", "CONCURRENT_MODIFICATION", "DUPLICATE_ENTRY", "RATE_LIMITED", "NOT_FOUND"];
const by = commandLineOwner;

test("P-6 concurrent actions move a proposal only along allowed transitions, and final states stay", async () => {
  const world = clock();
  const { garden, dir } = await gardenWith({ "notes/0.md": "a\n", "notes/1.md": "b\n" }, testPorts(world));
  const ids: string[] = [];
  const final = new Map<string, ProposalState>();
  let edits = 0;

  const act = async (each: Step): Promise<void> => {
    if (each.kind === "wait") return world.move(each.hours * HOUR);
    if (each.kind === "expire") return void (await expireDue(garden));
    if (each.kind === "submit") {
      const payload = { path: `notes/${each.path}.md`, text: `text ${each.text}\n` };
      const action = each.path < 2 ? "propose-edit" : "propose-note";
      const received = await receive(garden, { identity: by, action, payload, ttl_hours: 40 });
      if (received.kind === "refused") throw received.failure;
      ids.push(received.proposal.id);
      return;
    }
    const id = ids[each.which % Math.max(1, ids.length)];
    if (id === undefined) return;
    const { digest, operation } = await readProposal(garden.store, id);
    if (each.kind === "retry") await retryApply(garden, { proposal: id, by });
    else if (each.kind === "approve") await decide(garden, { proposal: id, verdict: "approve", digest, by });
    else if (each.kind === "reject") await decide(garden, { proposal: id, verdict: "reject", digest, by, note: "no" });
    else {
      const payload = { ...operation.payload, text: `edited ${edits++}\n` };
      ids.push((await editAndApprove(garden, { proposal: id, digest, by, payload })).edited.id);
    }
  };

  await fc.assert(
    fc.asyncProperty(rounds, async (life) => {
      for (const round of life) {
        world.move(60_000);
        const answers = await Promise.allSettled(round.map(act));
        for (const answer of answers)
          if (answer.status === "rejected" && !(isFailure(answer.reason) && expected.includes(answer.reason.code)))
            throw answer.reason;
      }
      const open = (await listPending(garden, { limit: 500 })).proposals.map(({ id }) => id);
      const commits = git(dir, "log", "--format=%(trailers:key=Proposal,valueonly,separator=)")
        .split("\n")
        .filter(Boolean);
      for (const id of new Set(ids)) {
        const events = await readEvents(garden.store, id);
        const states = events.flatMap((event): ProposalState[] =>
          event.type === "made"
            ? ["pending"]
            : event.type === "decided"
              ? [event.decision]
              : event.type === "planned"
                ? []
                : event.type === "withdrawn" || event.type === "returned"
                  ? ["pending"]
                  : [event.type],
        );
        for (let at = 1; at < states.length; at++) expect(proposalMoves[states[at - 1]!]).toContain(states[at]);
        const now = states.at(-1)!;
        if (final.has(id)) expect(now).toBe(final.get(id));
        if (proposalMoves[now].length === 0) final.set(id, now);
        // An applied proposal has one commit, any other none; pending proposals are listed.
        expect(commits.filter((trailer) => trailer === id).length).toBe(now === "applied" ? 1 : 0);
        expect(open.includes(id)).toBe(now === "pending");
      }
    }),
    { numRuns: 12, seed: 4 },
  );
  const archived: string[] = [];
  let after: string | undefined;
  do {
    const page = await listHistory(garden, { after, limit: 50 });
    archived.push(...page.proposals.map(({ id }) => id));
    after = page.next;
  } while (after !== undefined);
  const decided = new Set(ids);
  for (const { id } of (await listPending(garden, { limit: 500 })).proposals) decided.delete(id);
  // An edit that lost its race leaves a withdrawn proposal, whose id no caller got.
  const unknown = archived.filter((id) => !decided.has(id));
  const withdrawn = await Promise.all(unknown.map(async (id) => (await readProposal(garden.store, id)).approval));
  expect([...decided].filter((id) => !archived.includes(id))).toEqual([]);
  expect(withdrawn.filter((approval) => !approval?.decision_note?.endsWith("was decided meanwhile"))).toEqual([]);
  expect(new Set(archived).size).toBe(archived.length);
  // The sequence reached every final state.
  expect(new Set(final.values())).toEqual(new Set(["applied", "rejected", "expired"]));
});

test("P-6 of two owners in two processes one wins, and the other fails with who decided what", async () => {
  const { garden, dir } = await gardenWith();
  const ids = [await accepted(garden), await accepted(garden, note("notes/2.md"))].map(({ id }) => id);
  await closed({ garden });
  const script = testProgram(join(import.meta.dirname, "../inbox/testing/dying-inbox.ts"));
  const run = (act: string, id: string, start: string): Promise<string> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [script, dir, act, "-1", id, start]);
      let out = "";
      child.stdout.on("data", (chunk) => (out += String(chunk)));
      child.on("close", () => resolve(/answer: (.*)/.exec(out)?.[1] ?? out));
    });
  // A process that holds the garden, so that both work through it.
  const holder = await openGarden(testPorts(), dir);
  const answers = await Promise.all(
    ids.flatMap((id) => [run("approve", id, "2026-02-14T09:00:00Z"), run("reject", id, "2026-02-14T09:00:01Z")]),
  );
  const ends = await Promise.all(ids.map(async (id) => (await findProposal(holder.store, id))!));
  const pending = await keysUnder(holder.store, "proposals/pending/");
  await closeGarden(holder);
  for (const [at, end] of ends.entries()) {
    const two = answers.slice(2 * at, 2 * at + 2);
    expect(two.filter((answer) => answer === "done")).toHaveLength(1);
    const verdict = end.status === "applied" ? "approved" : "rejected";
    expect(two.find((answer) => answer !== "done")).toMatch(new RegExp(`owner decided ${verdict} at 2026-02-14`));
  }
  expect(pending).toEqual([]);
});
