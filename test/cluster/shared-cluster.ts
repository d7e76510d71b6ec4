import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { ranNode } from "../../src/base/testing/ran-node.ts";
import { composePorts } from "../../src/compose.ts";
import type { ProcessRole } from "../../src/domain/peer.ts";
import { makeToken } from "../../src/garden/agents/access/tokens.ts";
import { closeGarden, openGarden } from "../../src/garden/core/garden.ts";
import { initGarden } from "../../src/garden/life/init.ts";
import { type PlantedAgent, plant } from "../../src/garden/runs/testing/planted-agent.ts";
import { files, git } from "../../src/garden/testing/scratch.ts";
import { type Cluster, endAll, joined, type Member } from "./cluster.ts";
import type { Ground, Machine } from "./ground.ts";

/** A garden on a bucket, a git remote and an engine. Every process has a clone, a home folder and links of its own. */
export async function sharedCluster(
  ground: Ground,
  { agents, settings = "" }: { readonly agents: readonly PlantedAgent[]; readonly settings?: string },
): Promise<Cluster> {
  const { environment, program, folder, remote } = ground;
  const dir = join(folder, "first");
  mkdirSync(dir);
  const token = await garden(ground, dir, agents, settings);
  const members: Member[] = [];
  const command = async (args: readonly string[]): ReturnType<Cluster["bloom"]> => {
    const { status, stdout, stderr } = await ranNode([program, ...args], { cwd: dir, env: environment });
    return { exit: status, out: stdout, err: stderr };
  };
  const start = async (role: ProcessRole, place: string, machine: Machine): Promise<Member> => {
    const member = { ...(await joined(place, token, role, machine.environment, program)), machine, place };
    members.push(member);
    return member;
  };
  return {
    dir,
    token,
    history: ground.bare,
    async up(role) {
      const name = `${role}-${members.length}`;
      // By its folder: this process serves the address, and waits for git.
      git(folder, "clone", "-q", ground.bare, name);
      git(join(folder, name), "remote", "set-url", "origin", remote);
      return await start(role, join(folder, name), await ground.machine(name));
    },
    async again({ role, machine, place }) {
      return await start(role, place!, machine!);
    },
    bloom: command,
    close: () => endAll(members),
  };
}

/** Makes the garden in a folder, moves its objects to the bucket and its history to the remote. Returns a token of its owner. */
async function garden(
  { environment, program, remote, bare, bucket, engineSetting }: Ground,
  dir: string,
  agents: readonly PlantedAgent[],
  settings: string,
): Promise<string> {
  const ports = composePorts({ environment });
  files(dir, { "notes/a.md": "# A\n" });
  await initGarden(ports, dir, { language: "en", name: "Rose" });
  const here = await openGarden(ports, dir);
  for (const agent of agents) await plant(ports, here, agent);
  await closeGarden(here);
  const moved = await ranNode([program, "move", "--to", bucket], { cwd: dir, env: environment });
  if (moved.status !== 0) throw new Error(moved.stderr);
  const limits = "limits: { owner_per_minute: 100000, agent_per_minute: 100000 }";
  const repo = `repo: { remote: "${remote}", fetch_seconds: 5, timeout_seconds: 10 }`;
  appendFileSync(join(dir, "garden.yaml"), `\n${[limits, repo, engineSetting, settings].join("\n")}\n`);
  git(dir, "commit", "-qam", "Share the garden");
  git(dir, "push", "-q", bare, "main");
  const there = await openGarden(ports, dir);
  try {
    return (await makeToken(there, { kind: "owner", name: "test" }, "owner")).token;
  } finally {
    await closeGarden(there);
  }
}
