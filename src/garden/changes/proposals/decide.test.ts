import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Failure, isFailure } from "../../../base/failure.ts";
import type { Identity } from "../../../domain/identity.ts";
import { keys } from "../../../domain/layout.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { Garden } from "../../core/garden.ts";
import { readProposal } from "../../records/proposals/proposal-log.ts";
import { gardenWith, git, testPorts } from "../../testing/scratch.ts";
import { reviewProposal } from "../effect/review.ts";
import { receive } from "../inbox/receive.ts";
import {
  accepted,
  archivist,
  audited,
  calendar,
  choir,
  clock,
  gateway,
  keysUnder,
  note,
  owner,
  withAgent,
} from "../inbox/testing/people.ts";
import { decide, decideBatch, retryApply } from "./decide.ts";
import { editAndApprove } from "./edit-and-approve.ts";
import { expireDue } from "./expire.ts";
import { listHistory, listPending, rejectionsFor, resolveProposalId } from "./list-proposals.ts";
import { approve, reject } from "./testing/decisions.ts";

const HOUR = 3_600_000;
const failureOf = async (work: Promise<unknown>): Promise<Failure> => {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!isFailure(thrown)) throw new Error(`no failure: ${String(thrown)}`);
  return thrown;
};
const edit = (text: string, path = "notes/a.md") => ({ action: "propose-edit", payload: { path, text } });
function commit(dir: string, path: string, text: string): void {
  writeFileSync(`${dir}/${path}`, text);
  git(dir, "add", ".");
  git(dir, "commit", "-qm", "by hand");
}
const yes = (proposal: Proposal, by: Identity = owner) =>
  ({ proposal: proposal.id, verdict: "approve", digest: proposal.digest, by }) as const;
const no = (proposal: Proposal, why?: string, by: Identity = owner) =>
  ({ proposal: proposal.id, verdict: "reject", digest: proposal.digest, by, note: why }) as const;

describe("P-10a a decision", () => {
  test("an approval applies what was seen", async () => {
    const { garden, dir } = await gardenWith();
    const applied = await decide(garden, yes(await accepted(garden)));
    expect({
      status: applied.status,
      commit: git(dir, "log", "-1", "--format=%s %(trailers:key=Approved-by,valueonly)").trim(),
    }).toEqual({ status: "applied", commit: "[owner] Add notes/new.md owner" });
  });

  test("only the owner decides", async () => {
    const { garden } = await gardenWith();
    const proposal = await accepted(garden);
    const others = [archivist, calendar, choir, gateway];
    const codes = await Promise.all(
      others.map(async (by) => (await failureOf(decide(garden, yes(proposal, by)))).code),
    );
    const batch = await failureOf(decideBatch(garden, { proposals: [], verdict: "reject", by: archivist, note: "x" }));
    expect({ codes, batch: batch.code }).toEqual({ codes: others.map(() => "FORBIDDEN"), batch: "FORBIDDEN" });
  });

  test("a decision with another digest is refused with the present one", async () => {
    const { garden } = await gardenWith();
    const proposal = await accepted(garden);
    const failure = await failureOf(decide(garden, { ...yes(proposal), digest: "0".repeat(40) }));
    expect(failure).toMatchObject({
      code: "CONCURRENT_MODIFICATION",
      details: { proposal: proposal.id, seen: "0".repeat(40), digest: proposal.digest },
    });
    expect((await readProposal(garden.store, proposal.id)).status).toBe("pending");
  });

  test("a decision without a digest is refused", async () => {
    const { garden } = await gardenWith();
    const proposal = await accepted(garden);
    expect((await failureOf(decide(garden, { ...yes(proposal), digest: "" }))).code).toBe("VALIDATION_FAILED");
  });

  test("a decision is valid after an unrelated commit, and must be repeated if the effect has changed", async () => {
    const { garden, dir } = await gardenWith({ "notes/a.md": "one\ntwo\nthree\nfour\nfive\n", "notes/b.md": "b" });
    const here = await accepted(garden, edit("ONE\ntwo\nthree\nfour\nFIVE\n"));
    const there = await accepted(garden, edit("b2", "notes/b.md"));
    commit(dir, "notes/a.md", "ONE\ntwo\nthree\nfour\nfive\n");
    const failure = await failureOf(decide(garden, yes(here)));
    const anew = await reviewProposal(garden, here);
    expect({ code: failure.code, digest: failure.details["digest"] }).toEqual({
      code: "CONCURRENT_MODIFICATION",
      digest: anew.digest,
    });
    expect((await decide(garden, { ...yes(here), digest: anew.digest })).status).toBe("applied");
    expect((await decide(garden, yes(there))).status).toBe("applied");
  });

  test("approving a proposal that conflicts ends as failed with the lines, and nothing is written", async () => {
    const { garden, dir } = await gardenWith({ "notes/a.md": "one\n" });
    const proposal = await accepted(garden, edit("uno\n"));
    commit(dir, "notes/a.md", "eins\n");
    const head = git(dir, "rev-parse", "main");
    const failed = await decide(garden, yes(proposal));
    expect({ status: failed.status, main: git(dir, "rev-parse", "main") }).toEqual({ status: "failed", main: head });
    expect(JSON.stringify(failed.apply_result?.error)).toMatch(/eins.*uno/s);
  });
});

