import { cp, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ranNode } from "../src/base/testing/ran-node.ts";

/** What is published runs without the sources: only the files that package.json lists, built, beside its dependencies. */
const root = join(import.meta.dirname, "..");
const place = await mkdtemp(join(tmpdir(), "bloom-package-"));
const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string; files: string[] };
afterAll(() => rm(place, { recursive: true, force: true }));

beforeAll(async () => {
  for (const file of ["package.json", ...manifest.files.filter((name) => name !== "dist")])
    await cp(join(root, file), join(place, file), { recursive: true });
  await symlink(join(root, "node_modules"), join(place, "node_modules"));
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const built = node([tsc, "-p", join(root, "tsconfig.build.json"), "--outDir", join(place, "dist")]);
  expect(built.stdout).toBe("");
});

const node = (args: string[]) => ranNode(args);
const bloom = (...args: string[]) => {
  const { status, stdout, stderr } = node([join(place, "bin", "bloom.js"), ...args]);
  return { status, stdout, stderr };
};

test.each(["version", "--version"])("bloom %s of the published command tells the version and nothing else", (word) => {
  expect(bloom(word)).toEqual({ status: 0, stdout: `${manifest.version}\n`, stderr: "" });
});

test("the published command makes a demo garden that is whole", () => {
  const garden = join(place, "garden");
  expect(bloom("demo", garden)).toMatchObject({ status: 0 });
  expect(bloom("verify", "--garden", garden)).toMatchObject({ status: 0, stderr: "" });
});
