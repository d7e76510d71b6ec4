/**
 * Set-up: brings what is missing on a bare machine, says what it does, and does nothing twice. Plain JavaScript for
 * Node 20 without dependencies, because it runs before anything is installed.
 */
import { spawn, spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { nodePackage } from "../bin/packaged-node.js";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, "node_modules");
const windows = process.platform === "win32";

const OLDEST_NODE = [22, 18];
const OLDEST_GIT = [2, 39];

export const say = (line) => process.stderr.write(`set-up: ${line}\n`);

/** Something that the person has to do first. Its message is all that they need to see. */
export class NotReady extends Error {}

/** Dependencies, Node and git. Returns the Node that runs the product. */
export async function setUp() {
  ensureGit();
  await ensureDependencies();
  return ensureNode();
}

/** Runs a script. A `NotReady` error is printed as one line without a stack. */
export async function runScript(script) {
  try {
    process.exitCode = await script();
  } catch (thrown) {
    if (!(thrown instanceof NotReady)) throw thrown;
    process.stderr.write(`${thrown.message}\n`);
    process.exitCode = 1;
  }
}

// git -----------------------------------------------------------------------------------------------------------------

function ensureGit() {
  const answer = spawnSync("git", ["--version"], { encoding: "utf8" });
  const wanted = `git ${OLDEST_GIT.join(".")} or newer`;
  if (answer.error || answer.status !== 0)
    throw new NotReady(`git is missing. Install ${wanted} (Debian: apt-get install git) and start again.`);
  const version = numbers(answer.stdout);
  if (!atLeast(version, OLDEST_GIT))
    throw new NotReady(`git ${version.join(".")} is too old. Install ${wanted} and start again.`);
}

// dependencies --------------------------------------------------------------------------------------------------------

async function ensureDependencies() {
  if (dependenciesFit()) return;
  await alone(async () => {
    if (dependenciesFit()) return; // somebody else installed them while we waited
    say("installing dependencies with npm ci (half a minute or more) …");
    const started = performance.now();
    // Optional packages hold Node itself and development packages the tests: no setting of the machine leaves them out.
    const npm = spawnSync("npm", ["ci", "--include=optional", "--include=dev", "--no-audit", "--no-fund"], {
      cwd: root,
      env: { ...process.env, PATH: pathWithoutModules() },
      stdio: ["ignore", "ignore", "pipe"],
      encoding: "utf8",
      shell: windows,
    });
    if (npm.error || npm.status !== 0) throw new NotReady(npmFailed(npm));
    say(`dependencies are there (${Math.round((performance.now() - started) / 1000)} s)`);
  });
}

/**
 * npm writes `node_modules/.package-lock.json` last, so it stands for a finished installation. It fits if it holds what
 * package-lock.json asks for; optional packages may be missing, because most of them are for other systems. Only the
 * packaged Node is needed where this one is too old.
 */
export function dependenciesFit() {
  const wanted = packagesOf(join(root, "package-lock.json"));
  const found = packagesOf(join(modules, ".package-lock.json"));
  const needed = atLeast(numbers(process.version), OLDEST_NODE) ? "" : `node_modules/${nodePackage()?.name}`;
  if (!wanted || !found) return false;
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    if (path === "") return true;
    const there = found[path];
    return there ? there.version === version && there.integrity === integrity : optional === true && path !== needed;
  });
}

function packagesOf(lockFile) {
  try {
    return JSON.parse(readFileSync(lockFile, "utf8")).packages;
  } catch {
    return undefined;
  }
}

function npmFailed(npm) {
  const said = (npm.error?.message ?? npm.stderr ?? "")
    .split("\n")
    .filter((line) => line.trim() !== "" && !/npm warn/i.test(line))
    .slice(0, 12)
    .map((line) => `  ${line}`)
    .join("\n");
  return [
    "npm ci did not succeed; npm says:",
    said,
    "Check that the npm registry can be reached (npm ping), then start again. Where it asks for a newer npm: npm install -g npm.",
  ].join("\n");
}

