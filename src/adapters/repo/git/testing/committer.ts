import { writeSync } from "node:fs";
import { armCrashPoints } from "../../../../base/crash-point.ts";
import { realWorld } from "../../../../base/world.ts";
import { openCore } from "../core.ts";
import { gardener } from "./signatures.ts";

/** What a process of its own is to do. */
export interface Committing {
  readonly dir: string;
  readonly ref: string;
  /** First part of its commit messages and file names. */
  readonly name: string;
  readonly commits: number;
  /** Binds a note to each of its commits. */
  readonly notes?: string;
  /** Dies, as by `kill -9`, when it passes this point for the n-th time. */
  readonly crashAt?: string;
  readonly nth?: number;
}

/**
 * A process of its own that commits again and again, and says `ack <commit>` when a commit was answered for. Nothing
 * of it is imported: it is started with one argument.
 */
const given = JSON.parse(process.argv[2]!) as Committing;
let passed = 0;
armCrashPoints((name) => {
  if (name !== given.crashAt || ++passed < (given.nth ?? 1)) return;
  process.kill(process.pid, "SIGKILL");
  for (;;); // the signal comes in a moment; nothing more may happen
});
const environment = { PATH: process.env["PATH"], HOME: process.env["HOME"] };
const core = await openCore({ dir: given.dir, environment }, { world: realWorld });
writeSync(1, "open\n");
for (let done = 0; done < given.commits; ) {
  const from = await core.resolve(given.ref);
  const to = await core.build({
    parents: from === undefined ? [] : [from],
    edits: [
      { path: `notes/${given.name}/${done % 7}.md`, bytes: Buffer.from(`${given.name} ${done}\n`) },
      { path: `memory/${given.name}.md`, bytes: Buffer.from(`last: ${done} after ${from}\n`) },
      { path: `memory/${given.name}-${done % 2}.md`, bytes: Buffer.from(`${done}\n`) },
      ...(done > 0 ? [{ path: `memory/${given.name}-${(done + 1) % 2}.md`, bytes: undefined }] : []),
    ],
    author: gardener,
    committer: gardener,
    message: `${given.name} ${done}`,
  });
  const moved = await core.move([{ ref: given.ref, from, to }], "committing");
  if (moved.kind === "edited") throw new Error(`edited: ${moved.paths.join(", ")}`);
  if (moved.kind === "stale") continue;
  if (given.notes) await core.annotate(given.notes, to, Buffer.from(`{"n":${done}}\n`), gardener);
  writeSync(1, `ack ${to}\n`);
  done++;
}
await core.close();
