import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { stoppingStore } from "../../../adapters/store/testing/stopping-store.ts";
import { fixedWorld } from "../../../base/testing/fixed-world.ts";
import { prove } from "../../../base/testing/prove.ts";
import { commandLineOwner as by } from "../../../domain/identity.ts";
import { acts } from "../../changes/inbox/testing/acts.ts";
import { accepted } from "../../changes/inbox/testing/people.ts";
import { retryApply } from "../../changes/proposals/decide.ts";
import { approve, reject } from "../../changes/proposals/testing/decisions.ts";
import { recoverChanges } from "../../changes/recover-changes.ts";
import { closeFound, closeGarden, findGarden, type Garden, openGarden } from "../../core/garden.ts";
import { closed, gardenWith, POINTS_APART, scratch, testPorts } from "../../testing/scratch.ts";
import { verifyGarden } from "./verify.ts";

const at = (time: string) => testPorts(fixedWorld(`2026-02-14T${time}Z`, 1));

const pending = async (garden: Garden): Promise<string> => (await accepted(garden)).id;

/** A proposal that failed because a file of a person had its path; the file is removed now. */
async function failed(garden: Garden): Promise<string> {
  const id = await pending(garden);
  writeFileSync(join(garden.dir, "notes/new.md"), "mine\n");
  expect((await approve(garden, id)).status).toBe("failed");
  await garden.folder.removeFile("notes/new.md");
  return id;
}

/** Dies after this many writes. Returns whether it did. */
async function dies(dir: string, writes: number, act: (garden: Garden) => Promise<unknown>): Promise<boolean> {
  const garden = await openGarden(at("09:00:00"), dir);
  const store = stoppingStore(garden.store, writes);
  await act({ ...garden, store }).catch(() => undefined);
  await closeGarden(garden);
  return store.stopped();
}

async function findingsAfterRestart(dir: string): Promise<string[]> {
  const garden = await openGarden(at("10:00:00"), dir);
  await recoverChanges(garden);
  await closeGarden(garden);
  const found = await findGarden(at("10:30:00"), dir);
  try {
    return (await verifyGarden(found)).map(({ where, what }) => `${where} ${what.en}`);
  } finally {
    await closeFound(found);
  }
}

test.each<[string, (garden: Garden) => Promise<string>, (garden: Garden, id: string) => Promise<unknown>]>([
  ["a request", async () => "", acts.submit],
  ["a refusal", async () => "", acts.refuse],
  ["a rejection", pending, acts.reject],
  ["an approval", pending, acts.approve],
  ["an edited approval", pending, acts.edit],
  ["the rejection of a failed proposal", failed, (garden, id) => reject(garden, id, "no")],
  ["the retry of a failed proposal", failed, (garden, id) => retryApply(garden, { proposal: id, by })],
])("P-6 P-7 G-3 %s that dies after any write leaves nothing for verify after a restart", async (_, prepare, act) => {
  const { garden, dir } = await gardenWith({ "notes/a.md": "a\n" });
  const id = await prepare(garden);
  await closed({ garden });
  const top = scratch();
  const left: string[] = [];
  let kills = 0;
  for (let writes = 0, died = true; died; writes += POINTS_APART) {
    const copy = join(top, String(writes));
    cpSync(dir, copy, { recursive: true });
    died = await dies(copy, writes, (opened) => act(opened, id));
    left.push(...(await findingsAfterRestart(copy)).map((finding) => `after ${writes} writes: ${finding}`));
    rmSync(copy, { recursive: true, force: true });
    kills++;
  }
  prove({ kills, losses: left.length });
  expect(left).toEqual([]);
});