describe("P-6 states", () => {
  test("of two concurrent decisions one wins, and the other fails with who decided what", async () => {
    const { garden } = await gardenWith();
    const proposal = await accepted(garden);
    const answers = await Promise.allSettled([decide(garden, yes(proposal)), decide(garden, no(proposal, "no"))]);
    const won = answers.filter(({ status }) => status === "fulfilled");
    const lost = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason as Failure] : []));
    expect({ won: won.length, code: lost[0]?.code, decidedBy: lost[0]?.details["decided_by"] }).toEqual({
      won: 1,
      code: "INVALID_TRANSITION",
      decidedBy: "owner",
    });
    expect(lost[0]?.text.en).toMatch(/is (applied|approved|applying|rejected) and cannot become (rejected|approved)/);
    expect((await audited(garden.store)).filter((each) => each === "decided owner")).toHaveLength(1);
  });

  test("a rejection needs a reason", async () => {
    const { garden } = await gardenWith();
    const proposal = await accepted(garden);
    const codes = await Promise.all(
      [undefined, "", "  \n"].map(async (why) => (await failureOf(decide(garden, no(proposal, why)))).code),
    );
    expect(codes).toEqual(["VALIDATION_FAILED", "VALIDATION_FAILED", "VALIDATION_FAILED"]);
  });

  test("a failed proposal can be retried or rejected, an applied one neither", async () => {
    const { garden, dir } = await gardenWith({ "notes/a.md": "one\n" });
    const proposal = await accepted(garden, edit("uno\n"));
    writeFileSync(`${dir}/notes/a.md`, "a person is writing here\n");
    const failed = await approve(garden, proposal.id);
    git(dir, "checkout", "-q", "--", "notes/a.md");
    const applied = await retryApply(garden, { proposal: proposal.id, by: owner });
    const refusals = [
      await failureOf(retryApply(garden, { proposal: proposal.id, by: owner })),
      await failureOf(decide(garden, no(proposal, "x"))),
    ];
    expect([failed.status, applied.status, ...refusals.map(({ code }) => code)]).toEqual([
      "failed",
      "applied",
      "INVALID_TRANSITION",
      "INVALID_TRANSITION",
    ]);
  });

  test("a failed proposal can be rejected with a reason", async () => {
    const { garden, dir } = await gardenWith({ "notes/a.md": "one\n" });
    const proposal = await accepted(garden, edit("uno\n"));
    commit(dir, "notes/a.md", "eins\n");
    await approve(garden, proposal.id);
    expect((await reject(garden, proposal.id, "too late")).approval?.decision_note).toBe("too late");
  });

  test("L-8 a change of logic without a report is not approved by any route", async () => {
    const { garden } = await gardenWith();
    const { digest, id } = await accepted(garden);
    const logic = { ...(await readProposal(garden.store, id)), action: "logic-update" } as Proposal;
    expect(logic.digest).toBe(digest);
    const { expectReport } = await import("./decision-checks.ts");
    const failure = await failureOf(expectReport(garden, logic, undefined));
    expect({ code: failure.code, needs: failure.details["needs"] }).toEqual({
      code: "INVALID_TRANSITION",
      needs: "report",
    });
  });
});

