/**
 * `npm run lock`: completes package-lock.json after a change of dependencies. npm leaves packages for other systems out
 * of it when the registry at hand does not carry them, and then `npm ci` refuses the file everywhere. Their versions are
 * exact and their systems are in their names, so their entries can be made without asking anybody. Only the checksum
 * stays out; npm adds it where it can.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./setup.js";

const file = join(root, "package-lock.json");

const SYSTEMS = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openharmony", "sunos", "win32"];
const PROCESSORS = ["arm64", "arm", "ia32", "loong64", "ppc64", "riscv64", "s390x", "wasm32", "x64"];

/** Entries that the lock file lacks, by their place in it. */
export function missingEntries({ packages }) {
  const missing = {};
  for (const [parent, { optionalDependencies = {}, dev }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const here = `${parent === "" ? "" : `${parent}/`}node_modules/${name}`;
      if (packages[here] || packages[`node_modules/${name}`]) continue;
      missing[`node_modules/${name}`] = entryFor(name, version, dev);
    }
  }
  return missing;
}

function entryFor(name, version, dev) {
  const words = name.split(/[/@-]/);
  const os = SYSTEMS.filter((system) => words.includes(system));
  const cpu = PROCESSORS.filter((processor) => words.includes(processor));
  if (!/^\d+\.\d+\.\d+$/.test(version) || os.length + cpu.length === 0)
    throw new Error(`${name}@${version}: no exact version or no system in its name; let npm add it`);
  const libc = words.some((word) => word.startsWith("musl"))
    ? ["musl"]
    : words.some((word) => word.startsWith("gnu"))
      ? ["glibc"]
      : [];
  return {
    version,
    ...(cpu.length > 0 && { cpu }),
    ...(dev && { dev }),
    ...(libc.length > 0 && { libc }),
    optional: true,
    ...(os.length > 0 && { os }),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const lock = JSON.parse(readFileSync(file, "utf8"));
  const missing = missingEntries(lock);
  const entries = Object.entries({ ...lock.packages, ...missing });
  lock.packages = Object.fromEntries(entries.toSorted(([a], [b]) => a.localeCompare(b, "en")));
  writeFileSync(file, `${JSON.stringify(lock, undefined, 2)}\n`);
  console.log(`package-lock.json: ${Object.keys(missing).length} entries added`);
}
