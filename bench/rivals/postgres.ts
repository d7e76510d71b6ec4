import { type ChildProcess, spawn } from "node:child_process";
import { chmod, chown, mkdir, readdir } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { firstLine, isThere, RivalAbsent, run } from "./installed.ts";

const HOME = "/usr/lib/postgresql";

export interface Postgres {
  readonly url: string;
  stop(): Promise<void>;
}

/** A private PostgreSQL on the loopback address with default settings: every commit is synced. */
export async function startPostgres(folder: string): Promise<Postgres> {
  const bin = await binaries();
  const user = process.getuid?.() === 0 ? await identityOf("postgres") : undefined;
  const data = join(folder, "data");
  await mkdir(data, { recursive: true });
  if (user) {
    // PostgreSQL refuses to run as root, and its user needs access to the folder.
    for (let at = folder; at.includes("bloom-bench"); at = join(at, "..")) await chmod(at, 0o755);
    await chown(data, user.uid, user.gid);
  }
  const port = await freePort();
  const as = { ...user, cwd: data };
  try {
    await run(join(bin, "initdb"), ["-D", data, "-U", "bench", "-A", "trust", "-E", "UTF8", "--no-locale"], as);
  } catch (error) {
    throw new RivalAbsent(`PostgreSQL could not be set up: ${firstLine(error)}`);
  }
  const args = ["-D", data, "-h", "127.0.0.1", "-p", String(port), "-k", data];
  const server = spawn(join(bin, "postgres"), args, { ...as, stdio: "ignore" });
  const ready = ["-h", "127.0.0.1", "-p", String(port), "-U", "bench", "-d", "postgres"];
  await until(server, "PostgreSQL", () => run(join(bin, "pg_isready"), ready));
  return { url: `postgresql://bench@127.0.0.1:${port}/bench`, stop: () => ended(server, "SIGINT") };
}

async function binaries(): Promise<string> {
  const find = async (): Promise<string | undefined> => {
    const versions = await readdir(HOME).catch(() => []);
    const newest = versions.toSorted((a, b) => Number(b) - Number(a))[0];
    return newest === undefined ? undefined : join(HOME, newest, "bin");
  };
  const there = await find();
  if (there !== undefined && (await isThere(join(there, "initdb")))) return there;
  if (process.getuid?.() !== 0) throw new RivalAbsent("PostgreSQL is not installed, and only root can install it");
  try {
    await run("apt-get", ["install", "--yes", "--no-install-recommends", "postgresql"], { timeout: 300_000 });
  } catch (error) {
    throw new RivalAbsent(`apt-get could not install PostgreSQL: ${firstLine(error)}`);
  }
  const now = await find();
  if (now === undefined) throw new RivalAbsent("PostgreSQL was installed, and is not where Debian puts it");
  return now;
}

async function identityOf(name: string): Promise<{ uid: number; gid: number }> {
  const [uid, gid] = await Promise.all(
    ["-u", "-g"].map(async (which) => Number((await run("id", [which, name])).stdout)),
  );
  return { uid: uid!, gid: gid! };
}

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer().on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });

/** Asks until it answers, for a minute at most. */
export async function until(server: ChildProcess, name: string, ask: () => Promise<unknown>): Promise<void> {
  const end = performance.now() + 60_000;
  for (;;) {
    const answered = await ask().then(
      () => true,
      () => false,
    );
    if (answered) return;
    if (server.exitCode !== null || performance.now() > end)
      throw new RivalAbsent(`${name} did not start (exit ${server.exitCode ?? "none"})`);
    await new Promise((resolve) => void setTimeout(resolve, 100));
  }
}

export const ended = (server: ChildProcess, signal: NodeJS.Signals): Promise<void> =>
  new Promise((resolve) => {
    if (server.exitCode !== null || server.signalCode !== null) return resolve();
    const late = setTimeout(() => server.kill("SIGKILL"), 10_000);
    server.once("exit", () => {
      clearTimeout(late);
      resolve();
    });
    server.kill(signal);
  });
