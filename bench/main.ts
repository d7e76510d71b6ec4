/** `npm run bench -- [--only NAME] [--json] [--rounds N] [--round-ms N] [--files N] [--archived N] [--commits N] [--finished N] [--no-install]` */
import { rm } from "node:fs/promises";
import { parseArgs } from "node:util";
import { allBenches } from "./all.ts";
import { type Row, runBench } from "./harness.ts";
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
    "no-install": { type: "boolean", default: false },
  },
});

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
  if (chosen.length === 0) tell(`no bench has "${values.only}" in its name`);
  for (const [i, bench] of chosen.entries()) {
    for (const row of await runBench(bench, pace, `${scratch}/bench-${i}`, tell)) {
      rows.push(row);
      if (values.json) console.log(JSON.stringify(row));
    }
    await rm(`${scratch}/bench-${i}`, { recursive: true, force: true });
  }
} finally {
  await rm(scratch, { recursive: true, force: true });
}
if (!values.json) console.log(table(rows));
process.exitCode = rows.length === 0 ? 1 : 0;
