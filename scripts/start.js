/** `npm start`: everything that is missing, a demo garden in a folder of its own, and `bloom up` on it. */
import { join, resolve } from "node:path";
import { root, run, runScript, setUp } from "./setup.js";
import { buildWeb } from "./web.js";

await runScript(async () => {
  const node = await setUp();
  const garden = resolve(process.env.BLOOM_GARDEN || join(root, ".demo", "garden"));
  const bloom = (...args) =>
    run(node, [join(root, "bin", "bloom.js"), ...args], {
      env: { ...process.env, BLOOM_GARDEN: garden },
      detached: process.platform !== "win32",
    });
  const built = await buildWeb();
  if (built !== 0) return built;
  const made = await bloom("demo", garden);
  return made === 0 ? bloom("up") : made;
});
