/** `npm run soak -- [ROUNDS] [vitest's own options]`: set-up, then the crash and race suites at length. */
import { runScript, setUp } from "./setup.js";
import { conclude, runVitest } from "./vitest.js";

await runScript(async () => {
  const node = await setUp();
  const [first = "", ...rest] = process.argv.slice(2);
  const rounds = /^\d+$/.test(first) ? first : undefined;
  const options = rounds === undefined ? process.argv.slice(2) : rest;
  return conclude(
    await runVitest(node, ["--config", "vitest.soak.config.ts", ...options], { BLOOM_SOAK_ROUNDS: rounds ?? "1" }),
  );
});
