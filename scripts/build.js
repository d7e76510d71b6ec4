/** `npm run build`: the sources as JavaScript in `dist/` and the web app in `web/dist/`, for publishing. Running from the repository needs no build. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { root, run, runScript, setUp, toolEnvironment } from "./setup.js";
import { buildWeb } from "./web.js";

await runScript(async () => {
  await setUp();
  rmSync(join(root, "dist"), { recursive: true, force: true });
  const compiled = await run("tsc", ["-p", "tsconfig.build.json"], { env: toolEnvironment() });
  return compiled === 0 ? buildWeb() : compiled;
});
