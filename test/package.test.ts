import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scratch } from "../src/garden/testing/scratch.ts";
import { bloom, published } from "./bloom.ts";

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
