import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundle } from "../scripts/bundle.js";

/**
 * Makes the package as it is published, once for all tests of a run: what they start as `bloom` is what people install, and starts
 * sooner than the sources. It lies where it finds the packages.
 */
export default async function publish(): Promise<() => void> {
  const root = join(import.meta.dirname, "..");
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const place = mkdtempSync(join(cache, "published-"));
  const { files } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { files: string[] };
  for (const file of ["package.json", ...files.filter((name) => name !== "dist" && name !== "web/dist")])
    cpSync(join(root, file), join(place, file), { recursive: true });
  mkdirSync(join(place, dirname("web/dist")));
  symlinkSync(join(root, "web/dist"), join(place, "web/dist"));
  await bundle(join(place, "dist"));
  process.env["BLOOM_PUBLISHED"] = place;
  return () => rmSync(place, { recursive: true, force: true });
}
