import { execFileSync } from "node:child_process";
import { chmodSync, cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { realWorld } from "../../../base/world.ts";
import { accepted } from "../../changes/inbox/testing/people.ts";
import { closeFound, closeGarden, findGarden, openGarden } from "../../core/garden.ts";
import { gardenStatus } from "../../records/status.ts";
import { gardenWith, scratch, snapshot, testPorts } from "../../testing/scratch.ts";
import { verifyGarden } from "./verify.ts";

const NOBODY = 65_534;

/** Runs as a user who may write nothing in the folder: root could, so it becomes another user meanwhile. */
async function withoutRights<T>(dir: string, work: () => Promise<T>): Promise<T> {
  const isRoot = process.geteuid?.() === 0;
  execFileSync("chmod", ["-R", "a-w,a+rX", dir]);
  if (isRoot) {
    execFileSync("chown", ["-R", String(NOBODY), dir]);
    process.seteuid?.(NOBODY);
  }
  try {
    return await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
    execFileSync("chmod", ["-R", "u+w", dir]);
  }
}

test("G-6 verify and status read a garden that cannot be written, its log included, and write nothing", async () => {
  const { garden, dir } = await gardenWith({ "notes/a.md": "a\n" }, testPorts(realWorld));
  await accepted(garden);
  const place = scratch();
  chmodSync(place, 0o755);
  const copy = join(place, "rose");
  cpSync(dir, copy, { recursive: true, filter: (path) => !path.endsWith(".sock") }); // as a crash left it: writes are in the log
  const before = snapshot(copy);
  const seen = await withoutRights(copy, async () => {
    const found = await findGarden(testPorts(realWorld), copy);
    const findings = await verifyGarden(found);
    await closeFound(found);
    const opened = await openGarden(testPorts(realWorld), copy);
    const { pending, notes, store, git } = await gardenStatus(opened);
    const refused = await accepted(opened).catch((error: unknown) => error);
    await closeGarden(opened);
    return {
      findings,
      pending,
      notes,
      role: store.role,
      ok: [store.ok, git.ok],
      remarks: store.remarks[0]?.en,
      refused,
    };
  });
  expect(seen).toMatchObject({ findings: [], pending: 1, notes: 1, role: "reader", ok: [true, true] });
  expect(seen.remarks).toMatch(/read-only/);
  expect(seen.refused).toMatchObject({ code: "FORBIDDEN" });
  const withoutMode = (files: Record<string, string>) =>
    Object.fromEntries(Object.entries(files).map(([path, facts]) => [path, facts.replace(/ \d+$/, "")]));
  expect(withoutMode(snapshot(copy))).toEqual(withoutMode(before));
});
