/**
 * Builds the web app into `web/dist`, unless the build there was made from the same files. Every file is also stored compressed, so
 * that serving it costs no CPU. Prints the size of the first page's script and fails if it exceeds `FIRST_PAGE_BYTES`.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { root, run, runScript, say, setUp, toolEnvironment } from "./setup.js";
import { endpointTypes, writeEndpointTypes } from "./web-types.js";

const FIRST_PAGE_BYTES = 200_000;
const web = join(root, "web");
const dist = join(web, "dist");
const stamp = join(dist, ".made-from");

/** Returns the exit code. */
export async function buildWeb({ quiet = false } = {}) {
  const made = sourcesId();
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === made) return 0;
  if (!quiet) say("building the web app …");
  const typed = await writeEndpointTypes();
  if (typed !== 0) return typed;
  const code = await run("vite", ["build", "--logLevel", "warn", "--config", join(web, "vite.config.ts"), web], {
    env: toolEnvironment({ NODE_ENV: "production" }),
  });
  if (code !== 0) return code;
  const files = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.(?:js|css|html|svg)$/.test(file),
  );
  for (const file of files) {
    const bytes = readFileSync(join(dist, file));
    const packed = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
    if (packed.length < bytes.length) writeFileSync(join(dist, `${file}.br`), packed);
  }
  const first = firstPageBytes();
  if (!quiet) say(`the web app is built; its first page loads ${Math.round(first / 1000)} KB of compressed script`);
  if (first > FIRST_PAGE_BYTES) {
    console.error(`The first page loads ${first} bytes of compressed script, more than ${FIRST_PAGE_BYTES}.`);
    return 1;
  }
  writeFileSync(stamp, made);
  return 0;
}

/** Size of the scripts that `index.html` names, as gzip (the larger of the two encodings). Other pages are loaded on demand. */
export function firstPageBytes() {
  const page = readFileSync(join(dist, "index.html"), "utf8");
  const scripts = [...page.matchAll(/(?:src|href)="\/app\/(assets\/[^"]+\.js)"/g)].map(([, file]) => file);
  return scripts.reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file))).length, 0);
}

/** Hash of every file that can change the bundle. The endpoint types cannot: the compiler erases them. */
function sourcesId() {
  const hash = createHash("sha256").update(readFileSync(join(root, "package-lock.json")));
  for (const folder of ["web", "src/base", "src/domain", "src/drakon"]) {
    const files = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => !file.startsWith(dist) && file !== endpointTypes)
      .toSorted();
    for (const file of files) hash.update(`${file.slice(root.length)}\0`).update(readFileSync(file));
  }
  return hash.digest("hex");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await runScript(async () => {
    await setUp();
    return buildWeb();
  });
}
