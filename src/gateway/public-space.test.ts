import { execFile } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import { fetchServer, fetchServerLimits } from "../adapters/repo/git/public/fetch-server.ts";
import type { Garden } from "../garden/core/garden.ts";
import { tendPublicSpace } from "../garden/federation/public-space.ts";
import { makeIdentity, previewPublish, publishSessions } from "../garden/federation/publish.ts";
import { spawnSession } from "../garden/sessions/spawn-session.ts";
import { environment, gardenWith, git, scratch } from "../garden/testing/scratch.ts";
import type { ServedFetch } from "../ports/repos.ts";
import { gatewayApp } from "./app.ts";
import { type Serving, serveGarden } from "./serve.ts";

const servers: Serving[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

interface PublicGarden {
  readonly garden: Garden;
  readonly dir: string;
  readonly url: string;
}

const PRIVATE = "notes/diary.md";

/** A garden that serves its public space, with a session that begins with nothing, and a private note on main. */
async function publicGarden(settings = "federation: { public: true }"): Promise<PublicGarden> {
  const { garden, dir } = await gardenWith({ [PRIVATE]: "# Mine alone\n" });
  writeFileSync(join(dir, "garden.yaml"), `version: 2\nname: Alice\n${settings}\n`);
  await garden.settings.reload();
  const { space } = await makeIdentity(garden);
  for (const name of ["scout", "helper"])
    await spawnSession(garden, { name, briefing: { goal: `Goal of ${name}` }, fields: { owner: space } });
  const serving = await serveGarden(garden, {
    role: "gateway",
    host: "127.0.0.1",
    port: 0,
    findFree: false,
    allowedHosts: [],
  });
  servers.push(serving);
  return { garden, dir, url: `${serving.url}public.git` };
}

async function published(
  { garden }: PublicGarden,
  sessions: readonly string[],
  withdraw: readonly string[] = [],
): Promise<void> {
  const { digest } = await previewPublish(garden, { sessions, withdraw });
  await publishSessions(garden, { sessions, withdraw, to: "public-space", digest, by: "owner" });
}

/** Git of somebody else, without blocking the server in this process. */
async function outside(...args: string[]): Promise<{ ok: boolean; out: string }> {
  const dir = scratch();
  git(dir, "init", "-q", "--bare", ".");
  return promisify(execFile)("git", ["-c", "protocol.version=2", ...args], {
    cwd: dir,
    env: { ...environment, GIT_TERMINAL_PROMPT: "0" },
  }).then(
    ({ stdout }) => ({ ok: true, out: stdout }),
    (error: { stderr: string }) => ({ ok: false, out: error.stderr }),
  );
}

/** A bare repository with so many branches. */
function repositoryWith(refs: number): string {
  const dir = scratch();
  git(dir, "init", "-q", "--bare", ".");
  const tree = git(dir, "hash-object", "-t", "tree", "-w", "--stdin").trim();
  const commit = git(dir, "-c", "user.name=A", "-c", "user.email=a@example.org", "commit-tree", tree, "-m", "x").trim();
  const lines = Array.from({ length: refs }, (_, n) => `${commit} refs/heads/branch-${String(n).padStart(6, "0")}\n`);
  writeFileSync(join(dir, "packed-refs"), `# pack-refs with: peeled fully-peeled sorted\n${lines.join("")}`);
  return dir;
}

const wholeBody = async (answer: Promise<ServedFetch>): Promise<string> => new Response((await answer).body).text();

describe("S-10 the public space that the gateway serves", () => {
  test("git fetches what was published over HTTP, and no private object by its id", async () => {
    const alice = await publicGarden();
    expect((await outside("ls-remote", alice.url)).ok).toBe(false);
    await published(alice, ["scout"]);
    const refs = (await outside("ls-remote", alice.url)).out.split("\n").map((line) => line.slice(41));
    expect(refs.filter(Boolean)).toEqual([
      "refs/agentic/agents/scout",
      "refs/agentic/announce",
      "refs/heads/agents/scout",
    ]);
    const [open, hidden, note, unpublished] = ["agents/scout", "main", `main:${PRIVATE}`, "agents/helper"].map((name) =>
      git(alice.dir, "rev-parse", name).trim(),
    );
    const byId = async (oid: string | undefined) =>
      (await outside("fetch", "-q", alice.url, `${oid}:refs/heads/got`)).ok;
    expect([await byId(open), await byId(hidden), await byId(note), await byId(unpublished)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  test("a session that was withdrawn cannot be fetched any more, not even by id", async () => {
    const alice = await publicGarden();
    await published(alice, ["scout", "helper"]);
    const head = git(alice.dir, "rev-parse", "agents/helper").trim();
    expect((await outside("fetch", "-q", alice.url, head)).ok).toBe(true);
    await published(alice, [], ["helper"]);
    expect((await outside("fetch", "-q", alice.url, head)).ok).toBe(false);
    expect((await outside("fetch", "-q", alice.url, "agents/scout")).ok).toBe(true);
  });

  test("nothing can be pushed, and no file is served by its name", async () => {
    const alice = await publicGarden();
    await published(alice, ["scout"]);
    const base = alice.url;
    const statuses = await Promise.all(
      [
        `${base}/info/refs?service=git-receive-pack`,
        `${base}/info/refs`,
        `${base}/HEAD`,
        `${base}/config`,
        `${base}/objects/info/packs`,
        `${base}/../garden.git/info/refs?service=git-upload-pack`,
        `${base}/%2e%2e/store/info/refs?service=git-upload-pack`,
      ].map(async (url) => (await fetch(url)).status),
    );
    const push = await fetch(`${base}/git-receive-pack`, { method: "POST", body: "0000" });
    expect([...statuses, push.status]).toEqual([400, 400, 404, 404, 404, 404, 404, 404]);
  });

  test("a garden that does not serve one answers 404, also with a space from before", async () => {
    const alice = await publicGarden();
    await published(alice, ["scout"]);
    writeFileSync(join(alice.dir, "garden.yaml"), "version: 2\nname: Alice\n");
    const answer = await fetch(`${alice.url}/info/refs?service=git-upload-pack`);
    expect([answer.status, JSON.stringify(await answer.json())]).toEqual([404, expect.stringContaining("federation")]);
  });

  test("the upkeep completes a publication that was interrupted after the announcement", async () => {
    const alice = await publicGarden();
    const { digest } = await previewPublish(alice.garden, { sessions: ["scout"] });
    const dies = { ...alice.garden, repo: { ...alice.garden.repo, mirror: () => Promise.reject(new Error("killed")) } };
    await expect(
      publishSessions(dies, { sessions: ["scout"], to: "public-space", digest, by: "owner" }),
    ).rejects.toThrow("killed");
    expect(existsSync(join(alice.dir, ".bloom/public.git"))).toBe(false);
    await tendPublicSpace(alice.garden);
    expect((await outside("ls-remote", alice.url, "refs/heads/agents/scout")).out).toContain("agents/scout");
  });

  test("a request larger than the limit, and more fetches than may wait, are refused", async () => {
    const alice = await publicGarden();
    await published(alice, ["scout"]);
    const dir = join(alice.dir, ".bloom/public.git");
    const small = fetchServer(environment, { ...fetchServerLimits, requestBytes: 10 });
    const endless = new ReadableStream<Uint8Array>({ pull: (stream) => stream.enqueue(Buffer.from("0032want ")) });
    await expect(wholeBody(small(dir, { step: "fetch", body: endless }))).rejects.toThrow("could not answer");
    const narrow = fetchServer(environment, { ...fetchServerLimits, atOnce: 1, waiting: 1 });
    const all = await Promise.allSettled([1, 2, 3].map(() => narrow(dir, { step: "list" })));
    const answered = all.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    for (const each of answered) await each.body.cancel();
    expect(all.map((each) => (each.status === "rejected" ? (each.reason as Error).message : "answered"))).toEqual([
      "answered",
      "answered",
      "too many fetches from the public space at once",
    ]);
  });

  test("a reader that takes nothing of its answer keeps no other one waiting, and its answer is cut off", async () => {
    const branches = 5000; // an answer larger than the buffers on its way
    const dir = repositoryWith(branches);
    const narrow = fetchServer(environment, { ...fetchServerLimits, atOnce: 1, idleMs: 500 });
    const idle = await narrow(dir, { step: "list" });
    const next = await wholeBody(narrow(dir, { step: "list" }));
    expect(next.match(/refs\/heads\//g)?.length).toBe(branches);
    await expect(new Response(idle.body).text()).rejects.toThrow("could not answer");
  });

  test("of readers that take nothing of short answers, none keeps another one waiting", async () => {
    const dir = repositoryWith(1);
    const narrow = fetchServer(environment, { ...fetchServerLimits, atOnce: 1 });
    const answers: ServedFetch[] = [];
    for (let n = 0; n < 20; n++) answers.push(await narrow(dir, { step: "list" }));
    for (const { body } of answers) await body.cancel();
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });

  test("a server that hangs is ended when the time is over", async () => {
    const alice = await publicGarden();
    await published(alice, ["scout"]);
    const impatient = fetchServer(environment, { ...fetchServerLimits, idleMs: 50 });
    const silent = new ReadableStream<Uint8Array>({});
    const asked = impatient(join(alice.dir, ".bloom/public.git"), { step: "fetch", body: silent });
    await expect(wholeBody(asked)).rejects.toThrow("could not answer");
  });
});

test("G-7 a remote named public beside the garden's own public space is refused by name", async () => {
  const { garden, dir } = await gardenWith();
  writeFileSync(
    join(dir, "garden.yaml"),
    "version: 2\nname: A\nremotes: { public: { url: /tmp/x } }\nfederation: { public: true }\n",
  );
  await garden.settings.reload();
  expect(JSON.stringify(garden.settings.trouble)).toContain("remotes.public");
  const app = gatewayApp(garden, { host: "127.0.0.1", allowedHosts: [] });
  const asked = new Request("http://localhost/public.git/info/refs?service=git-upload-pack", {
    headers: { host: "localhost" },
  });
  expect((await app.fetch(asked)).status).toBe(404);
});
