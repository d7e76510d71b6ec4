import { writeSync } from "node:fs";
import { armCrashPoints } from "../../../../base/crash-point.ts";
import { isLostAnswer } from "../../../../base/failure.ts";
import { realWorld } from "../../../../base/world.ts";
import { openCore } from "../core.ts";
import { gardener } from "./signatures.ts";

/** The task of a committer process. */
export interface CommitterTask {
  readonly dir: string;
  readonly ref: string;
  /** Prefix of its commit messages and file names. */
  readonly name: string;
  readonly commits: number;
  /** Number of commits per move, durable with that move. */
  readonly chain?: number;
  /** A notes ref: annotates each commit. */
  readonly notes?: string;
  /** Kills itself with SIGKILL when it passes this crash point for the n-th time. */
  readonly crashAt?: string;
  readonly nth?: number;
  /** The remote that is the authority. */
  readonly remote?: string;
}

/**
 * The main file of a process that commits in a loop and prints `ack <commit>` for every acknowledged commit. Started with
 * one argument, a `CommitterTask` as JSON.
 */
const given = JSON.parse(process.argv[2]!) as CommitterTask;
let passed = 0;
armCrashPoints((name) => {
  if (name !== given.crashAt || ++passed < (given.nth ?? 1)) return;
  process.kill(process.pid, "SIGKILL");
  for (;;); // nothing may happen until the signal arrives
});
const environment = { PATH: process.env["PATH"], HOME: process.env["HOME"] };
const shared = given.remote && { remote: given.remote, fetch_seconds: 1, timeout_seconds: 60 };
const core = await openCore({ dir: given.dir, environment }, { world: realWorld, ...(shared && { shared }) });
writeSync(1, "open\n");
for (let done = 0; done < given.commits; ) {
  const from = await core.resolve(given.ref);
  const chain: string[] = [];
  for (let i = done; chain.length < (given.chain ?? 1); i++) chain.push(await built(i, chain.at(-1) ?? from));
  const to = chain.at(-1)!;
  const moved = await core.move([{ ref: given.ref, from, to }]).catch(hasHappened(to));
  if (moved.kind === "edited") throw new Error(`edited: ${moved.paths.join(", ")}`);
  if (moved.kind !== "moved") continue;
  if (given.notes) await core.annotate(given.notes, to, Buffer.from(`{"n":${done}}\n`), gardener);
  for (const oid of chain) writeSync(1, `ack ${oid}\n`);
  done += chain.length;
}
await core.close();

/** A lost answer: the remote is read, and the commit is on the ref or not. */
function hasHappened(to: string): (error: unknown) => Promise<{ readonly kind: "moved" | "stale" }> {
  return async (error) => {
    if (!isLostAnswer(error)) throw error;
    await core.refresh();
    const head = await core.resolve(given.ref);
    return { kind: head !== undefined && (await core.isAncestor(to, head)) ? "moved" : "stale" };
  };
}

function built(n: number, parent: string | undefined): Promise<string> {
  return core.build(
    {
      parents: parent === undefined ? [] : [parent],
      edits: [
        { path: `notes/${given.name}/${n % 7}.md`, bytes: Buffer.from(`${given.name} ${n}\n`) },
        { path: `memory/${given.name}.md`, bytes: Buffer.from(`last: ${n} after ${parent}\n`) },
        { path: `memory/${given.name}-${n % 2}.md`, bytes: Buffer.from(`${n}\n`) },
        ...(n > 0 ? [{ path: `memory/${given.name}-${(n + 1) % 2}.md`, bytes: undefined }] : []),
      ],
      author: gardener,
      committer: gardener,
      message: `${given.name} ${n}`,
    },
    { durable: given.chain === undefined ? "at-once" : "with-move" },
  );
}
