import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { diskFolders } from "../src/adapters/folder/disk-folder.ts";
import { gitRepos } from "../src/adapters/repo/git/repos.ts";
import { realWorld } from "../src/base/world.ts";
import { CapabilitySet, capabilityObject } from "../src/domain/federation/capability.ts";
import { fingerprint, keyPairOf } from "../src/domain/federation/ssh-key.ts";
import { sessionBranch } from "../src/domain/layout.ts";
import { builtInKinds, type KindRegistry, withKind } from "../src/domain/session/kinds.ts";
import { acceptAnnouncement } from "../src/garden/federation/accept.ts";
import { announceSessions } from "../src/garden/federation/announce.ts";
import { grantCapability } from "../src/garden/federation/capabilities.ts";
import { addPeer } from "../src/garden/federation/peer-book.ts";
import type { SessionGarden } from "../src/garden/sessions/session-garden.ts";
import type { Bench, Contender, Size } from "./harness.ts";
import { git } from "./rivals/git-rival.ts";

const repos = gitRepos({ environment: process.env, world: realWorld, maintainEvery: Number.POSITIVE_INFINITY });
const key = keyPairOf(Buffer.alloc(32, 7));

/** S-10: an announcement of many sessions, looked at for the first time: fetched, checked and landed. The rival trusts everything. */
export const acceptances = ({ files }: Size, scratch: string): Bench => {
  const refs = Math.min(100, Math.max(2, Math.floor(files / 100)));
  const objects = Math.min(10_000, files);
  let made: Promise<string> | undefined;
  const publisher = (): Promise<string> => (made ??= publishedSessions(join(scratch, "publisher"), refs, objects));
  return {
    name: `federation: announcement of ${refs} refs and ${objects} objects, accepted (processor time, children included)`,
    unit: "ms",
    workers: 1,
    cpu: "with-children",
    ours: accepting(publisher),
    rivals: [fetching(publisher)],
  };
};

/** A repository with so many announced sessions, whose commits, trees and blobs together are so many objects. */
export async function publishedSessions(dir: string, refs: number, objects: number): Promise<string> {
  await mkdir(dir, { recursive: true });
  await git(dir, ["init", "--quiet", "--bare", "."]);
  const parts: string[] = [];
  const owner = fingerprint(key.publicKey);
  const commits = Math.max(2, Math.round(objects / refs / 3));
  for (let session = 0; session < refs; session++)
    for (let n = 0; n < commits; n++) {
      const [kind, more] = n === 0 ? ["spawn", `Agentic-Owner: ${owner}\n`] : ["finding", ""];
      const message = `${kind}: Step ${n}\n\nAgentic-Kind: ${kind}\nAgentic-Agent: s-${session}\n${more}`;
      const text = `Finding ${n} of session ${session}. `.repeat(30);
      parts.push(
        `commit ${sessionBranch(`s-${session}`)}\ncommitter A <a@example.org> ${1_700_000_000 + n} +0000\n`,
        `data ${message.length}\n${message}M 100644 inline f-${n % 20}.md\ndata ${text.length}\n${text}\n`,
      );
    }
  await git(dir, ["fast-import", "--quiet"], { input: parts.join("") });
  const garden = await sessionGarden(dir);
  await announceSessions(
    garden,
    key,
    Array.from({ length: refs }, (_, n) => `s-${n}`),
  );
  await garden.repo.close();
  return dir;
}

async function sessionGarden(dir: string): Promise<SessionGarden> {
  const repo = await repos.open(dir);
  return { repo, world: realWorld, folder: diskFolders({ world: realWorld }).at(dir), secrets: () => [] };
}

/** An empty garden that follows the publisher and grants it everything. */
export async function followerOf(dir: string, url: string): Promise<SessionGarden> {
  await rm(dir, { recursive: true, force: true });
  await mkdir(dir, { recursive: true });
  await git(dir, ["init", "--quiet", "--bare", "."]);
  const garden = await sessionGarden(dir);
  await addPeer(garden, { name: "alice", url, pin: fingerprint(key.publicKey), keys: [] });
  await grantCapability(garden, { peer: "alice", agenticType: "agent-commit", trigger: "spawn" });
  return garden;
}

const accepting = (publisher: () => Promise<string>): Contender => ({
  name: "bloom peer accept",
  async open(folder) {
    const url = await publisher();
    let next: SessionGarden | undefined;
    return {
      ready: async () => {
        next ??= await followerOf(join(folder, "bob"), url);
      },
      async once() {
        if (!next) return "spent";
        const outcome = await acceptAnnouncement(next, "alice");
        if (outcome.kind !== "accepted") throw new Error(JSON.stringify(outcome));
        await next.repo.close();
        next = undefined;
        return undefined;
      },
      close: async () => next?.repo.close(),
    };
  },
});

const fetching = (publisher: () => Promise<string>): Contender => ({
  name: "git fetch of the same refs, objects checked",
  async open(folder) {
    const url = await publisher();
    const dir = join(folder, "bob");
    let isReady = false;
    return {
      ready: async () => {
        await rm(dir, { recursive: true, force: true });
        await mkdir(dir, { recursive: true });
        await git(dir, ["init", "--quiet", "--bare", "."]);
        isReady = true;
      },
      async once() {
        if (!isReady) return "spent";
        isReady = false;
        await git(dir, [
          "-c",
          "fetch.fsckObjects=true",
          "fetch",
          "-q",
          url,
          "+refs/heads/agents/*:refs/remotes/alice/*",
        ]);
        return undefined;
      },
      close: async () => undefined,
    };
  },
});

/** S-10: one lookup among many grants, of a kind deep in the registry. The rival walks over all grants. */
export const capabilityLookups = ({ files }: Size): Bench => {
  const count = Math.min(10_000, files);
  let kinds: KindRegistry = builtInKinds;
  for (let n = 0; n < 20; n++)
    kinds = withKind(kinds, { name: `kind-${n}`, parent: n === 0 ? "finding" : `kind-${n - 1}` });
  const objects = Array.from({ length: count }, (_, n) =>
    capabilityObject({ peer: `peer-${n}`, agenticType: "finding", trigger: "head-move" }, kinds),
  );
  const set = new CapabilitySet(objects, kinds);
  const looking = (name: string, look: (peer: string) => boolean): Contender => ({
    name,
    async open() {
      let n = 0;
      return {
        async once() {
          for (let i = 0; i < 1000; i++) if (!look(`peer-${n++ % count}`)) throw new Error("denied");
        },
        close: async () => undefined,
      };
    },
  });
  return {
    name: `federation: 1,000 capability lookups among ${count} grants, a kind 20 levels down`,
    unit: "ms",
    workers: 1,
    latency: true,
    ours: looking("CapabilitySet", (peer) => !!set.allows({ peer, kind: "kind-19", trigger: "head-move", now: 0 })),
    rivals: [looking("a walk over the grants", (peer) => objects.some(({ value }) => value.peer === peer))],
  };
};
