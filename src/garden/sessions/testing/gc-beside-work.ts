import { join } from "node:path";
import { attempt, environment } from "../../../adapters/repo/git/testing/scratch.ts";
import { ranNode } from "../../../base/testing/ran-node.ts";
import { testProgram } from "../../../base/testing/test-program.ts";
import { realWorld } from "../../../base/world.ts";
import { archivedSessions, archiveSession, restoreSession } from "../archive-session.ts";
import { sessionFindings } from "../session-findings.ts";
import { spawnSession } from "../spawn-session.ts";
import { sessionHeads, sessionLog } from "../topology.ts";
import { tracesOf } from "../traces.ts";
import type { ActorTask } from "./actor.ts";
import { newSpace } from "./space.ts";

const WORKERS = ["w0", "w1", "w2", "w3"];
const COMMITS = 25;

/**
 * N31: processes commit to their sessions with traces, sessions are put away and brought back, while maintenance and a person's `git gc` run
 * all the time. Every object that a commit, a dossier or a note names is there afterwards, and every commit has its trace.
 */
export async function gcBesideSessions(forMs: number): Promise<{
  readonly commits: number;
  readonly withoutTrace: number;
  readonly collections: number;
  readonly findings: readonly string[];
  readonly fsck: string;
}> {
  const space = await newSpace({ world: realWorld });
  for (const name of [...WORKERS, "moving"]) await spawnSession(space, { name, briefing: { goal: name } });
  const program = testProgram(join(import.meta.dirname, "actor.ts"));
  const until = realWorld.now() + forMs;
  const isOver = (): boolean => realWorld.now() >= until;
  let [commits, collections] = [0, 0];
  const work = async (name: string): Promise<void> => {
    for (let round = 0; !isOver(); round++) {
      const task: ActorTask = {
        dir: space.dir,
        act: "traced",
        session: name,
        name: `${name}-${round}`,
        count: COMMITS,
      };
      const { status, stderr } = await ranNode([program, JSON.stringify(task)], { env: environment });
      if (status !== 0) throw new Error(stderr);
      commits += COMMITS;
    }
  };
  const collect = async (): Promise<void> => {
    for (; !isOver(); collections++) {
      await space.repo.maintain();
      attempt(space.dir, "gc", "--quiet"); // may fail while another one runs
      await (collections % 2 === 0 ? archiveSession(space, "moving") : restoreSession(space, "moving"));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  await Promise.all([...WORKERS.map(work), collect()]);
  let withoutTrace = 0;
  for (const { name } of await sessionHeads(space.repo))
    for (const { commit, typed } of (await sessionLog(space.repo, name)).commits)
      if (typed?.kind !== "spawn" && (await tracesOf(space.repo, commit.oid)).length === 0) withoutTrace++;
  const findings: string[] = [];
  for await (const { what } of sessionFindings(space)) findings.push(what.en);
  if ((await sessionHeads(space.repo)).length + (await archivedSessions(space.repo)).length !== WORKERS.length + 1)
    findings.push("a session is gone");
  return {
    commits,
    withoutTrace,
    collections,
    findings,
    fsck: space.git("fsck", "--connectivity-only", "--no-dangling"),
  };
}
