import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeWithCeph, freshPlace } from "../../../adapters/store/s3/testing/ceph.ts";
import { commandLineOwner } from "../../../domain/identity.ts";
import { everyKey } from "../../../ports/store.ts";
import { deleteAgent } from "../../agents/lifecycle/delete-agent.ts";
import { closeFound, closeGarden, findGarden, openGarden } from "../../core/garden.ts";
import { verifyGarden } from "../../insight/verify/verify.ts";
import { withAgent } from "../../runs/testing/sample-flow.ts";
import { files, git, scratch } from "../../testing/scratch.ts";
import { moveStore } from "../move-store.ts";
import { bucketPorts, contentOf, planted, withCephKeys, writeInMirror } from "../testing/garden-to-move.ts";
import { backUp } from "./backup.ts";
import { restoreBackup } from "./restore.ts";

describeWithCeph("G-8 a backup of a garden in a bucket", () => {
  withCephKeys();

  it.each([["committed"], ["uncommitted"]])(
    "G-1a files of agents that only the mirror of a bucket has are not restored from a backup: %s",
    async (how) => {
      const dir = await planted();
      const before = await contentOf(dir);
      await moveStore(bucketPorts(), dir, await freshPlace());
      writeInMirror(dir);
      files(dir, { "agents/ghost/README.md": "mine\n" });
      if (how === "committed") git(dir, "add", "agents");
      if (how === "committed") git(dir, "commit", "-qm", "by hand");
      const garden = await openGarden(bucketPorts(), dir);
      const { file } = await backUp(garden, "rose", bucketPorts().folders.at(scratch()));
      await closeGarden(garden);
      const restored = join(scratch(), "again");
      await restoreBackup(bucketPorts(), file, restored);
      const found = await findGarden(bucketPorts(), restored);
      const problems = await verifyGarden(found);
      await closeFound(found);
      const left = [readdirSync(join(restored, "agents/echo")), readdirSync(join(restored, "agents/ghost"))];
      expect({ objects: await contentOf(restored), problems, left }).toEqual({
        objects: before,
        problems: [],
        left: [["_agent.md"], ["README.md"]],
      });
    },
  );

  it("G-8 an agent that is deleted while a garden in a bucket is backed up does not come back", async () => {
    const dir = await planted();
    await moveStore(bucketPorts(), dir, await freshPlace());
    const garden = await openGarden(bucketPorts(), dir);
    await withAgent(garden, "echo", { status: "archived" });
    await garden.store.create("agents/echo/runs/run_1/manifest.json", Buffer.from("{}"));
    let rounds = 0;
    const bundle = async (file: string) => {
      const bundled = await garden.repo.bundle(file);
      if (rounds++ === 0) await deleteAgent(garden, { slug: "echo", by: commandLineOwner, confirm: "echo" });
      return bundled;
    };
    const busy = { ...garden, repo: { ...garden.repo, bundle } };
    const { file, manifest } = await backUp(busy, "rose", bucketPorts().folders.at(scratch()));
    const live: string[] = [];
    for await (const { key } of everyKey(garden.store, "agents/")) live.push(key);
    await closeGarden(garden);
    const restored = join(scratch(), "again");
    await restoreBackup(bucketPorts(), file, restored);
    const agents = Object.keys(await contentOf(restored)).filter((key) => key.startsWith("agents/"));
    expect({ rounds, live, agents, removed: manifest.removed }).toEqual({
      rounds: 2,
      live: [],
      agents: [],
      removed: expect.arrayContaining(["agents/echo/_agent.md", "agents/echo/runs/run_1/manifest.json"]),
    });
  });

  it("G-8 a backup of a garden in a bucket is restored as a garden in a folder", async () => {
    const dir = await planted();
    const before = await contentOf(dir);
    await moveStore(bucketPorts(), dir, await freshPlace());
    const garden = await openGarden(bucketPorts(), dir);
    const { file } = await backUp(garden, "rose", bucketPorts().folders.at(scratch()));
    await closeGarden(garden);
    const restored = join(scratch(), "again");
    await restoreBackup(bucketPorts(), file, restored);
    const found = await findGarden(bucketPorts(), restored);
    const problems = await verifyGarden(found);
    await closeFound(found);
    const open = await openGarden(bucketPorts(), restored);
    const { place } = await open.store.health();
    await closeGarden(open);
    expect({ objects: await contentOf(restored), problems, place }).toEqual({
      objects: before,
      problems: [],
      place: join(restored, ".bloom/store"),
    });
  });
});
