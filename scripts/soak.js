/**
 * `npm run soak -- [ROUNDS] [vitest's own options]`: set-up, then the crash and race suites at length, and every property with
 * other seeds than those of `npm test`.
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
  const files = propertyFiles();
  for (let round = 0; round < rounds; round++) {
    const seed = Math.floor(Math.random() * 2 ** 31);
    console.log(`properties with BLOOM_SEED=${seed}`);
    counts.push(await runVitest(node, [...files, ...options], { BLOOM_SEED: `${seed}` }));
  }
  return conclude(sumCounts(counts));
});

function propertyFiles() {
  return readdirSync(join(root, "src"), { recursive: true })
    .map((file) => join("src", file))
    .filter((file) => file.endsWith(".test.ts") && readFileSync(join(root, file), "utf8").includes('"fast-check"'));
}
