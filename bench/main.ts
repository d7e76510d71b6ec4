/** `npm run bench -- [--only NAME] [--json] [--rounds N] [--round-ms N] [--files N] [--archived N] [--commits N] [--finished N] [--runs N] [--no-install]` */
import { rm } from "node:fs/promises";
import { parseArgs } from "node:util";
import { widenThreadPool } from "../bin/thread-pool.js";
import { allBenches } from "./all.ts";
import { type Row, runBench } from "./harness.ts";
import { measureScale, scaleTable } from "./scale.ts";
import { scratchFolder } from "./scratch.ts";
import { table } from "./table.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    json: { type: "boolean", default: false },
    rounds: { type: "string", default: "5" },
    "round-ms": { type: "string", default: "1000" },
    files: { type: "string", default: "10000" },
    archived: { type: "string", default: "100000" },
    commits: { type: "string", default: "50000" },
    finished: { type: "string", default: "10000" },
    runs: { type: "string", default: "64" },
    "no-install": { type: "boolean", default: false },
  },
});

widenThreadPool(); // as bloom does

const tell = (line: string): void => void process.stderr.write(`${line}\n`);
const pace = { rounds: Number(values.rounds), roundMs: Number(values["round-ms"]), settle: true };
const scratch = await scratchFolder();
const rows: Row[] = [];
try {
  const size = {
    files: Number(values.files),
    crowd: 16,
    archived: Number(values.archived),
    commits: Number(values.commits),
    finished: Number(values.finished),
    install: !values["no-install"],
  };
  const chosen = allBenches(size, scratch).filter(({ name }) => name.includes(values.only));
  if ("scale".includes(values.only)) {
    const workload = { workers: [1, 2, 4], runs: Number(values.runs), delay: [20, 80] } as const;
    const measured = await measureScale(scratch, workload, tell);
    console.log(
      values.json ? measured.map((row) => JSON.stringify(row)).join("\n") : scaleTable(measured, workload.delay),
    );
  } else if (chosen.length === 0) tell(`no bench has "${values.only}" in its name`);
  for (const [i, bench] of chosen.entries()) {
    for (const row of await runBench(bench, pace, `${scratch}/bench-${i}`, tell)) {
      rows.push(row);
      if (values.json) console.log(JSON.stringify(row));
    }
  }
} finally {
  // All at the end: for minutes after many deletions, ext4 searches long for the inode of each new file.
  await rm(scratch, { recursive: true, force: true });
}
if (!values.json && rows.length > 0) console.log(table(rows));
process.exitCode = rows.length === 0 && !"scale".includes(values.only) ? 1 : 0;
