/** `npm run obsidian`: the plugin for Obsidian in `integrations/obsidian/dist`, three files for a vault's `.obsidian/plugins/garden-bloom`. */
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";
import { root, runScript, say } from "./setup.js";

const source = join(root, "integrations", "obsidian");

/** Builds into `into`. Obsidian loads CommonJS, and gives the module `obsidian` itself. */
export async function buildObsidianPlugin(into = join(source, "dist")) {
  await build({
    configFile: false,
    logLevel: "warn",
    root: source,
    publicDir: false,
    build: {
      outDir: into,
      emptyOutDir: false,
      minify: false,
      target: "es2022",
      lib: { entry: join(source, "main.ts"), formats: ["cjs"], fileName: () => "main.js" },
      rolldownOptions: { external: ["obsidian"], output: { exports: "default" } },
    },
  });
  mkdirSync(into, { recursive: true });
  for (const file of ["manifest.json", "styles.css"]) copyFileSync(join(source, file), join(into, file));
  return into;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  await runScript(async () => {
    say(`the plugin is in ${await buildObsidianPlugin()}`);
    return 0;
  });
