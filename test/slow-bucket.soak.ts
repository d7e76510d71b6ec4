import { join } from "node:path";
import { expect, it } from "vitest";
import { badProxy } from "../src/adapters/store/s3/testing/bad-proxy.ts";
import { ceph, describeWithCeph, freshPlace } from "../src/adapters/store/s3/testing/ceph.ts";
import { composePorts } from "../src/compose.ts";
import { closeGarden, openGarden } from "../src/garden/core/garden.ts";
import { initGarden } from "../src/garden/life/init.ts";
import { plant } from "../src/garden/runs/testing/planted-agent.ts";
import { files, git, scratch } from "../src/garden/testing/scratch.ts";
import { bloom, plainEnvironment } from "./bloom.ts";
import { writerAgent } from "./cluster/cluster.ts";

describeWithCeph("A-6 a bucket whose every answer takes two seconds", () => {
  it("O-3 lets a real run read, propose and end within its time limits, and its proposal be approved", async () => {
    let isSlow = false;
    const proxy = await badProxy(ceph().endpoint, () => (isSlow ? "slow" : undefined));
    const keys = { S3_ACCESS_KEY: ceph().key, S3_SECRET_KEY: ceph().secret };
    const [dir, ground] = [join(scratch(), "rose"), composePorts({ environment: plainEnvironment(keys) })];
    try {
      files(dir, { "notes/a.md": "# A\n" });
      await initGarden(ground, dir, { language: "en", store: { ...(await freshPlace()), endpoint: proxy.url } });
      const garden = await openGarden(ground, dir);
      await plant(ground, garden, writerAgent("scribe"));
      await closeGarden(garden);
      isSlow = true;
      const began = performance.now();
      const run = await bloom(dir, ["run", "scribe", "--input", "path=notes/n.md", "--wait", "--json"], keys);
      const seconds = Math.round((performance.now() - began) / 1000);
      const pending = await bloom(dir, ["proposals", "list", "--json"], keys);
      const id = /prop_[0-9a-z_-]+/.exec(pending.out)?.[0] ?? "";
      const approved = await bloom(dir, ["proposals", "approve", id, "--yes"], keys);
      process.stdout.write(`a run took ${seconds} s, ${proxy.counts["slow"]} slow answers\n`);
      const found = {
        run: run.exit,
        approved: approved.exit,
        notes: git(dir, "ls-tree", "--name-only", "main", "notes/"),
      };
      expect(found, `${run.out}${run.err}${approved.err}`).toEqual({
        run: 0,
        approved: 0,
        notes: "notes/a.md\nnotes/n.md",
      });
    } finally {
      await proxy.close();
    }
  });
});
