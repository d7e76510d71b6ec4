import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { access, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

/** Packages that only the tests of one engine or of the edge need, with what npm shall install. They are too large for `npm ci`. */
const PACKAGES = {
  "restate-server": { "@restatedev/restate-server": "1.7.12" },
  "restate-sdk": { "@restatedev/restate-sdk": "1.17.2" },
  inngest: { inngest: "4.24.0" },
  miniflare: { miniflare: "4.20260730.0" },
} as const;

/**
 * Dependencies that the SDK of Inngest loads for `inngest/experimental` only, 190 of its 220 MB, and the images of miniflare, which
 * are native code.
 */
const LEFT_OUT = ["@opentelemetry/auto-instrumentations-node", "@traceloop/instrumentation-anthropic", "sharp"];

/** The folder with these packages in `node_modules`; installed at the first call, beside the user's other caches. */
export async function onDemand(name: keyof typeof PACKAGES): Promise<string> {
  const [[, version]] = Object.entries(PACKAGES[name]) as [[string, string]];
  const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "bloom-test");
  const folder = join(cache, `${name}-${version}`);
  if (await isThere(folder)) return folder;
  const making = `${folder}.${randomBytes(4).toString("hex")}`;
  await mkdir(making, { recursive: true });
  const overrides = Object.fromEntries(LEFT_OUT.map((one) => [one, "npm:ms@2.1.3"]));
  const manifest = { private: true, type: "module", dependencies: PACKAGES[name], overrides };
  await writeFile(join(making, "package.json"), JSON.stringify(manifest));
  await run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--omit=peer"], {
    cwd: making,
    timeout: 300_000,
  }).catch(async (error: unknown) => {
    await rm(making, { recursive: true, force: true });
    throw error;
  });
  // Another process may have been faster; both folders are the same.
  await rename(making, folder).catch(() => rm(making, { recursive: true, force: true }));
  return folder;
}

/** A module of such a package, loaded by its file: the product's own `node_modules` does not have it. */
export const onDemandFile = async (name: keyof typeof PACKAGES, file: string): Promise<string> =>
  pathToFileURL(join(await onDemand(name), "node_modules", file)).href;

const run = promisify(execFile);

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
