import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MASTRA_VERSION } from "../src/adapters/runtime/mastra/mastra-package.ts";
import { ranNode } from "../src/base/testing/ran-node.ts";
import { scratch } from "../src/garden/testing/scratch.ts";
import { bloom, plainEnvironment, published, root } from "./bloom.ts";

/** The published package runs without the sources: only the built files that package.json lists, and the dependencies. */
const { version } = JSON.parse(readFileSync(join(published, "package.json"), "utf8")) as { version: string };
const here = import.meta.dirname;

test("the published package has no sources, and has the store's worker thread beside the store", async () => {
  const dist = readdirSync(join(published, "dist"));
  const starters = dist.filter((name) => readFileSync(join(published, "dist", name), "utf8").includes("new Worker("));
  expect({
    hasMain: dist.includes("main.js"),
    hasThread: dist.includes("file-maker-thread.js"),
    starters: starters.length,
  }).toEqual({ hasMain: true, hasThread: true, starters: 1 });
  expect(existsSync(join(published, "src"))).toBe(false);
});

test.each(["version", "--version"])("bloom %s of the published command prints only the version", async (word) => {
  expect(await bloom(here, [word])).toEqual({ exit: 0, out: `${version}\n`, err: "" });
});

test("the published command makes a demo garden without findings", async () => {
  const garden = join(scratch(), "garden");
  expect(await bloom(here, ["demo", garden])).toMatchObject({ exit: 0 });
  expect(await bloom(here, ["verify", "--garden", garden])).toMatchObject({ exit: 0, err: "" });
});

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
const manifestOf = (folder: string) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;

/** The folders of the packages that npm installs for people, found as Node finds them. */
function installedFor(folder: string, found = new Set<string>()): ReadonlySet<string> {
  const { dependencies, optionalDependencies } = manifestOf(folder);
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    let from = folder;
    while (!existsSync(join(from, "node_modules", name)) && from.startsWith(`${root}/`)) from = join(from, "..");
    const place = join(from, "node_modules", name);
    if (found.has(place) || !existsSync(place)) continue; // another system's
    found.add(place);
    installedFor(place, found);
  }
  return found;
}

/** Bytes on the disk, as `du` counts them; packages inside a package are counted by themselves. */
const bytesIn = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? sum : sum + bytesIn(path);
    return sum + statSync(path).blocks * 512;
  }, 0);

test("the published package is installed with at most 110 MB and 40 packages, without Mastra and without Node", () => {
  const folders = [...installedFor(root)];
  const own = ["dist", "bin", "examples"].reduce((sum, name) => sum + bytesIn(join(published, name)), 0);
  const megabytes = (own + folders.reduce((sum, folder) => sum + bytesIn(folder), 0)) / 1e6;
  expect(folders.filter((folder) => /@mastra|node_modules\/node-/.test(folder))).toEqual([]);
  expect(megabytes).toBeGreaterThan(20); // it has measured something
  expect(megabytes).toBeLessThan(110);
  expect(folders.length).toBeLessThan(40);
});

test("without Mastra the published command works, and names the command that installs it only where a setting asks for it", async () => {
  const modules = join(scratch(), "node_modules");
  const place = join(modules, "garden-bloom");
  mkdirSync(place, { recursive: true });
  for (const name of ["package.json", "bin", "dist", "examples"])
    cpSync(join(published, name), join(place, name), { recursive: true });
  for (const name of readdirSync(join(root, "node_modules")))
    if (!name.startsWith(".") && name !== "@mastra") symlinkSync(join(root, "node_modules", name), join(modules, name));
  const garden = join(scratch(), "garden");
  const run = (...args: string[]) =>
    ranNode([join(place, "bin/bloom.js"), ...args, "--garden", garden], {
      env: plainEnvironment({ ANTHROPIC_API_KEY: "none" }),
    });
  expect(await ranNode([join(place, "bin/bloom.js"), "demo", garden], { env: plainEnvironment() })).toMatchObject({
    status: 0,
  });
  const model = ["model", "test", "anthropic/claude-sonnet-4-5"];
  appendFileSync(join(garden, "garden.yaml"), "\nmodels: { anthropic: { url: 'http://127.0.0.1:9/v1' } }\n");
  expect((await run(...model)).stdout).not.toContain("Mastra");
  appendFileSync(join(garden, "garden.yaml"), "runtime: { kind: mastra }\n");
  expect((await run(...model)).stdout).toContain(`npm install --global @mastra/core@${MASTRA_VERSION}`);
});

test("package.json names the release of Mastra that the runtime asks for", () => {
  const { peerDependencies, devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect([peerDependencies, devDependencies].map((list) => list["@mastra/core"])).toEqual([
    MASTRA_VERSION,
    MASTRA_VERSION,
  ]);
});