describe("P-10 time", () => {
  test("an undecided proposal expires after 72 hours, and a clock that jumps back does not reopen it", async () => {
    const world = clock();
    const { garden } = await gardenWith(undefined, testPorts(world));
    const proposal = await accepted(garden);
    world.move(72 * HOUR - 1);
    const early = await expireDue(garden);
    world.move(1);
    const due = await expireDue(garden);
    world.move(-100 * HOUR);
    const failure = await failureOf(decide(garden, yes(proposal)));
    expect({ early, due, code: failure.code, from: failure.details["from"] }).toEqual({
      early: [],
      due: [proposal.id],
      code: "INVALID_TRANSITION",
      from: "expired",
    });
  });

  test("a proposal past its time cannot be approved, also before it is expired", async () => {
    const world = clock();
    const { garden } = await gardenWith(undefined, testPorts(world));
    const proposal = await accepted(garden, { ttl_hours: 1 });
    world.move(HOUR);
    expect((await failureOf(decide(garden, yes(proposal)))).details["from"]).toBe("expired");
    const events = keys.proposalLog((await accepted(garden, { ...note("notes/due.md"), ttl_hours: 1 })).id);
    world.move(HOUR);
    expect((await listPending(garden)).proposals).toEqual([]);
    expect(await keysUnder(garden.store, events), "a list writes nothing").toHaveLength(1);
  });
});

describe("P-10 a batch", () => {
  test("a batch decides each proposal on its own", async () => {
    const { garden } = await gardenWith();
    const made = [await accepted(garden, note("notes/1.md")), await accepted(garden, note("notes/2.md"))];
    const wrong = { id: made[1]!.id, digest: "0".repeat(40) };
    const proposals = [{ id: made[0]!.id, digest: made[0]!.digest }, wrong, { id: "prop_x", digest: "x" }];
    const answers = await decideBatch(garden, { proposals, verdict: "approve", by: owner });
    expect(answers.map(({ proposal, failure }) => proposal?.status ?? failure?.code)).toEqual([
      "applied",
      "CONCURRENT_MODIFICATION",
      "NOT_FOUND",
    ]);
  });

  test("a batch has at most fifty proposals, none of them twice", async () => {
    const { garden } = await gardenWith();
    const many = Array.from({ length: 51 }, (_, n) => ({ id: `prop_${n}`, digest: "x" }));
    const one = { id: "prop_x", digest: "x" };
    const sizes = [many, [], [one, one]];
    const codes = await Promise.all(
      sizes.map(
        async (proposals) => (await failureOf(decideBatch(garden, { proposals, verdict: "approve", by: owner }))).code,
      ),
    );
    expect(codes).toEqual(["VALIDATION_FAILED", "VALIDATION_FAILED", "VALIDATION_FAILED"]);
  });
});

describe("P-10a editing and approving", () => {
  const changed = { path: "notes/new.md", text: "# Newer\n" };
  const edited = (garden: Garden, { id, digest }: Proposal, payload: unknown = changed) =>
    editAndApprove(garden, { proposal: id, digest, by: owner, payload, note: "better so" });

  test("an edit makes a second proposal that names the first, and rejects the first with superseded_by", async () => {
    const { garden, dir } = await gardenWith();
    const proposal = await accepted(garden);
    const { first, edited: second } = await edited(garden, proposal);
    expect({
      first: first.status,
      note: first.approval?.decision_note,
      second: second.status,
      edits: second.edits,
    }).toEqual({ first: "rejected", note: `edited: ${second.id}`, second: "applied", edits: proposal.id });
    expect({ keepsDigest: second.digest === proposal.digest, note: git(dir, "show", "main:notes/new.md") }).toEqual({
      keepsDigest: false,
      note: "# Newer",
    });
    expect(first.approval?.superseded_by).toBe(second.id);
  });

  test("an edit sent twice gets the same answer", async () => {
    const { garden, dir } = await gardenWith();
    const proposal = await accepted(garden);
    const first = await edited(garden, proposal);
    const again = await edited(garden, proposal);
    expect({ edited: again.edited.id, commits: git(dir, "rev-list", "--count", "main") }).toEqual({
      edited: first.edited.id,
      commits: "2",
    });
  });

  test("an impossible edit leaves the first as it was", async () => {
    const { garden } = await gardenWith();
    const proposal = await accepted(garden);
    const failure = await failureOf(edited(garden, proposal, { path: "garden.yaml", text: "x" }));
    expect({ code: failure.code, status: (await readProposal(garden.store, proposal.id)).status }).toEqual({
      code: "VALIDATION_FAILED",
      status: "pending",
    });
  });

  test("an edit without a change is refused", async () => {
    const { garden } = await gardenWith();
    const proposal = await accepted(garden);
    expect((await failureOf(edited(garden, proposal, note().payload))).code).toBe("DUPLICATE_ENTRY");
  });

  test("an edit replaces a failed proposal", async () => {
    const { garden, dir } = await gardenWith({ "notes/a.md": "one\n" });
    const proposal = await accepted(garden, edit("uno\n"));
    commit(dir, "notes/a.md", "eins\n");
    const failed = await approve(garden, proposal.id);
    const { first, edited: second } = await edited(garden, failed, { path: "notes/a.md", text: "eins, uno\n" });
    expect({ first: first.status, second: second.status }).toEqual({ first: "rejected", second: "applied" });
  });

  test("an edit loses to a concurrent decision on the first, and leaves nothing pending", async () => {
    const { garden } = await gardenWith();
    const proposal = await accepted(garden);
    const answers = await Promise.allSettled([edited(garden, proposal), decide(garden, no(proposal, "no"))]);
    const { proposals } = await listPending(garden);
    const now = await readProposal(garden.store, proposal.id);
    expect({
      proposals,
      status: now.status,
      someRejected: answers.some(({ status }) => status === "rejected"),
    }).toEqual({ proposals: [], status: "rejected", someRejected: true });
  });

  test("approving the second by itself rejects the first", async () => {
    const { garden } = await gardenWith();
    const proposal = await accepted(garden);
    const received = await receive(garden, {
      identity: owner,
      action: "propose-note",
      payload: changed,
      edits: proposal.id,
    });
    const second = received.kind === "accepted" ? received.proposal : undefined;
    await approve(garden, second!.id);
    expect((await readProposal(garden.store, proposal.id)).approval?.decision_note).toBe(`edited: ${second!.id}`);
  });
});

