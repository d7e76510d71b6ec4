/**
 * Servers for tests from Debian's packages. Plain JavaScript for Node 20 without dependencies, like set-up.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { onPath, root, say } from "./setup.js";

const INSTALL_MS = 240_000;

/**
 * Installs packages unless `isThere`. Without the rights of an administrator they are unpacked into the folder `unpacked`. Returns a
 * sentence about the reason if they cannot be installed.
 */
export function ensurePackages({ name, packages, unpacked, isThere }) {
  if (isThere()) return undefined;
  if (!onPath("apt-get")) return `${name} is missing and there is no apt-get: install ${packages.join(", ")}.`;
  const isRoot = process.getuid?.() === 0;
  const sudo = isRoot ? [] : spawnSync("sudo", ["-n", "true"]).status === 0 ? ["sudo", "-n"] : undefined;
  say(`installing ${name} with apt-get (a minute or two; for tests only) …`);
  const said = sudo ? installed(sudo, packages) : downloaded(packages, unpacked);
  return isThere() ? undefined : `${name} cannot be installed: ${said}`;
}

/** Returns the last words of apt-get. */
function installed(sudo, packages) {
  const install = ["-o", "DPkg::Lock::Timeout=120", "install", "-y", "--no-install-recommends", ...packages];
  const first = apt([...sudo, "apt-get", ...install]);
  if (first === "") return "";
  apt([...sudo, "apt-get", "update"]); // a bare machine has no lists of packages, or old ones
  return apt([...sudo, "apt-get", ...install]);
}

/** Without rights: the packages and what they depend on are downloaded and unpacked into a folder. */
function downloaded(packages, unpacked) {
  const place = `${unpacked}-${process.pid}`;
  rmSync(place, { recursive: true, force: true });
  const debs = join(place, "debs");
  const lists = join(place, "lists");
  for (const folder of [debs, lists]) mkdirSync(join(folder, "partial"), { recursive: true });
  try {
    // A cache of its own: apt-get does not print what the machine's cache holds already.
    const cache = ["-o", `Dir::Cache::archives=${debs}/`];
    const own = [
      ...cache,
      "-o",
      `Dir::State::lists=${lists}/`,
      "-o",
      "Dir::Cache::pkgcache=",
      "-o",
      "Dir::Cache::srcpkgcache=",
    ];
    const wanted = ({ options }) => {
      const list = [...options, "install", "--print-uris", "-qq", "--no-install-recommends", ...packages];
      const answer = spawnSync("apt-get", list, { encoding: "utf8", timeout: INSTALL_MS });
      const names = [...(answer.stdout ?? "").matchAll(/^'[^']*' ([^_ ]+)_/gm)].map(([, name]) => name);
      return { options, names: answer.status === 0 ? names : [], answer };
    };
    let found = wanted({ options: cache });
    if (found.names.length === 0) {
      apt(["apt-get", ...own, "update"]); // a bare machine has no lists of packages, or old ones
      found = wanted({ options: own });
    }
    if (found.names.length === 0) return lastWords(found.answer);
    const said = apt(["apt-get", ...found.options, "download", ...found.names], debs);
    if (said !== "") return said;
    for (const deb of readdirSync(debs).filter((name) => name.endsWith(".deb"))) {
      const answer = spawnSync("dpkg", ["-x", join(debs, deb), place], { encoding: "utf8" });
      if (answer.status !== 0) return lastWords(answer);
    }
    for (const folder of [debs, lists]) rmSync(folder, { recursive: true, force: true });
    rmSync(unpacked, { recursive: true, force: true });
    spawnSync("mv", [place, unpacked]);
    return "";
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Runs apt-get; "" if it succeeded, else its last words. A mirror that hangs is given up. */
function apt([command, ...args], cwd = root) {
  const options = ["-o", "Acquire::http::Timeout=20", "-o", "Acquire::https::Timeout=20", "-o", "Acquire::Retries=2"];
  const at = command === "sudo" ? 2 : 0;
  const all = [...args.slice(0, at), ...options, ...args.slice(at)];
  const answer = spawnSync(command, all, {
    cwd,
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
    timeout: INSTALL_MS,
  });
  return answer.status === 0 ? "" : lastWords(answer);
}

const lastWords = ({ stderr, error }) =>
  (stderr ?? "").trim().split("\n").slice(-3).join(" ") || error?.message || "apt-get failed without a word";
