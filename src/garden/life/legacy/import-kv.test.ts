import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { armCrashPoints } from "../../../base/crash-point.ts";
import { fixedWorld } from "../../../base/testing/fixed-world.ts";
import { isThorough } from "../../../base/testing/tries.ts";
import { commandLineOwner } from "../../../domain/identity.ts";
import type { KvProposal } from "../../../domain/import/kv/kv-record.ts";
import { oldProposal, oldZone } from "../../../domain/import/kv/testing/old-records.ts";
import { keysUnder } from "../../changes/inbox/testing/people.ts";
import { decide } from "../../changes/proposals/decide.ts";
import { listPending } from "../../changes/proposals/list-proposals.ts";
import { recoverChanges } from "../../changes/recover-changes.ts";
import { closeFound, closeGarden, findGarden, type Garden, openGarden } from "../../core/garden.ts";
import { verifyGarden } from "../../insight/verify/verify.ts";
import { closed, gardensLike, gardenWith, scratch, testPorts } from "../../testing/scratch.ts";
import { importKv, type KvImport, planKvImport } from "./import-kv.ts";
import { listLegacy, showLegacy } from "./read-legacy.ts";
import { tendLegacy } from "./tend-legacy.ts";

const pairs = (...records: (KvProposal | Record<string, unknown>)[]): Buffer =>
  Buffer.from(
    JSON.stringify(
      records.map((value) => ({
        key: "proposalId" in value ? `proposal:${String(value["proposalId"])}` : `zone:${String(value["zoneId"])}`,
        value: JSON.stringify(value),
      })),
    ),
  );

const NOTES = { "notes/a.md": "# A\n", "notes/songs/Kupala Night.md": "# Night\n\none\n\ntwo\n\nthree\n" };
const night = { noteSlug: "kupala-night", originalContent: "# Night\n\n1\n\ntwo\n\nthree\n" };
const dump = pairs(
  oldProposal("prop_1_aaaaaaaa"),
  oldProposal("prop_2_bbbbbbbb", { ...night, proposedContent: "# Night\n\n1\n\ntwo\n\nthree, four\n" }),
  oldProposal("prop_3_cccccccc", { ...night, proposedContent: "# Night\n\nuno\n\ntwo\n\nthree\n" }),
  oldProposal("prop_4_dddddddd", { noteSlug: "../../etc/passwd" }),
  oldProposal("prop_5_eeeeeeee", { status: "accepted", reviewedAt: 1_700_000_100_000 }),
  oldProposal("prop_6_ffffffff", { status: "rejected", reviewedAt: 1_700_000_200_000 }),
  oldZone("z1"),
);

const gardens = gardensLike(() => gardenWith(NOTES));
const outcomes = ({ records }: KvImport): string[] => records.map(({ outcome }) => outcome);
const EXPECTED = ["imported", "imported", "refused", "refused", "kept", "kept", "kept"];

test("I-2 a dry run reports every record and writes nothing", async () => {
  const { garden } = await gardens.open();
  const before = await keysUnder(garden.store, "");
  expect(outcomes(await planKvImport(garden, dump))).toEqual(EXPECTED);
  expect(await keysUnder(garden.store, "")).toEqual(before);
});

test("I-2 pending records become proposals of their guests, decided ones history, after a backup", async () => {
  const { garden, dir } = await gardens.open();
  const report = await importKv(garden, dump, commandLineOwner);
  expect(outcomes(report)).toEqual(EXPECTED);
  expect(readdirSync(join(dir, ".bloom/backups"))).toEqual([report.backup]);
  const pending = await listPending(garden, {});
  expect(pending.proposals.map(({ target, source }) => `${target} ${source.identity}`).toSorted()).toEqual([
    "notes/a.md guest:kv:Olena",
    "notes/songs/Kupala Night.md guest:kv:Olena",
  ]);
  const merged = report.records[1]!.proposal!;
  const view = await showLegacy(garden, "prop_2_bbbbbbbb");
  expect([view.text, view.answer]).toEqual([
    "merged",
    expect.objectContaining({ proposal: merged, status: "pending" }),
  ]);
  expect(view.answer).toMatchObject({ text: "# Night\n\none\n\ntwo\n\nthree, four\n" });
  const stored = await Promise.all((await keysUnder(garden.store, "")).map(async (key) => garden.store.get(key)));
  expect(Buffer.concat(stored.map((each) => each!.bytes)).toString()).not.toContain("ROSE-1234");
});

