/** `npm run bench:learning`: set-up, then the benchmark of learning under the packaged Node. */
import { join } from "node:path";
import { root, run, runScript, setUp } from "./setup.js";

await runScript(async () => run(await setUp(), [join(root, "bench", "learning", "main.ts"), ...process.argv.slice(2)]));
