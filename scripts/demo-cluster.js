/** `npm run demo:cluster`: installs what is missing, then shows one garden on several processes (test/cluster/demo.ts). */
import { join } from "node:path";
import { root, run, runScript, setUp } from "./setup.js";

await runScript(async () => {
  const node = await setUp();
  return await run(node, [join(root, "test/cluster/demo.ts"), ...process.argv.slice(2)]);
});