test("I-2 a repeated import doubles nothing, also after decisions, and needs no second backup", async () => {
  const { garden, dir } = await gardens.open();
  const first = await importKv(garden, dump, commandLineOwner);
  const { proposals } = await listPending(garden, {});
  const { id, digest } = proposals.find(({ target }) => target === "notes/a.md")!;
  await decide(garden, { proposal: id, verdict: "approve", digest, by: commandLineOwner });
  const before = await keysUnder(garden.store, "");
  const again = await importKv(garden, dump, commandLineOwner);
  expect(outcomes(again)).toEqual(Array.from({ length: 7 }, () => "earlier"));
  expect(again.records.map(({ proposal }) => proposal)).toEqual(first.records.map(({ proposal }) => proposal));
  expect(await keysUnder(garden.store, "")).toEqual(before);
  expect(readdirSync(join(dir, ".bloom/backups"))).toHaveLength(1);
});

test("I-2 P-9 no rule approves an imported proposal, not even one for guests of that name", async () => {
  const { garden } = await gardens.open();
  const rule = { source: "guest", actions: ["propose-edit"] } as const;
  const config = {
    ...garden.config,
    auto_approve: [
      { ...rule, identity: "Olena", actions: [...rule.actions] },
      { ...rule, actions: [...rule.actions] },
    ],
  };
  await importKv({ ...garden, config }, dump, commandLineOwner);
  expect((await listPending(garden, {})).proposals).toHaveLength(2);
});

test("I-2 another identity and another dump than the confirmed one are refused", async () => {
  const { garden } = await gardens.open();
  await expect(importKv(garden, dump, { type: "gateway" })).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(importKv(garden, dump, commandLineOwner, "0".repeat(64))).rejects.toMatchObject({
    code: "CONCURRENT_MODIFICATION",
  });
});

test("I-2 after a week the old texts and addresses are gone, and the history stays", async () => {
  const { garden } = await gardens.open();
  await importKv(garden, dump, commandLineOwner);
  expect(await tendLegacy(garden)).toBe(0);
  const later = { ...garden, world: fixedWorld("2026-02-21T10:00:00Z", 1) };
  const before = await listLegacy(garden);
  expect(await tendLegacy(later)).toBe(6);
  expect(await tendLegacy(later)).toBe(0);
  expect(await listLegacy(garden)).toEqual(before);
  const text = JSON.stringify((await showLegacy(garden, "prop_5_eeeeeeee")).record);
  expect(text).not.toMatch(/olena@example|A line of a guest/);
  expect(outcomes(await importKv(garden, dump, commandLineOwner))).toEqual(Array.from({ length: 7 }, () => "earlier"));
});

/** Stops an import at its n-th crash point; false if it completed. */
async function stoppedAt(dir: string, at: number): Promise<boolean> {
  const garden = await openGarden(testPorts(fixedWorld("2026-02-14T09:00:00Z", 1)), dir);
  let [passed, stopped] = [0, false];
  const disarm = armCrashPoints((name) => {
    if (!/^(?:inbox|proposals|legacy)\./.test(name) || (passed++ < at && !stopped)) return;
    stopped = true;
    throw new Error("left standing");
  });
  await importKv(garden, dump, commandLineOwner).catch(() => undefined);
  disarm();
  await closeGarden(garden);
  return stopped;
}

const state = async (garden: Garden): Promise<unknown> => ({
  pending: (await listPending(garden, {})).proposals.map(({ target }) => target).toSorted(),
  rejected: (await keysUnder(garden.store, "inbox/rejected/")).length,
  audited: (await keysUnder(garden.store, "audit/")).filter((key) => !key.includes("-legacy-")).length,
  waiting: (await keysUnder(garden.store, "inbox/pending/")).length,
  legacy: (await listLegacy(garden)).records.map(({ id, now }) => `${id} ${now}`),
});

test("I-2 an import that is stopped at any point and repeated gives the same as an uninterrupted one", async () => {
  const whole = await gardens.open();
  await importKv(whole.garden, dump, commandLineOwner);
  const expected = await state(whole.garden);
  const kept = await gardens.copy();
  for (let at = 0; ; at += isThorough ? 1 : 3) {
    const dir = join(scratch(), "rose");
    cpSync(kept, dir, { recursive: true });
    const stopped = await stoppedAt(dir, at);
    const garden = await openGarden(testPorts(fixedWorld("2026-02-14T10:00:00Z", 1)), dir);
    if (at % 2 === 0) await recoverChanges(garden);
    await importKv(garden, dump, commandLineOwner);
    expect(await state(garden)).toEqual(expected);
    await closed({ garden });
    if (at % 5 === 0) {
      const found = await findGarden(testPorts(), dir);
      expect(await verifyGarden(found)).toEqual([]);
      await closeFound(found);
    }
    if (!stopped) {
      expect(at).toBeGreaterThan(10);
      return;
    }
  }
});
