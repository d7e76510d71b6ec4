import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "../scripts/bundle.js";

/**
 * Makes the package as it is published, once for all tests of a run: what they start as `bloom` is what people install, and starts
 * sooner than the sources.
 */
export default async function publish(): Promise<() => void> {
  const root = join(import.meta.dirname, "..");
  const place = mkdtempSync(join(tmpdir(), "bloom-published-"));
  const { files } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { files: string[] };
  for (const file of ["package.json", ...files.filter((name) => name !== "dist" && name !== "web/dist")])
    cpSync(join(root, file), join(place, file), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(place, "node_modules"));
  mkdirSync(join(place, "web"));
  symlinkSync(join(root, "web/dist"), join(place, "web/dist"));
  await bundle(join(place, "dist"));
  process.env["BLOOM_PUBLISHED"] = place;
  process.env["BLOOM_KEPT_GARDENS"] = join(place, "kept-gardens");
  return () => rmSync(place, { recursive: true, force: true });
}
