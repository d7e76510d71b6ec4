import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { armCrashPoints } from "../../../base/crash-point.ts";
import { patient } from "../../../base/testing/patience.ts";
import { readEvents, readProposal } from "../../records/proposals/proposal-log.ts";
import { files, gardenWith, git } from "../../testing/scratch.ts";
import { applyProposal, resumeApplying, withWaiting } from "./apply-proposal.ts";
import { approved, edit, note } from "./testing/proposals.ts";

let disarm = (): void => undefined;
afterEach(() => disarm());

const typesOf = async (garden: Parameters<typeof applyProposal>[0], id: string): Promise<string[]> =>
  (await readEvents(garden.store, id)).map(({ type }) => type);

test("G-5 a change that meets a running git command stays approved, says so, and lands when the command ends", async () => {
  const { garden, dir } = await gardenWith({ "notes/a.md": "# A\n" });
  const { id } = await approved(garden, note("notes/new.md", "new\n"));
  const [lock, head] = [join(dir, ".git/index.lock"), git(dir, "rev-parse", "main")];
  writeFileSync(lock, "");
  const waiting = await applyProposal(garden, id, "owner");
  expect(waiting).toMatchObject({ status: "approved", waiting: { en: expect.stringContaining("git command") } });
  expect((await withWaiting(garden, [await readProposal(garden.store, id)]))[0]?.waiting).toEqual(waiting.waiting);
  expect(await resumeApplying(garden)).toEqual([]);
  expect({ main: git(dir, "rev-parse", "main"), events: await typesOf(garden, id) }).toEqual({
    main: head,
    events: ["made", "decided"],
  });
  // The command ends as a commit of everything that it knew.
  rmSync(lock);
  files(dir, { "notes/a.md": "# A\n\nby hand\n" });
  git(dir, "commit", "-qam", "by hand");
  await expect
    .poll(async () => (await readProposal(garden.store, id)).status, { timeout: patient(20_000) })
    .toBe("applied");
  expect({
    events: await typesOf(garden, id),
    ours: git(dir, "show", "main:notes/new.md"),
    theirs: git(dir, "show", "main:notes/a.md"),
    status: git(dir, "status", "--short"),
  }).toEqual({
    events: ["made", "decided", "applying", "applied"],
    ours: "new",
    theirs: "# A\n\nby hand",
    status: "",
  });
});

test("G-5 a retry of a failed change is refused while a git command is running", async () => {
  const { garden, dir } = await gardenWith({ "notes/a.md": "# A\n" });
  const { id } = await approved(garden, edit("notes/a.md", "# A\n\nMore.\n"));
  files(dir, { "notes/a.md": "# A\n\nunsaved\n" });
  expect((await applyProposal(garden, id, "owner")).status).toBe("failed");
  const lock = join(dir, ".git/index.lock");
  writeFileSync(lock, "");
  const refused = { code: "CONCURRENT_MODIFICATION", text: { en: expect.stringContaining("git command") } };
  await expect(applyProposal(garden, id, "owner")).rejects.toMatchObject(refused);
  rmSync(lock);
  git(dir, "checkout", "-q", "--", "notes/a.md");
  expect((await applyProposal(garden, id, "owner")).status).toBe("applied");
});

test("P-7 a commit by hand between planning and landing makes no second plan: the change is planned again before it is recorded", async () => {
  const { garden, dir } = await gardenWith({ "notes/a.md": "# A\n" });
  const { id } = await approved(garden, note("notes/new.md", "new\n"));
  let commits = 0;
  disarm = armCrashPoints((name) => {
    if (name !== "apply.built" || commits++ > 0) return;
    files(dir, { "notes/a.md": "# A\n\nby hand\n" });
    git(dir, "commit", "-qam", "by hand");
  });
  expect((await applyProposal(garden, id, "owner")).status).toBe("applied");
  expect({ events: await typesOf(garden, id), subjects: git(dir, "log", "-2", "--format=%s").split("\n") }).toEqual({
    events: ["made", "decided", "applying", "applied"],
    subjects: [expect.stringContaining("]"), "by hand"],
  });
});
