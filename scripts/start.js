/** `npm start`: installs what is missing, makes a demo garden in its own folder, and runs `bloom up` on it. */
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
