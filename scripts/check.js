/**
 * `npm run check`: types, lint, format, dead code, exact versions. Two at a time; only what fails is printed.
 * Run by `npm test` too, which asks for the number of failures.
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root, runScript, setUp, toolEnvironment } from "./setup.js";
import { writeEndpointTypes } from "./web-types.js";

/** The compiler with what it kept of the last check: it looks again at the files that changed and at those that use them. */
const typesOf = (project, kept) => [
  "tsc",
  "-p",
  project,
  "--incremental",
  "--tsBuildInfoFile",
  join(root, "node_modules/.cache", kept),
];

const tools = [
  { name: "types", command: typesOf(".", "types.tsbuildinfo") },
  { name: "types of the web app", command: typesOf("web", "web-types.tsbuildinfo") },
  { name: "lint", command: ["oxlint", "--type-aware", "--quiet"] },
  { name: "format", command: ["biome", "check", "--error-on-warnings", "."] },
  { name: "dead code", command: ["knip", "--no-progress"] },
  { name: "code that only tests use", command: ["knip", "--no-progress", "--production"] },
];

/** Runs all checks. Nothing is printed yet, because `npm test` runs its tests meanwhile. */
export async function check() {
  const started = performance.now();
  const waiting = [...tools];
  const failed = [];
  if ((await writeEndpointTypes()) !== 0)
    failed.push({ name: "types of the endpoints", output: "not generated, see above" });
  const worker = async () => {
    for (let tool = waiting.shift(); tool; tool = waiting.shift()) {
      const { code, output } = await captured(tool.command);
      if (code !== 0) failed.push({ name: tool.name, output: `$ ${tool.command.join(" ")}\n${output}` });
    }
  };
  await Promise.all([worker(), worker()]);
  const loose = ["package.json", "scripts/node/package.json"].flatMap((manifest) =>
    looseVersions(JSON.parse(readFileSync(join(root, manifest), "utf8"))),
  );
  if (loose.length > 0) failed.push({ name: "versions", output: `not exact in package.json: ${loose.join(", ")}` });
  return { failed, seconds: ((performance.now() - started) / 1000).toFixed(1) };
}

/** Prints the failed checks with their output. Returns their number. */
export function printChecks({ failed, seconds }) {
  for (const { name, output } of failed) console.log(`── ${name}\n${output.trimEnd()}\n`);
  const names = [...tools.map(({ name }) => name), "versions"].join(", ");
  console.log(failed.length === 0 ? `check: ${names}: fine (${seconds} s)` : `check: ${failed.length} failed`);
  return failed.length;
}

/** Dependencies whose version is a range: they could change under us without a commit that says so. */
export function looseVersions(manifest) {
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = manifest;
  const all = { ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies };
  return Object.entries(all)
    .filter(([, version]) => !/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version))
    .map(([name, version]) => `${name}@${version}`);
}

function captured([command, ...args]) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: toolEnvironment({ NO_COLOR: "1" }),
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32",
    });
    let output = "";
    const take = (chunk) => {
      output += chunk;
    };
    child.stdout.setEncoding("utf8").on("data", take);
    child.stderr.setEncoding("utf8").on("data", take);
    child.on("error", (error) => resolve({ code: 1, output: error.message }));
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await runScript(async () => {
    await setUp();
    return printChecks(await check()) === 0 ? 0 : 1;
  });
}
