import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { armCrashPoints } from "../../../base/crash-point.ts";
import { commandLineOwner as by } from "../../../domain/identity.ts";
import { gardenWith } from "../../testing/scratch.ts";
import { accepted, audited, keysUnder, note } from "../inbox/testing/people.ts";
import { recoverChanges } from "../recover-changes.ts";
import { retryApply } from "./decide.ts";
import { approve, reject } from "./testing/decisions.ts";

/** A proposal that failed because an uncommitted file had its path; the file is removed now. */
async function failed() {
  const { garden, dir } = await gardenWith();
  const { id } = await accepted(garden, note("notes/new.md"));
  writeFileSync(join(dir, "notes/new.md"), "mine\n");
  expect((await approve(garden, id)).status).toBe("failed");
  await garden.folder.removeFile("notes/new.md");
  return { garden, id };
}

/** Stops an action at the crash point of this name: nothing more is written. */
async function leftAt(point: string, act: () => Promise<unknown>): Promise<void> {
  const disarm = armCrashPoints((name) => {
    if (name === point) throw new Error("left standing");
  });
  await expect(act()).rejects.toThrow();
  disarm();
}

const points = ["proposals.appended", "proposals.told", "proposals.view-put", "proposals.claim-released"];

test.each(points)(
  "P-6 P-12 a failed proposal whose rejection crashed at %s is listed and audited as rejected",
  async (point) => {
    const { garden, id } = await failed();
    await leftAt(point, () => reject(garden, id, "no"));
    await recoverChanges(garden);
    const views = (await keysUnder(garden.store, "proposals/")).filter((key) => key.endsWith(`${id}.json`));
    expect({ views: views.map((key) => key.split("/")[1]), audited: (await audited(garden.store)).toSorted() }).toEqual(
      { views: ["rejected"], audited: ["apply-failed owner", "decided owner", "decided owner", "proposed owner"] },
    );
  },
);

test.each(points)("P-7 a failed proposal whose new attempt crashed at %s is listed once, as applied", async (point) => {
  const { garden, id } = await failed();
  await leftAt(point, () => retryApply(garden, { proposal: id, by }));
  await recoverChanges(garden);
  const views = (await keysUnder(garden.store, "proposals/")).filter((key) => key.endsWith(`${id}.json`));
  expect(views.map((key) => key.split("/")[1])).toEqual(["applied"]);
});
