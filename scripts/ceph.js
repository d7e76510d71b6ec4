/**
 * A throw-away S3 server for tests: one monitor, one OSD in memory and the gateway of Ceph, from Debian's packages, on loopback.
 *
 *     const ceph = await startCeph();      // { endpoint, key, secret, stop } or { missing: "a sentence" }
 *
 * By hand: `node scripts/ceph.js` starts one and prints its address and keys; Ctrl-C ends it.
 *
 * Plain JavaScript for Node 20 without dependencies, like set-up.
 */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { ensurePackages } from "./debian.js";
import { isAlive, onPath, root } from "./setup.js";

const PACKAGES = ["ceph-mon", "ceph-osd", "radosgw", "ceph-common"];
const PROGRAMS = ["ceph-mon", "ceph-osd", "radosgw", "radosgw-admin", "ceph", "ceph-authtool", "monmaptool"];
/** Packages unpacked here need no rights of an administrator. */
const unpacked = join(root, "node_modules", ".cache", "ceph");
const MEMORY = "/dev/shm";
const START_MS = 60_000;

/** The PATH that finds Ceph's programs; undefined if they are not installed. */
function cephEnvironment() {
  const lib = join(unpacked, "usr/lib");
  const local = existsSync(join(unpacked, "usr/bin/radosgw"));
  const libraries = local ? readdirSync(lib).filter((name) => name.endsWith("-linux-gnu")) : [];
  const folders = libraries.flatMap((name) => [join(lib, name), join(lib, name, "ceph")]);
  const env = local
    ? {
        ...process.env,
        PATH: [join(unpacked, "usr/bin"), process.env.PATH].join(delimiter),
        LD_LIBRARY_PATH: folders.join(delimiter),
        PYTHONPATH: join(lib, "python3/dist-packages"),
      }
    : { ...process.env };
  const folder = libraries[0] && join(lib, libraries[0]);
  return PROGRAMS.every((name) => onPath(name, env.PATH)) ? { env, libraries: folder } : undefined;
}

/** Installs Ceph if it is missing. Returns a sentence about the reason if it cannot be installed. */
export const ensureCeph = () =>
  ensurePackages({ name: "Ceph", packages: PACKAGES, unpacked, isThere: () => cephEnvironment() !== undefined });

/** Starts a server with one user. The caller stops it. */
export async function startCeph() {
  const missing = ensureCeph();
  if (missing) return { missing };
  const { env, libraries } = cephEnvironment();
  const place = existsSync(MEMORY) ? MEMORY : tmpdir();
  removeLeftovers(place);
  const dir = mkdtempSync(join(place, "bloom-ceph-"));
  writeFileSync(join(dir, "owner"), `${process.pid}`);
  const children = [];
  const stop = async () => {
    for (const child of children.toReversed()) child.kill("SIGKILL"); // everything is in memory: there is nothing to flush
    const alive = children.filter((child) => child.exitCode === null && child.signalCode === null);
    await Promise.all(alive.map((child) => new Promise((done) => child.once("exit", done))));
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    const [port, v2, v1] = await freePorts(3);
    const context = { dir, env, port, children };
    writeConfig(context, v2, v1, libraries);
    await withinTime(startDaemons(context, v2, v1), START_MS);
    return { endpoint: `http://127.0.0.1:${port}`, key: KEY, secret: SECRET, region: "us-east-1", stop };
  } catch (error) {
    await stop();
    return { missing: `Ceph does not start: ${error.message}` };
  }
}

const KEY = "testkey";
const SECRET = "testsecret";

/** Kills the servers of test runs that were killed, and removes their folders. */
function removeLeftovers(place) {
  for (const name of readdirSync(place).filter((each) => each.startsWith("bloom-ceph-"))) {
    try {
      if (isAlive(Number(readFileSync(join(place, name, "owner"), "utf8")))) continue;
      for (const file of readdirSync(join(place, name)).filter((each) => each.endsWith(".pid"))) {
        const pid = Number(readFileSync(join(place, name, file), "utf8"));
        if (readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(name)) process.kill(pid, "SIGKILL");
      }
    } catch {
      // being made by another process, or gone already
    }
    try {
      if (!isAlive(Number(readFileSync(join(place, name, "owner"), "utf8"))))
        rmSync(join(place, name), { recursive: true });
    } catch {
      // as above
    }
  }
}

