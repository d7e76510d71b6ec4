import { expect, test } from "vitest";
import { commandLineOwner as by } from "../../../domain/identity.ts";
import { keys } from "../../../domain/layout.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import { proposeRevert } from "../../changes/apply/propose-revert.ts";
import { decide } from "../../changes/proposals/decide.ts";
import { editAndApprove } from "../../changes/proposals/edit-and-approve.ts";
import { expireDue } from "../../changes/proposals/expire.ts";
import { sampleRun } from "../../core/flow/testing/sample-run.ts";
import type { Garden } from "../../core/garden.ts";
import { jsonBytes } from "../../core/json-record.ts";
import { restoreRevertViews, revertViewsOf } from "../../records/proposals/revert-views.ts";
import { gardenWith } from "../../testing/scratch.ts";
import { approved, wished } from "../../testing/tended-garden.ts";
import { decisionsOf, fateOf } from "./proposal-fates.ts";

const asked = (garden: Garden, name: string, hours = 72): Promise<Proposal> =>
  wished(garden, "propose-note", { path: `notes/${name}.md`, text: `# ${name}\n` }, by, hours);

const rejected = async (garden: Garden, { id, digest }: Proposal): Promise<Proposal> =>
  decide(garden, { proposal: id, verdict: "reject", digest, by, note: "no" });

const takenBack = async (garden: Garden, { id }: Proposal): Promise<Proposal> => {
  const received = await proposeRevert(garden, { proposal: id, by });
  if (received.kind === "refused") throw received.failure;
  return approved(garden, received.proposal);
};

const rewritten = async (garden: Garden, { id, digest }: Proposal, name: string): Promise<Proposal> => {
  const payload = { path: `notes/${name}.md`, text: "# Better\n" };
  return (await editAndApprove(garden, { proposal: id, digest, by, payload })).edited;
};

const lives: readonly [string, string, (garden: Garden, first: Proposal) => Promise<unknown>][] = [
  ["no decision", "waiting", async () => undefined],
  ["approved", "accepted", approved],
  ["rejected", "rejected", rejected],
  ["edited and approved", "edited", (garden, first) => rewritten(garden, first, "n")],
  ["reverted", "reverted", async (garden, first) => takenBack(garden, await approved(garden, first))],
  [
    "edited, approved and reverted",
    "reverted",
    async (garden, first) => takenBack(garden, await rewritten(garden, first, "n")),
  ],
  [
    "a reverted revert",
    "accepted",
    async (garden, first) => takenBack(garden, await takenBack(garden, await approved(garden, first))),
  ],
  [
    "a revert without approval",
    "accepted",
    async (garden, first) => proposeRevert(garden, { proposal: (await approved(garden, first)).id, by }),
  ],
];

test.each([["edited: wrong shelf"], ["edited: ../../x\u0000"], ["edited: prop_2026-02-14_080000_abc123"]])(
  "L-4a a rejection with the note %j counts as a rejection, and does not break the statistics",
  async (note) => {
    const { garden } = await gardenWith();
    const { id, digest } = await asked(garden, "n");
    const { manifest } = await sampleRun(garden, { slug: "archivist", proposals: [id] });
    await decide(garden, { proposal: id, verdict: "reject", digest, by, note });
    expect(await fateOf(garden.store, id)).toBe("rejected");
    expect(await decisionsOf(garden, manifest!)).toMatchObject({ rejected: 1, open: 0 });
  },
);

test("L-4a an edit recorded before `superseded_by` existed is read from its note", async () => {
  const { garden } = await gardenWith();
  const first = await asked(garden, "n");
  const second = await rewritten(garden, first, "n");
  const key = keys.proposalEvent(first.id, 1);
  const stored = (await garden.store.get(key))!;
  const { superseded_by, ...old } = JSON.parse(Buffer.from(stored.bytes).toString()) as Record<string, unknown>;
  expect({ superseded_by, note: old["note"] }).toEqual({ superseded_by: second.id, note: `edited: ${second.id}` });
  await garden.store.swap(key, stored.hash, jsonBytes(old));
  expect(await fateOf(garden.store, first.id)).toBe("edited");
});

test.each(lives)("L-4a the fate of a proposal: %s → %s", async (_, fate, live) => {
  const { garden } = await gardenWith();
  const first = await asked(garden, "n");
  await live(garden, first);
  expect(await fateOf(garden.store, first.id)).toBe(fate);
});

test("L-4a proposals of a run count by their current state, also after late decisions; missing ones count as open", async () => {
  const { garden } = await gardenWith();
  const [yes, no, late] = [await asked(garden, "yes"), await asked(garden, "no"), await asked(garden, "late", 1)];
  const ids = [yes.id, no.id, late.id, "prop_2026-02-14_080000_gone00"];
  const { manifest } = await sampleRun(garden, { slug: "archivist", proposals: ids });
  expect(await decisionsOf(garden, manifest!)).toEqual({ accepted: 0, edited: 0, rejected: 0, reverted: 0, open: 4 });
  await approved(garden, yes);
  await rejected(garden, no);
  await expireDue({ ...garden, world: { ...garden.world, now: () => Date.parse(late.expires_at) + 1 } });
  expect(await decisionsOf(garden, manifest!)).toEqual({ accepted: 1, edited: 0, rejected: 1, reverted: 0, open: 2 });
});

test("L-4a a failed run is judged by the proposals in its journal", async () => {
  const { garden } = await gardenWith();
  const yes = await approved(garden, await asked(garden, "yes"));
  const { manifest } = await sampleRun(garden, { slug: "archivist", proposals: [yes.id] });
  const failed = { ...manifest!, status: "failed", outcome: { kind: "failed", reason: "x" } } as const;
  expect((await decisionsOf(garden, failed)).accepted).toBe(1);
});

test("L-4a, P-10b deleted views of reverts are rebuilt from the proposals", async () => {
  const { garden } = await gardenWith();
  const first = await approved(garden, await asked(garden, "n"));
  const revert = await takenBack(garden, first);
  await restoreRevertViews(garden.store);
  for (const key of [keys.takenBack(first.id, revert.id), keys.takenBackWhole]) await garden.store.delete(key);
  expect({ first: await restoreRevertViews(garden.store), second: await restoreRevertViews(garden.store) }).toEqual({
    first: 1,
    second: 0,
  });
  expect((await garden.store.list(revertViewsOf(first.id))).entries).toHaveLength(1);
  expect(await fateOf(garden.store, first.id)).toBe("reverted");
});
