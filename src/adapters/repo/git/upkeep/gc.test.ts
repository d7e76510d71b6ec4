import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { realWorld } from "../../../../base/world.ts";
import { openCore } from "../core.ts";
import { byHand, environment, scratch } from "../testing/scratch.ts";
import { gardener } from "../testing/signatures.ts";

test("every commit is whole while a person's repacking removes folders", async () => {
  const dir = scratch();
  byHand(dir, "init", "-q", "-b", "main");
  const core = await openCore({ dir, environment }, { world: realWorld });
  const packing = spawn("sh", ["-c", "while :; do git repack -adq; git prune-packed -q; done"], {
    cwd: dir,
    stdio: "ignore",
    detached: true,
  });
  let head: string | undefined;
  let commits = 0;
  try {
    for (const end = performance.now() + 4000; performance.now() < end; commits++) {
      const edits = [{ path: `notes/${commits % 7}.md`, bytes: Buffer.from(`${commits}\n`) }];
      const next = await core.build({
        parents: head ? [head] : [],
        edits,
        author: gardener,
        committer: gardener,
        message: `commit ${commits}`,
      });
      const moved = await core.move([{ ref: "refs/heads/work", from: head, to: next }]);
      expect(moved.kind).toBe("moved");
      head = next;
    }
  } finally {
    process.kill(-packing.pid!, "SIGKILL");
    await core.close();
  }
  console.log(`beside repacking: ${commits} commits, none lost`);
  expect({
    commits: byHand(dir, "rev-list", "--count", "refs/heads/work"),
    fsck: byHand(dir, "fsck", "--strict", "--no-dangling"),
  }).toEqual({ commits: `${commits}`, fsck: "" });
});
