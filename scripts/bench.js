/** `npm run bench`: set-up, then the benches under the packaged Node. */
import { join } from "node:path";
import { root, run, runScript, setUp } from "./setup.js";

await runScript(async () => run(await setUp(), [join(root, "bench", "main.ts"), ...process.argv.slice(2)]));
