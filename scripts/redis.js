/**
 * Redis for tests of engines that keep their queue in it, from Debian's packages or from the PATH. Plain JavaScript for Node 20
 * without dependencies, like set-up.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ensurePackages } from "./debian.js";
import { onPath, root } from "./setup.js";

const unpacked = join(root, "node_modules", ".cache", "redis");

/** The program, and the folders of its libraries if it is not installed in the system; undefined if there is none. */
function findRedis() {
  const own = join(unpacked, "usr/bin/redis-check-rdb");
  if (existsSync(own)) {
    const lib = join(unpacked, "usr/lib");
    const folders = readdirSync(lib).filter((name) => name.endsWith("-linux-gnu"));
    return { program: own, libraries: folders.map((name) => join(lib, name)) };
  }
  const program = onPath("redis-server") ?? onPath("redis-check-rdb");
  return program === undefined ? undefined : { program, libraries: [] };
}

/**
 * Returns `{ program, libraries }` or `{ missing: "a sentence" }`. The package redis-tools has the whole program, and unlike
 * redis-server starts no service on the machine: the program is a server if its first argument (`argv0`) is `redis-server`.
 */
export function ensureRedis() {
  const isThere = () => findRedis() !== undefined;
  const missing = ensurePackages({ name: "Redis", packages: ["redis-tools"], unpacked, isThere });
  return findRedis() ?? { missing: missing ?? "Redis is missing" };
}