function writeConfig({ dir, port }, v2, v1, libraries) {
  for (const folder of ["mon/a", "osd/0", "rgw", "run", "log"]) mkdirSync(join(dir, folder), { recursive: true });
  const plugins = libraries
    ? `plugin_dir = ${libraries}/ceph\nerasure_code_dir = ${libraries}/ceph/erasure-code\nosd_class_dir = ${libraries}/rados-classes\n`
    : "";
  writeFileSync(
    join(dir, "ceph.conf"),
    `[global]
fsid = ${randomUUID()}
mon_initial_members = a
mon_host = [v2:127.0.0.1:${v2},v1:127.0.0.1:${v1}]
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
ms_bind_ipv6 = false
auth_cluster_required = cephx
auth_service_required = cephx
auth_client_required = cephx
keyring = ${dir}/keyring
osd_pool_default_size = 1
osd_pool_default_min_size = 1
mon_allow_pool_size_one = true
osd_pool_default_pg_num = 4
osd_pool_default_pg_autoscale_mode = off
mon_max_pg_per_osd = 1000
osd_crush_chooseleaf_type = 0
run_dir = ${dir}/run
admin_socket = ${dir}/run/$name.$pid.asok
log_file = ${dir}/log/$name.log
mon_cluster_log_file = ${dir}/log/cluster.log
${plugins}[mon.a]
mon_data = ${dir}/mon/a
paxos_propose_interval = 0.05
paxos_min_wait = 0.01
[osd.0]
osd_data = ${dir}/osd/0
osd_objectstore = memstore
memstore_device_bytes = 2147483648
osd_op_queue = wpq
[client.rgw.a]
rgw_frontends = beast endpoint=127.0.0.1:${port} tcp_nodelay=1
rgw_data = ${dir}/rgw
rgw_override_bucket_index_max_shards = 1
rgw_enable_ops_log = false
`,
  );
}

async function startDaemons({ dir, env, port, children }, v2, v1) {
  const conf = ["-c", join(dir, "ceph.conf")];
  const run = (command, ...args) => finished(command, args, env);
  const daemon = (name, command, ...args) => {
    const out = openSync(join(dir, `${name}.out`), "a");
    const child = spawn(command, [...conf, ...args, "-f"], { env, stdio: ["ignore", out, out] });
    child.on("error", () => undefined);
    writeFileSync(join(dir, `${name}.pid`), `${child.pid}`);
    children.push(child);
  };
  const keyring = join(dir, "keyring");
  const fsid = /fsid = (.*)/.exec(readFileSync(join(dir, "ceph.conf"), "utf8"))[1];
  const allow = (name, mon, osd) =>
    run("ceph-authtool", keyring, "--gen-key", "-n", name, "--cap", "mon", mon, ...(osd ? ["--cap", "osd", osd] : []));
  await run("ceph-authtool", "--create-keyring", keyring, "--gen-key", "-n", "mon.", "--cap", "mon", "allow *");
  await allow("client.admin", "allow *", "allow *");
  await allow("osd.0", "allow profile osd", "allow *");
  await allow("client.rgw.a", "allow rw", "allow rwx");
  const monmap = join(dir, "monmap");
  const address = `[v2:127.0.0.1:${v2},v1:127.0.0.1:${v1}]`;
  await run("monmaptool", "--create", "--clobber", "--fsid", fsid, "--addv", "a", address, monmap);
  await run("ceph-mon", ...conf, "-i", "a", "--mkfs", "--monmap", monmap, "--keyring", keyring);
  daemon("mon", "ceph-mon", "-i", "a");
  const osd = randomUUID();
  await run("ceph", ...conf, "osd", "new", osd);
  await run("ceph-osd", ...conf, "-i", "0", "--mkfs", "--osd-uuid", osd);
  daemon("osd", "ceph-osd", "-i", "0");
  const user = ["user", "create", "--uid=test", "--display-name=test", `--access-key=${KEY}`, `--secret-key=${SECRET}`];
  await run("radosgw-admin", ...conf, "-n", "client.rgw.a", ...user);
  daemon("rgw", "radosgw", "-n", "client.rgw.a");
  while (!(await answers(port))) await sleep(50);
}

const answers = (port) =>
  fetch(`http://127.0.0.1:${port}`, { signal: AbortSignal.timeout(1000) }).then(
    ({ status }) => status === 200,
    () => false,
  );

function finished(command, args, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: ["ignore", "ignore", "pipe"], timeout: START_MS });
    let said = "";
    child.stderr.on("data", (part) => (said += part));
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`${command}: ${said.trim().split("\n").slice(-2).join(" ")}`)),
    );
  });
}

async function withinTime(work, ms) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not ready within ${ms / 1000} s`)), ms);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Free ports, all different: each stays taken until all are found. */
async function freePorts(count) {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise((resolve) => {
          const server = createServer();
          server.listen(0, "127.0.0.1", () => resolve(server));
        }),
    ),
  );
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return ports;
}

/** `node scripts/ceph.js [FILE OWNER]`: with a file, its address and keys are written there, and it ends with the owner process. */
async function serve(file, owner) {
  const { stop, ...told } = await startCeph();
  for (const signal of ["SIGINT", "SIGTERM"])
    process.once(signal, () => void Promise.resolve(stop?.()).then(() => process.exit()));
  if (file === undefined) {
    const variables = { S3_ENDPOINT: told.endpoint, S3_ACCESS_KEY: told.key, S3_SECRET_KEY: told.secret };
    const exports = Object.entries(variables).map(([name, value]) => `export ${name}=${value}`);
    console.log(
      told.missing ?? [`S3 at ${told.endpoint}; Ctrl-C ends it. In another terminal:`, ...exports].join("\n"),
    );
  } else {
    writeFileSync(`${file}.new`, JSON.stringify({ ...told, pid: process.pid }));
    renameSync(`${file}.new`, file);
    while (!told.missing && isAlive(Number(owner))) await sleep(500);
    await stop?.();
  }
  if (told.missing) process.exitCode = 1;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  await serve(process.argv[2], process.argv[3]);
