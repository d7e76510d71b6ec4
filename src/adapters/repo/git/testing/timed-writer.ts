import { realWorld } from "../../../../base/world.ts";
import { openCore } from "../core.ts";
import { gardener } from "./signatures.ts";

/** The main file of a process that commits to `main` for some time and prints every acknowledged commit. */
const [dir, name, forMs] = process.argv.slice(2) as [string, string, string];
const core = await openCore({ dir, environment: { PATH: process.env["PATH"], HOME: dir } }, { world: realWorld });
const ref = "refs/heads/main";
const started = performance.now();
for (let i = 0; performance.now() - started < Number(forMs); ) {
  const from = await core.resolve(ref);
  const head = await core.build({
    parents: from ? [from] : [],
    edits: [{ path: `${name}/нотатка ${i % 50}.md`, bytes: Buffer.from(`${name} ${i}\n`.repeat(20)) }],
    author: gardener,
    committer: gardener,
    message: `${name} ${i}`,
  });
  const moved = await core.move([{ ref, from, to: head }]);
  if (moved.kind === "edited") throw new Error(`edited: ${moved.paths.join(", ")}`);
  if (moved.kind !== "moved") continue;
  process.stdout.write(`${head}\n`);
  i++;
}
await core.close();
