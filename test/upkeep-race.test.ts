import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { git } from "../src/garden/testing/scratch.ts";
import { ended, type Member, newCluster, requestedRun, until, writerAgent } from "./cluster/cluster.ts";

/** A run proposes a note. When the owner was told of it, the proposal is approved with a grace of a second: the upkeep applies it. */
async function changeNote(gateway: Member, path: string, isTold: () => boolean): Promise<void> {
  await ended(gateway, await requestedRun(gateway, "scribe", { path }));
  await until(`a message about ${path}`, async () => isTold());
  const pending = await gateway.ask<{ proposals: readonly { id: string; digest: string }[] }>(
    "GET",
    "/proposals/pending",
  );
  const { id, digest } = pending.body.proposals[0]!;
  const answer = await gateway.ask("PATCH", `/proposals/${id}`, { verdict: "approve", digest, grace_s: 1 });
  expect(answer.status).toBe(200);
}

test("O-10 P-6a P-12a a gateway that is paused beyond its lease of the upkeep and woken repeats nothing", async () => {
  const place = mkdtempSync(join(tmpdir(), "bloom-told-"));
  const told = join(place, "told");
  const cluster = await newCluster({
    agents: [writerAgent("scribe")],
    settings: `notify: [{ name: log, command: [sh, -c, "echo \\"$BLOOM_NOTIFY_TITLE\\" >> ${told}"], kinds: [proposal] }]`,
  });
  onTestFinished(async () => {
    await cluster.close();
    rmSync(place, { recursive: true, force: true });
  });
  // The first process owns the store of a directory garden, and is not paused.
  await cluster.up("worker");
  const paused = await cluster.up("gateway");
  const other = await cluster.up("gateway");
  const messages = (): string[] => (existsSync(told) ? readFileSync(told, "utf8").split("\n").filter(Boolean) : []);
  const commits = (): number =>
    git(cluster.dir, "log", "--format=%H", "main", "--", "notes/out").split("\n").filter(Boolean).length;

  await changeNote(paused, "notes/out/before.md", () => messages().length === 1);
  await until("the work of the first holder", async () => commits() === 1);
  // In one folder, a process that is paused while it holds git's lock keeps the others waiting, as a paused `git commit` does.
  await until("git's lock to be free", async () => !existsSync(join(cluster.dir, ".git/index.lock")));
  paused.running.process.kill("SIGSTOP");
  await changeNote(other, "notes/out/meanwhile.md", () => messages().length === 2);
  await until("the work of the second holder", async () => commits() === 2);
  paused.running.process.kill("SIGCONT");
  await changeNote(other, "notes/out/after.md", () => messages().length === 3);
  await until("the work beside the woken one", async () => commits() === 3);
  // Both have had their turns: a notification that was sent twice would be here.
  await new Promise((resolve) => setTimeout(resolve, 6000));
  const verified = await cluster.bloom(["verify"]);
  expect({ commits: commits(), messages: messages().length, verified: verified.exit }).toEqual({
    commits: 3,
    messages: 3,
    verified: 0,
  });
});
