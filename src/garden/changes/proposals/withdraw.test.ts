import { expect, test } from "vitest";
import { isFailure } from "../../../base/failure.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { Garden } from "../../core/garden.ts";
import { closeFound, closeGarden, findGarden, openGarden } from "../../core/garden.ts";
import { verifyGarden } from "../../insight/verify/verify.ts";
import { readProposal } from "../../records/proposals/proposal-log.ts";
import { gardenWith, git, testPorts } from "../../testing/scratch.ts";
import { applyAfterGrace, applyProposal, resumeApplying } from "../apply/apply-proposal.ts";
import { accepted, archivist, audited, clock, note, owner } from "../inbox/testing/people.ts";
import { decide } from "./decide.ts";
import { listHistory, listPending } from "./list-proposals.ts";
import { withdrawApproval } from "./withdraw.ts";

const GRACE = 8000;

const ground = async () => {
  const world = clock();
  const ports = testPorts(world);
  return { ...(await gardenWith(undefined, ports)), world, ports };
};

const approveIn = async (garden: Garden, { id, digest }: Proposal, graceMs = GRACE): Promise<Proposal> =>
  decide(garden, { proposal: id, verdict: "approve", digest, by: owner, graceMs });
const withdraw = (garden: Garden, { id }: Proposal): Promise<Proposal> =>
  withdrawApproval(garden, { proposal: id, by: owner });
const listed = async (garden: Garden): Promise<{ pending: string[]; decided: string[] }> => ({
  pending: (await listPending(garden)).proposals.map(({ id }) => id),
  decided: (await listHistory(garden)).proposals.map(({ id, status }) => `${id} ${status}`),
});

test("P-6a an approval with a grace is applied when the grace has passed, and not before by any way", async () => {
  const { garden, dir, world } = await ground();
  const head = git(dir, "rev-parse", "main");
  const approved = await approveIn(garden, await accepted(garden));
  world.move(GRACE - 1);
  const early = [await applyAfterGrace(garden), await resumeApplying(garden)];
  const byHand = await applyProposal(garden, approved.id, "owner").catch((error: unknown) => isFailure(error));
  const before = git(dir, "rev-parse", "main");
  world.move(1);
  const applied = (await applyAfterGrace(garden)).map(({ id }) => id);
  expect({ status: approved.status, until: approved.approval?.apply_after, early, byHand, before, applied }).toEqual({
    status: "approved",
    until: "2026-02-14T08:00:08.000Z",
    early: [[], []],
    byHand: true,
    before: head,
    applied: [approved.id],
  });
  expect((await readProposal(garden.store, approved.id)).status).toBe("applied");
});

test("P-6a a withdrawn approval leaves the proposal pending, with who withdrew it, and it can be decided again", async () => {
  const { garden, dir, world } = await ground();
  const approved = await approveIn(garden, await accepted(garden));
  world.move(5000);
  const pending = await withdraw(garden, approved);
  const again = await withdraw(garden, approved);
  world.move(GRACE);
  const applied = (await applyAfterGrace(garden)).map(({ id }) => id);
  const lists = await listed(garden);
  expect({
    status: pending.status,
    approval: pending.approval,
    withdrawn: pending.withdrawn,
    again: again.length,
  }).toEqual({
    status: "pending",
    approval: undefined,
    withdrawn: { by: "owner", at: "2026-02-14T08:00:05.000Z" },
    again: pending.length,
  });
  expect({ applied, lists, commits: git(dir, "rev-list", "--count", "main") }).toEqual({
    applied: [],
    lists: { pending: [approved.id], decided: [] },
    commits: "1",
  });
  expect((await audited(garden.store)).toSorted()).toEqual(["decided owner", "proposed owner", "withdrawn owner"]);
  const second = await approveIn(garden, pending, 0);
  expect({ status: second.status, commits: git(dir, "rev-list", "--count", "main") }).toEqual({
    status: "applied",
    commits: "2",
  });
});

test("P-6a a withdrawn proposal that is approved again is in one list, and a duplicate of it is refused while it is pending", async () => {
  const { garden, dir, ports, world } = await ground();
  const approved = await approveIn(garden, await accepted(garden));
  await withdraw(garden, approved);
  await expect(accepted(garden)).rejects.toMatchObject({ code: "DUPLICATE_ENTRY" });
  await approveIn(garden, approved);
  expect(await listed(garden)).toEqual({ pending: [], decided: [`${approved.id} approved`] });
  world.move(GRACE);
  await applyAfterGrace(garden);
  expect(await listed(garden)).toEqual({ pending: [], decided: [`${approved.id} applied`] });
  await closeGarden(garden);
  const found = await findGarden(ports, dir);
  const findings = await verifyGarden(found);
  await closeFound(found);
  expect(findings).toEqual([]);
});

test("P-6a only the owner withdraws, and only an approval with a grace that is not applied yet", async () => {
  const { garden, world } = await ground();
  const [first, second] = [await accepted(garden), await accepted(garden, note("notes/2.md"))];
  await approveIn(garden, first);
  const foreign = withdrawApproval(garden, { proposal: first.id, by: archivist });
  await expect(foreign).rejects.toMatchObject({ code: "FORBIDDEN" });
  const unasked = withdraw(garden, second);
  await expect(unasked).rejects.toMatchObject({ code: "INVALID_TRANSITION", details: { from: "pending" } });
  world.move(GRACE);
  await applyAfterGrace(garden);
  await approveIn(garden, second, 0);
  for (const applied of [first, second])
    await expect(withdraw(garden, applied)).rejects.toMatchObject({
      code: "INVALID_TRANSITION",
      hint: { en: expect.stringContaining(`bloom revert ${applied.id}`) },
    });
});

test("P-6a the grace and the right to withdraw survive a restart", async () => {
  const { garden, dir, ports, world } = await ground();
  const [kept, taken] = [await accepted(garden), await accepted(garden, note("notes/2.md"))];
  await approveIn(garden, kept);
  await approveIn(garden, taken);
  await closeGarden(garden);
  const again = await openGarden(ports, dir);
  await resumeApplying(again);
  const status = (await readProposal(again.store, kept.id)).status;
  await withdraw(again, taken);
  world.move(GRACE);
  const applied = (await applyAfterGrace(again)).map(({ id }) => id);
  await closeGarden(again);
  expect({ status, applied }).toEqual({ status: "approved", applied: [kept.id] });
});

test("P-6a of a withdrawal and the apply at the same time exactly one wins", async () => {
  const { garden, dir, world } = await ground();
  const ends = new Set<string>();
  for (let round = 0; round < 12; round++) {
    const approved = await approveIn(garden, await accepted(garden, note(`notes/${round}.md`)));
    world.move(GRACE);
    const before = Number(git(dir, "rev-list", "--count", "main"));
    const delayed = async (): Promise<boolean> => {
      for (let turn = 0; turn < round * 4; turn++) await new Promise(setImmediate);
      return withdraw(garden, approved).then(
        () => true,
        (error: unknown) => !isFailure(error, "INVALID_TRANSITION"),
      );
    };
    const [isWithdrawn] = await Promise.all([delayed(), applyAfterGrace(garden)]);
    const { status } = await readProposal(garden.store, approved.id);
    const commits = Number(git(dir, "rev-list", "--count", "main")) - before;
    expect({ status, commits }).toEqual(
      isWithdrawn ? { status: "pending", commits: 0 } : { status: "applied", commits: 1 },
    );
    ends.add(status);
  }
  expect(ends).toEqual(new Set(["pending", "applied"]));
});
