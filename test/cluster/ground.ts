import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EVENT_KEY, InngestExecutor, SIGNING_KEY } from "../../src/adapters/orchestrator/testing/inngest-executor.ts";
import { inngestServer } from "../../src/adapters/orchestrator/testing/inngest-server.ts";
import { restateServer } from "../../src/adapters/orchestrator/testing/restate-server.ts";
import { smartHttp } from "../../src/adapters/repo/git/testing/smart-http.ts";
import { makeBucket, type TestS3 } from "../../src/adapters/store/s3/testing/make-bucket.ts";
import { plainEnvironment } from "../bloom.ts";
import { type Link, openLink } from "./link.ts";
import { type EngineKind, programWith } from "./program.ts";

/** The bucket, the git remote and the engine that the processes of one garden share, and the program that they run. */
export interface Ground {
  readonly folder: string;
  /** The launcher of the program, with the engine's SDK beside it. */
  readonly program: string;
  readonly remote: string;
  /** The bare repository behind `remote`. */
  readonly bare: string;
  /** For `bloom move --to`. */
  readonly bucket: string;
  /** Line of garden.yaml. */
  readonly engineSetting: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly engine: EngineServer;
  /** A machine: its home folder, and links to the servers that belong to it alone. */
  machine(name: string): Promise<Machine>;
  close(): Promise<void>;
}

interface EngineServer {
  readonly kind: EngineKind;
  /** Address of its admin API, where it has one. */
  readonly admin: string;
  /** Ends the server by SIGKILL; `wipe` deletes its state. */
  kill(wipe?: "wipe"): Promise<void>;
  /** Starts it again at the same addresses. */
  start(): Promise<void>;
  readonly ports: readonly number[];
  readonly setting: string;
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export interface Machine {
  readonly environment: Readonly<Record<string, string>>;
  readonly links: { readonly store: readonly Link[]; readonly git: readonly Link[]; readonly engine: readonly Link[] };
}

export async function openGround(s3: TestS3, kind: EngineKind): Promise<Ground> {
  const folder = mkdtempSync(join(tmpdir(), "bloom-cluster-"));
  const bucket = `cluster-${randomBytes(4).toString("hex")}`;
  await makeBucket(s3, bucket);
  const bare = join(folder, "git/garden.git");
  mkdirSync(bare, { recursive: true });
  execFileSync("git", ["init", "-q", "--bare", "-b", "main", bare]);
  const git = await smartHttp(join(folder, "git"));
  const engine = await engineServer(kind);
  writeFileSync(join(folder, "signing-key"), randomBytes(32).toString("hex"));
  const links: Link[] = [];
  const link = async (port: number): Promise<Link> => {
    const made = await openLink(port);
    links.push(made);
    return made;
  };
  const environment = plainEnvironment({
    S3_ACCESS_KEY: s3.key,
    S3_SECRET_KEY: s3.secret,
    BLOOM_SIGNING_KEY_FILE: join(folder, "signing-key"),
    ...engine.environment,
  });
  const [s3Port, gitPort] = [portOf(s3.endpoint), portOf(git.url)];
  return {
    folder,
    program: await programWith(kind, folder),
    remote: `${git.url}/garden.git`,
    bare,
    bucket: `s3://${bucket}/garden?endpoint=${s3.endpoint}`,
    engineSetting: engine.setting,
    environment,
    engine,
    async machine(name) {
      const home = join(folder, `home-${name}`);
      mkdirSync(home);
      const [store, toGit] = [await link(s3Port), await link(gitPort)];
      const toEngine = await Promise.all(engine.ports.map(link));
      const near = `http://127.0.0.1:${toGit.port}/`;
      writeFileSync(join(home, ".gitconfig"), `[url "${near}"]\n\tinsteadOf = ${git.url}/\n`);
      const wires = [`${s3Port}=${store.port}`, ...engine.ports.map((port, i) => `${port}=${toEngine[i]!.port}`)];
      const preload = new URL("rewired.js", import.meta.url).href;
      return {
        environment: {
          ...environment,
          HOME: home,
          BLOOM_REWIRED: wires.join(","),
          NODE_OPTIONS: `--import=${preload}`,
        },
        links: { store: [store], git: [toGit], engine: toEngine },
      };
    },
    async close() {
      await Promise.all(links.map((each) => each.close()));
      await engine.close();
      await git.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const portOf = (url: string): number => Number(new URL(url).port);

async function engineServer(kind: EngineKind): Promise<EngineServer> {
  if (kind === "embedded") {
    const nothing = async (): Promise<void> => undefined;
    return {
      kind,
      admin: "",
      kill: nothing,
      start: nothing,
      ports: [],
      setting: "engine: { kind: embedded }",
      environment: {},
      close: nothing,
    };
  }
  if (kind === "restate") {
    const server = await restateServer();
    return {
      kind,
      admin: server.admin,
      kill: (wipe) => server.kill(wipe),
      start: () => server.start(),
      ports: [portOf(server.url), portOf(server.admin)],
      setting: `engine: { kind: restate, url: "${server.url}", admin: "${server.admin}" }`,
      environment: {},
      close: () => server.close(),
    };
  }
  const keys = { INNGEST_EVENT_KEY: EVENT_KEY, INNGEST_SIGNING_KEY: SIGNING_KEY };
  if (kind === "inngest-server") {
    const server = await inngestServer({ retrySeconds: 1 });
    return {
      kind,
      admin: "",
      kill: (wipe) => server.kill(wipe),
      start: () => server.start(),
      ports: [portOf(server.url)],
      setting: `engine: { kind: inngest, url: "${server.url}" }`,
      environment: keys,
      close: () => server.close(),
    };
  }
  const executor = await new InngestExecutor().start();
  return {
    kind,
    admin: "",
    kill: (wipe) => executor.stop(wipe),
    async start() {
      await executor.start();
    },
    ports: [portOf(executor.url)],
    setting: `engine: { kind: inngest, url: "${executor.url}" }`,
    environment: keys,
    close: () => executor.stop(),
  };
}
