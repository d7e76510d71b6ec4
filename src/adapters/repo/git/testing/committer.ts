import { writeSync } from "node:fs";
import { armCrashPoints } from "../../../../base/crash-point.ts";
import { realWorld } from "../../../../base/world.ts";
import { openCore } from "../core.ts";
import { gardener } from "./signatures.ts";

/** What a process of its own is to do. */
export interface CommitterTask {
  readonly dir: string;
  readonly ref: string;
  /** First part of its commit messages and file names. */
  readonly name: string;
  readonly commits: number;
  /** Builds so many commits, durable with their move, before each move. */
  readonly chain?: number;
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
const given = JSON.parse(process.argv[2]!) as CommitterTask;
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
  const chain: string[] = [];
  for (let i = done; chain.length < (given.chain ?? 1); i++) chain.push(await built(i, chain.at(-1) ?? from));
  const to = chain.at(-1)!;
  const moved = await core.move([{ ref: given.ref, from, to }]);
  if (moved.kind === "edited") throw new Error(`edited: ${moved.paths.join(", ")}`);
  if (moved.kind === "stale") continue;
  if (given.notes) await core.annotate(given.notes, to, Buffer.from(`{"n":${done}}\n`), gardener);
  for (const oid of chain) writeSync(1, `ack ${oid}\n`);
  done += chain.length;
}
await core.close();

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
