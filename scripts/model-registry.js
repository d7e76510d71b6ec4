/**
 * `node scripts/model-registry.js VERSION`: makes src/domain/config/model-registry-data.ts anew from the list of providers and models
 * that this version of @mastra/core carries. The package is fetched by npm and thrown away again.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./setup.js";

const [version] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version ?? "")) throw new Error("say which version of @mastra/core, such as 1.71.0");
const place = mkdtempSync(join(tmpdir(), "model-registry-"));
try {
  execFileSync("npm", ["pack", `@mastra/core@${version}`, "--silent"], { cwd: place });
  const file = "package/dist/provider-registry.json";
  execFileSync("tar", ["xzf", `mastra-core-${version}.tgz`, file], { cwd: place });
  const { providers } = JSON.parse(readFileSync(join(place, file), "utf8"));
  writeFileSync(join(root, "src/domain/config/model-registry-data.ts"), moduleText(version, providers));
} finally {
  rmSync(place, { recursive: true, force: true });
}

function moduleText(release, providers) {
  const lines = Object.entries(providers)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { apiKeyEnvVar, models }]) => [name, [apiKeyEnvVar].flat().join(",") || "-", ...models].join(" "));
  for (const line of lines) if (/[`\\$\n]/.test(line)) throw new Error(`cannot be written down: ${line}`);
  return `/**
 * Providers of language models, one per line: name, environment variables of the key, models. Made by scripts/model-registry.js;
 * do not edit. The list is that of @mastra/core ${release} (Apache-2.0, © 2025 Kepler Software, Inc.), which has it from
 * models.dev.
 */
export const modelRegistryText = \`\\
${lines.join("\n")}
\`;
`;
}
