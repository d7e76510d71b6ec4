/** `npm run build`: the sources as JavaScript in `dist/`, for publishing. Running from the repository needs no build. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { root, run, runScript, setUp, toolEnvironment } from "./setup.js";

await runScript(async () => {
  await setUp();
  rmSync(join(root, "dist"), { recursive: true, force: true });
  return run("tsc", ["-p", "tsconfig.build.json"], { env: toolEnvironment() });
});