describe("reading", () => {
  test("P-10 an agent reads the rejections of its own proposals, newest first", async () => {
    const { garden } = await gardenWith();
    await withAgent(garden);
    const mine = [1, 2].map((n) => accepted(garden, { identity: archivist, ...note(`notes/${n}.md`) }));
    for (const proposal of [...(await Promise.all(mine)), await accepted(garden, note("notes/3.md"))])
      await reject(garden, proposal.id, `not ${proposal.target}`);
    const reasons = (await rejectionsFor(garden, "archivist")).map(({ decision_note }) => decision_note);
    expect(new Set(reasons)).toEqual(new Set(["not notes/1.md", "not notes/2.md"]));
    expect(await rejectionsFor(garden, "echo")).toEqual([]);
  });

  test("pending proposals come in pages, and an outdated view is ignored", async () => {
    const { garden } = await gardenWith();
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push((await accepted(garden, note(`notes/${n}.md`))).id);
    const view = (await garden.store.get(keys.pendingProposal(ids[2]!)))!;
    await reject(garden, ids[2]!, "no");
    await garden.store.put(keys.pendingProposal(ids[2]!), view.bytes); // after a crash
    await garden.store.put(keys.pendingProposal(ids[3]!), Buffer.from("{")); // after a hand edit
    const pages: string[][] = [];
    let after: string | undefined;
    do {
      const page = await listPending(garden, { limit: 2, after });
      pages.push(page.proposals.map(({ id }) => id));
      after = page.next;
    } while (after !== undefined);
    const expected = [ids[0]!, ids[1]!, ids[3]!, ids[4]!].toSorted();
    expect(pages).toEqual([expected.slice(0, 2), expected.slice(2)]);
  });

  test("history goes back month by month, newest first, in pages", async () => {
    const world = clock("2026-01-30T00:00:00Z");
    const { garden } = await gardenWith(undefined, testPorts(world));
    const made: string[] = [];
    for (let n = 0; n < 6; n++) {
      const { id } = await accepted(garden, note(`notes/${n}.md`));
      await (n % 2 === 0 ? reject(garden, id, "no") : approve(garden, id));
      made.unshift(id);
      world.move(20 * HOUR);
    }
    const pages: string[] = [];
    let after: string | undefined;
    do {
      const page = await listHistory(garden, { limit: 4, after });
      pages.push(...page.proposals.map(({ id }) => id));
      after = page.next;
    } while (after !== undefined);
    const applied = await listHistory(garden, { status: "applied", month: "2026-02" });
    expect({ pages, applied: applied.proposals.map(({ id }) => id) }).toEqual({
      pages: made,
      applied: [made[0], made[2]],
    });
  });

  test("a suffix of an id is enough if it fits one proposal", async () => {
    const { garden } = await gardenWith();
    const { id } = await accepted(garden);
    expect(await resolveProposalId(garden, id.slice(-6))).toBe(id);
    expect((await failureOf(resolveProposalId(garden, "zzzzzz"))).code).toBe("NOT_FOUND");
    expect(await keysUnder(garden.store, "proposals/pending/")).toHaveLength(1);
  });
});
