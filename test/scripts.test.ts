import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nodePackage } from "../bin/packaged-node.js";
import { looseVersions } from "../scripts/check.js";
import { missingEntries } from "../scripts/lock.js";

const root = join(import.meta.dirname, "..");
const json = (name: string) => JSON.parse(readFileSync(join(root, name), "utf8"));

test("package-lock.json has every package for every system, so that npm ci accepts it", () => {
  expect(missingEntries(json("package-lock.json"))).toEqual({});
});

test("a missing package for another system is reported with its system", () => {
  const packages = { "node_modules/a": { dev: true, optionalDependencies: { "@a/linux-x64-musl": "1.2.3" } } };
  expect(missingEntries({ packages })).toEqual({
    "node_modules/@a/linux-x64-musl": {
      version: "1.2.3",
      cpu: ["x64"],
      dev: true,
      libc: ["musl"],
      optional: true,
      os: ["linux"],
    },
  });
});

test("package.json names exact versions", () => {
  expect(looseVersions(json("package.json"))).toEqual([]);
});

test("the launcher knows the same packages of Node as the repository installs", () => {
  const systems = [
    ["darwin", "arm64"],
    ["darwin", "x64"],
    ["linux", "arm64"],
    ["linux", "x64"],
    ["win32", "x64"],
  ] as const;
  const known = systems.map(([platform, arch]) => nodePackage(platform, arch)!);
  expect(Object.fromEntries(known.map(({ name, version }) => [name, version]))).toEqual(
    json("scripts/node/package.json").optionalDependencies,
  );
  expect(nodePackage("aix", "ppc64")).toBe(undefined);
});

test.each(["^1.2.3", "~1.2.3", "1.x", "latest", "*", ">=1.2.3", "1.2"])("the version %s is not exact", (version) => {
  expect(looseVersions({ devDependencies: { a: version, b: "1.2.3", c: "2.0.0-rc.1" } })).toEqual([`a@${version}`]);
});
