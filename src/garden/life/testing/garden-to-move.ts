import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { ceph } from "../../../adapters/store/s3/testing/ceph.ts";
import { realWorld } from "../../../base/world.ts";
import { composePorts } from "../../../compose.ts";
import { keys } from "../../../domain/layout.ts";
import { everyKey } from "../../../ports/store.ts";
import { closeGarden, type GardenPorts, openGarden } from "../../core/garden.ts";
import { withAgent } from "../../runs/testing/sample-flow.ts";
import { closed, environment, files, gardenWith, git } from "../../testing/scratch.ts";

/** For a suite inside of `describeWithCeph`: the keys of the bucket are in the environment, for programs that it starts. */
export function withCephKeys(): void {
  beforeAll(() => {
    process.env["S3_ACCESS_KEY"] = ceph().key;
    process.env["S3_SECRET_KEY"] = ceph().secret;
  });
  afterAll(() => {
    delete process.env["S3_ACCESS_KEY"];
    delete process.env["S3_SECRET_KEY"];
  });
}

export const bucketPorts = (): GardenPorts =>
  composePorts({ environment: { ...environment, S3_ACCESS_KEY: ceph().key, S3_SECRET_KEY: ceph().secret } }, realWorld);

/** A garden with an agent and two other objects. */
export async function planted(): Promise<string> {
  const { garden, dir } = await gardenWith({ "notes/a.md": "# A\n" });
  await withAgent(garden, "echo");
  git(dir, "add", "agents");
  git(dir, "commit", "-qm", "agent");
  await garden.store.create("audit/2026-02/14/one.json", Buffer.from("{}"));
  await garden.store.put("views/figures-seen.json", Buffer.from("{}"));
  await closed({ garden });
  return dir;
}

/** The objects of a garden: key and hash, without the claim of its place. */
export async function contentOf(dir: string): Promise<Record<string, string>> {
  const garden = await openGarden(bucketPorts(), dir);
  const found: Record<string, string> = {};
  for await (const { key } of everyKey(garden.store, ""))
    if (key !== keys.claim) found[key] = (await garden.store.get(key))!.hash;
  await closeGarden(garden);
  return found;
}

/** An agent and a source that a person has committed in the mirror of a garden in a bucket, where they have no effect. */
export const byHand = ["agents/echo/sources/by-hand.md", "agents/ghost/_agent.md", "agents/ghost/sources/roses.md"];
export function writeInMirror(dir: string): void {
  const contract = readFileSync(join(dir, "agents/echo/_agent.md"), "utf8").replaceAll("echo", "ghost");
  files(dir, Object.fromEntries(byHand.map((path) => [path, path.endsWith("_agent.md") ? contract : "# Mine\n"])));
}
