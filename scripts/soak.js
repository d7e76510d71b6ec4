/**
 * `npm run soak -- [ROUNDS] [NAME] [vitest's own options]`: setup, then the crash and race suites at length, and every property with
 * other seeds than in `npm test`. With a name only the suites whose path contains it (`test/*.soak.ts`), without the properties.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root, runScript, setUp } from "./setup.js";
import { conclude, runVitest, sumCounts } from "./vitest.js";

await runScript(async () => {
  const node = await setUp();
  const [first = "", ...rest] = process.argv.slice(2);
  const isRounds = /^\d+$/.test(first);
  const rounds = isRounds ? Number(first) : 1;
  const options = isRounds ? rest : process.argv.slice(2);
  const counts = [
    await runVitest(node, ["--config", "vitest.soak.config.ts", ...options], { BLOOM_SOAK_ROUNDS: `${rounds}` }),
  ];
  if (options[0] !== undefined && !options[0].startsWith("-")) return conclude(sumCounts(counts));
  counts.push(await runVitest(node, [...everyPointFiles, ...options], { BLOOM_EVERY_POINT: "1" }));
  const files = propertyFiles();
  for (let round = 0; round < rounds; round++) {
    const seed = Math.floor(Math.random() * 2 ** 31);
    console.log(`properties with BLOOM_SEED=${seed}`);
    counts.push(await runVitest(node, [...files, ...options], { BLOOM_SEED: `${seed}`, BLOOM_EVERY_POINT: "1" }));
  }
  return conclude(sumCounts(counts));
});

/** Tests that do a part of their work in `npm test` (every fourth crash point, every third bench, a sixth of the random cases) and all of it here. */
const everyPointFiles = [
  "src/garden/life",
  "src/garden/insight/verify/after-death",
  "src/adapters/repo/git/work-tree/first-commit",
  "src/adapters/store/dir/power-loss",
  "src/adapters/runtime",
  "src/garden/changes/apply/model",
  "src/drakon",
  "test/bench",
];

function propertyFiles() {
  return readdirSync(join(root, "src"), { recursive: true })
    .map((file) => join("src", file))
    .filter((file) => file.endsWith(".test.ts") && readFileSync(join(root, file), "utf8").includes('"fast-check"'));
}
