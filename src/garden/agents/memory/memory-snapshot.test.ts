import { expect, test } from "vitest";
import { commandLineOwner } from "../../../domain/identity.ts";
import { keys } from "../../../domain/layout.ts";
import { archiveText, readArchive } from "../../../domain/memory/memory-archive.ts";
import { proposeRevert } from "../../changes/apply/propose-revert.ts";
import { reviewProposal } from "../../changes/effect/review.ts";
import { git } from "../../testing/scratch.ts";
import { approved } from "../../testing/tended-garden.ts";
import { archiveMemory, listSnapshots, readSnapshot, takeSnapshot } from "./memory-snapshot.ts";
import { proposeRestore } from "./propose-restore.ts";
import { fact, type MemoryGarden, memoryGarden, proposeUpdate, SLUG } from "./testing/memory-garden.ts";

/** A hand-written memory with Windows line ends, an open fence and values, and a later change of everything. */
const WRITTEN = "# Facts\r\n\r\n- один\r\n\r\n```\r\nкод";

async function changedSince(): Promise<MemoryGarden & { readonly id: string; readonly former: string }> {
  const ground = await memoryGarden({ "facts.md": WRITTEN });
  await ground.update({ op: "observe", text: "seen", values: { last: "a" } });
  const then = await ground.head();
  const { id } = await takeSnapshot(ground.garden, then, SLUG);
  await ground.update(
    { op: "replace", file: "facts.md", text: "- інше" },
    { op: "replace", file: "snapshot.md", text: "Нове." },
    { op: "observe", text: "more", values: { last: "b", also: 1 } },
  );
  return { ...ground, id, former: then };
}

async function restored(ground: MemoryGarden, from: Parameters<typeof proposeRestore>[1]["from"]) {
  const received = await proposeRestore(ground.garden, { slug: SLUG, identity: commandLineOwner, from });
  if (received.kind === "refused") throw received.failure;
  return received.proposal;
}

test("M-5 an archive holds all files, is identical for the same commit, and reveals tampering", async () => {
  const { garden, id, former: then } = await changedSince();
  const archive = await readSnapshot(garden.store, SLUG, id);
  expect(archive).toEqual(await archiveMemory(garden.repo, then, SLUG));
  expect((await takeSnapshot(garden, then, SLUG)).id).toBe(id);
  expect(Object.keys(archive.files)).toEqual([
    "changelog.md",
    "facts.md",
    "meta.json",
    "timeline/2026-02-14.md",
    "values.json",
  ]);
  expect(archive.files["facts.md"]).toBe(WRITTEN);
  expect(() => readArchive(archiveText(archive).replace("один", "два"), "a.json")).toThrow("its digest does not match");
  expect(() => readArchive("{}", "a.json")).toThrow("is not a memory archive");
  const stored = (await garden.store.get(keys.memorySnapshot(SLUG, id)))!;
  await garden.store.swap(keys.memorySnapshot(SLUG, id), stored.hash, Buffer.from("{"));
  expect((await listSnapshots(garden.store, SLUG)).map(({ id: name, damaged }) => [name, damaged])).toEqual([
    [id, true],
  ]);
});

test("M-5 a restore from a snapshot, a commit, a date or a file is a pending proposal that restores every byte", async () => {
  const ground = await changedSince();
  const { garden, id, former: then, text } = ground;
  const archive = await readSnapshot(garden.store, SLUG, id);
  const before = await text("changelog.md");
  const proposal = await restored(ground, id);
  const { files } = await reviewProposal(garden, proposal);
  expect({
    status: proposal.status,
    files: files.map(({ path, change }) => `${change} ${path.split("/").at(-1)}`),
  }).toEqual({ status: "pending", files: ["removed snapshot.md", "changed facts.md", "changed values.json"] });
  await expect(restored(ground, archive)).rejects.toMatchObject({ code: "DUPLICATE_ENTRY" });
  await approved(garden, proposal);
  expect({
    facts: await text("facts.md"),
    snapshot: await text("snapshot.md"),
    values: JSON.parse(await text("values.json")),
  }).toEqual({ facts: WRITTEN, snapshot: "", values: { last: "a" } });
  // The changelog is append-only: a restore removes nothing from it.
  expect((await text("changelog.md")).startsWith(before)).toBe(true);
  expect(JSON.parse(await text("meta.json"))).toMatchObject({ version: 4, counts: { facts: 1, values: 1 } });
  await expect(restored(ground, then)).rejects.toMatchObject({ code: "DUPLICATE_ENTRY", details: { nothing: true } });
});

test.each([
  ["a snapshot that does not exist", "snap-v1-0123456789ab", "NOT_FOUND"],
  ["a commit that does not exist", "deadbeef", "NOT_FOUND"],
  ["a day before all commits", "2020-01-01", "NOT_FOUND"],
  ["an invalid date", "2026-99-99", "VALIDATION_FAILED"],
  ["an unknown reference", "--all", "NOT_FOUND"],
])("M-5 a restore from %s is refused with a message", async (_, from, code) => {
  const ground = await memoryGarden({ "facts.md": "- a\n" });
  await expect(restored(ground, from)).rejects.toMatchObject({ code });
});

test("M-5 M-4 a restore proposed before another change is a version_conflict, and an archive of another agent is refused", async () => {
  const ground = await changedSince();
  const { garden, id, update } = ground;
  const proposal = await restored(ground, id);
  await update(fact("meanwhile"));
  const { refusal } = await reviewProposal(garden, proposal);
  expect(refusal?.details).toMatchObject({ reason: "version_conflict" });
  const archive = await readSnapshot(garden.store, SLUG, id);
  await expect(
    proposeRestore(garden, { slug: "other", identity: commandLineOwner, from: archive }),
  ).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
});

test("P-10b reverting an update restores its values too", async () => {
  const { garden, text, update, dir } = await memoryGarden();
  await update({ op: "observe", text: "", values: { last: "a" } });
  const second = await proposeUpdate(garden, 1, [{ op: "observe", text: "", values: { last: "b" } }]);
  await approved(garden, second);
  const back = await proposeRevert(garden, { proposal: second.id, by: commandLineOwner, reason: "no" });
  if (back.kind === "refused") throw back.failure;
  await approved(garden, back.proposal);
  expect({ values: JSON.parse(await text("values.json")), uncommitted: git(dir, "status", "--porcelain") }).toEqual({
    values: { last: "a" },
    uncommitted: "",
  });
});
