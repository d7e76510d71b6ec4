/** `npm run build`: the sources as JavaScript in `dist/` and the web app in `web/dist/`, for publishing. Running from the repository needs no build. */
import { join } from "node:path";
import { root, run, runScript, setUp, toolEnvironment } from "./setup.js";
import { buildWeb } from "./web.js";

await runScript(async () => {
  const node = await setUp();
  const bundled = await run(node, [join(root, "scripts", "bundle.js")], { env: toolEnvironment() });
  return bundled === 0 ? buildWeb() : bundled;
});
