/**
 * `node scripts/model-registry.js VERSION`: regenerates src/data/model-registry.json from the list of providers and models
 * in this version of @mastra/core. npm downloads the package into a temporary folder.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./setup.js";

const [version] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version ?? "")) throw new Error("give the version of @mastra/core, such as 1.71.0");
const place = mkdtempSync(join(tmpdir(), "model-registry-"));
try {
  execFileSync("npm", ["pack", `@mastra/core@${version}`, "--silent"], { cwd: place });
  const file = "package/dist/provider-registry.json";
  execFileSync("tar", ["xzf", `mastra-core-${version}.tgz`, file], { cwd: place });
  const { providers } = JSON.parse(readFileSync(join(place, file), "utf8"));
  writeFileSync(join(root, "src/data/model-registry.json"), registryJson(version, providers));
} finally {
  rmSync(place, { recursive: true, force: true });
}

/** One provider per line, so that a new release shows as a readable diff. */
function registryJson(release, providers) {
  const source = `@mastra/core ${release} (Apache-2.0, © 2025 Kepler Software, Inc.), from models.dev`;
  const lines = Object.entries(providers)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { apiKeyEnvVar, models }]) => {
      const keyEnv = [apiKeyEnvVar].flat().filter(Boolean);
      return `${JSON.stringify(name)}:${JSON.stringify({ keyEnv, models })}`;
    });
  return `{\n"source":${JSON.stringify(source)},\n"providers":{\n${lines.join(",\n")}\n}}\n`;
}
