import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";
import { root } from "./setup.js";

/**
 * The sources as few files of JavaScript in a folder: a command of eight hundred modules starts in half the time. The packages that
 * every command loads are in them too, because they have two hundred modules; the others stay where they are. What is started by its
 * name lies beside the rest, under that name.
 *
 * @param {string} outDir
 * @param {Record<string, string>} programs the source of each program by its name
 */
export async function bundle(outDir, programs = { main: join(root, "src/main.ts") }) {
  const input = {
    ...programs,
    "file-maker-thread": join(root, "src/adapters/store/dir/file-maker-thread.ts"),
  };
  const output = { entryFileNames: "[name].js", chunkFileNames: "[name].js" };
  await build({
    configFile: false,
    root,
    logLevel: "warn",
    ssr: { noExternal: ["zod", "yaml", "diff", "modern-tar"] },
    build: {
      ssr: true,
      target: "node22",
      outDir,
      emptyOutDir: true,
      copyPublicDir: false,
      minify: false,
      rolldownOptions: { input, output },
    },
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await bundle(join(root, "dist"));
