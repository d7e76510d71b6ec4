import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { bundle } from "../scripts/bundle.js";

/** The programs that tests start and kill: parts of the product that die at a crash point. */
const programs = [
  "adapters/repo/git/testing/committer",
  "adapters/repo/git/testing/killed-setup",
  "adapters/store/dir/testing/store-driver",
  "garden/changes/apply/testing/applier",
  "garden/changes/apply/testing/applying",
  "garden/changes/apply/testing/dying-life",
  "garden/changes/inbox/testing/dying-inbox",
  "garden/core/flow/testing/stepping",
  "garden/runs/execute/testing/flowing",
  "garden/runs/testing/deciding",
  "garden/runs/testing/dying-run",
  "garden/runs/testing/engine-worker",
  "garden/runs/testing/kill-worker",
  "garden/runs/testing/sandboxing",
  "garden/runs/testing/working",
  "garden/testing/dying",
  "garden/sessions/testing/actor",
];

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
  await bundle(
    join(place, "programs"),
    Object.fromEntries(programs.map((path) => [basename(path), join(root, `src/${path}.ts`)])),
  );
  process.env["BLOOM_TEST_PROGRAMS"] = join(place, "programs");
  process.env["BLOOM_PUBLISHED"] = place;
  process.env["BLOOM_KEPT_GARDENS"] = join(place, "kept-gardens");
  return () => rmSync(place, { recursive: true, force: true });
}
