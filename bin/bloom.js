#!/usr/bin/env node
/**
 * The launcher of the command `bloom`. Plain JavaScript, because it must also run on a Node that is too old for the rest:
 * there it starts again on a packaged Node, or says how to install one.
 */
import { existsSync, readFileSync } from "node:fs";
import module from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { widenThreadPool } from "./thread-pool.js";

const [major, minor] = process.versions.node.split(".").map(Number);

if (process.argv.length === 3 && ["version", "--version"].includes(process.argv[2])) printVersion();
else if (major > 22 || (major === 22 && minor >= 18)) await start();
else await (await import("./older-node.js")).startAgain(fileURLToPath(import.meta.url));

/** Answered here, on any Node: it takes a twentieth of a second instead of loading the program. */
function printVersion() {
  const manifest = new URL("../package.json", import.meta.url);
  process.stdout.write(`${JSON.parse(readFileSync(manifest, "utf8")).version}\n`);
}

/** In the repository the sources run as they are; the published package holds them built. */
async function start() {
  hideExperimentalWarnings();
  hearSignalsOnce();
  if (process.env.BLOOM_LAUNCHED === "1") endWithLauncher();
  module.enableCompileCache?.();
  widenThreadPool();
  const root = join(dirname(fileURLToPath(import.meta.url)), "..");
  const source = join(root, "src", "main.ts");
  await import(pathToFileURL(existsSync(source) ? source : join(root, "dist", "main.js")).href);
}

/** Node prints warnings that type stripping and `node:sqlite` are experimental. Users of bloom cannot act on them. */
function hideExperimentalWarnings() {
  process.removeAllListeners("warning");
  process.on("warning", (warning) => {
    if (warning.name !== "ExperimentalWarning") process.stderr.write(`${warning.stack ?? warning.message}\n`);
  });
}

/**
 * A terminal or a supervisor sends a signal to every process of a group, and the parent process forwards it once more. A repetition
 * within a second is ignored, so that it does not interrupt the shutdown; a later one ends the process at once.
 */
function hearSignalsOnce() {
  let first;
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.on(signal, () => {
      const isFirst = first === undefined;
      first ??= performance.now();
      if (isFirst ? process.listenerCount(signal) > 1 : performance.now() - first < 1000) return;
      process.removeAllListeners(signal);
      process.kill(process.pid, signal); // no other handler, or repeated on purpose: default action
    });
  }
}

/** Ends as a signal would end it, and after a while in any case, when the launcher that started this process is gone. */
function endWithLauncher() {
  delete process.env.BLOOM_LAUNCHED; // not for the programs that this one starts
  process.on("disconnect", () => {
    setTimeout(() => process.kill(process.pid, "SIGKILL"), 10_000).unref();
    process.kill(process.pid, "SIGTERM");
  });
  process.channel?.unref();
}