/** One installation at a time: `npm start` and `npm test` may be started together in a fresh clone. */
async function alone(work) {
  const lock = join(root, ".setup.lock");
  let waiting = false;
  for (;;) {
    try {
      const file = openSync(lock, "wx");
      writeSync(file, String(process.pid));
      closeSync(file);
      break;
    } catch (thrown) {
      if (thrown.code !== "EEXIST") throw thrown;
    }
    if (!waiting) say("waiting for another set-up in this folder …");
    waiting = true;
    await sleep(500);
    const holder = readIfThere(lock);
    if (holder !== undefined && holder !== "" && !isAlive(Number(holder))) rmSync(lock, { force: true });
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function readIfThere(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return thrown.code === "EPERM";
  }
}

// Node ----------------------------------------------------------------------------------------------------------------

/** The Node of the platform package, else the machine's own if it is new enough. */
function ensureNode() {
  const packaged = join(modules, ".bin", windows ? "node.cmd" : "node");
  for (const node of [packaged, process.execPath]) {
    if (!existsSync(node)) continue;
    const answer = spawnSync(node, ["--version"], { encoding: "utf8", shell: windows });
    if (!answer.error && answer.status === 0 && atLeast(numbers(answer.stdout), OLDEST_NODE)) return node;
  }
  throw new NotReady(
    `There is no packaged Node for ${process.platform} ${process.arch}, and this one is ${process.version}. ` +
      `Install Node ${OLDEST_NODE.join(".")} or newer (24 is best) and start again.`,
  );
}

// Chromium ------------------------------------------------------------------------------------------------------------

/** For tests in a browser. Returns its path, or a sentence about what to do: those tests then fail with it. */
export function ensureChromium() {
  const there = findChromium();
  if (there) return { path: there };
  const byHand = "Chromium is missing: install it (Debian: apt-get install chromium) or name it in BLOOM_CHROMIUM.";
  if (!onPath("apt-get")) return { missing: byHand };
  const sudo = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
  if (sudo.length > 0 && spawnSync("sudo", ["-n", "true"]).status !== 0) return { missing: byHand };
  say("installing Chromium with apt-get (a minute or two; for tests only) …");
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", "chromium"]]) {
    const [command, ...rest] = [...sudo, "apt-get", ...args];
    const answer = spawnSync(command, rest, {
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      stdio: ["ignore", "ignore", "pipe"],
      encoding: "utf8",
    });
    if (args[0] === "install" && answer.status !== 0) {
      const said = (answer.stderr ?? "").trim().split("\n").slice(-3).join(" ");
      return { missing: `${byHand} apt-get said: ${said}` };
    }
  }
  const installed = findChromium();
  return installed ? { path: installed } : { missing: byHand };
}

export function findChromium() {
  if (process.env.BLOOM_CHROMIUM) return process.env.BLOOM_CHROMIUM;
  for (const name of ["chromium", "chromium-browser", "google-chrome"]) {
    const found = onPath(name);
    if (found) return found;
  }
  return undefined;
}

// processes -----------------------------------------------------------------------------------------------------------

/**
 * Runs a program with our own input and output, hands signals on to it, and resolves to its exit code.
 *
 * A terminal, npm and a supervisor may each send one signal to every process of a group, and each of them hands it on
 * once more. With `detached` the program is in a group of its own and hears only from us: a signal once, and again only
 * if somebody insists a second later.
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: "inherit", shell: windows, ...options });
    const reachedByTerminal = process.stdin.isTTY && !options.detached;
    let last = Number.NEGATIVE_INFINITY;
    const handOn = (signal) => {
      if (signal === "SIGINT" && reachedByTerminal) return;
      if (options.detached && performance.now() - last < 1000) return;
      last = performance.now();
      child.kill(signal);
    };
    for (const signal of SIGNALS) process.on(signal, handOn);
    child.on("error", reject);
    child.on("close", (code, signal) => {
      for (const each of SIGNALS) process.removeListener(each, handOn);
      resolve(code ?? (signal === "SIGINT" ? 130 : 143));
    });
  });
}

const SIGNALS = ["SIGTERM", "SIGHUP", "SIGINT"];

/** Our tools find the packaged Node by the PATH, also where no npm has put it there. */
export const toolEnvironment = (more = {}) => ({
  ...process.env,
  PATH: [join(modules, ".bin"), pathWithoutModules()].join(delimiter),
  ...more,
});

const pathWithoutModules = () =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => !folder.includes("node_modules"))
    .join(delimiter);

export function onPath(name, path = process.env.PATH) {
  return (path ?? "")
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));
}

const numbers = (text) => (/(\d+)\.(\d+)/.exec(text) ?? []).slice(1).map(Number);
const atLeast = ([major = 0, minor = 0], [wantedMajor, wantedMinor]) =>
  major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
