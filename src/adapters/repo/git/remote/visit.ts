import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { World } from "../../../../base/world.ts";
import type { RefName } from "../../../../domain/git/git-names.ts";
import type { RefEntry, Remote, Visit, Visited, VisitLimits } from "../../../../ports/repo.ts";
import type { RepoCore } from "../core.ts";
import { syncPath } from "../disk/sync-path.ts";
import { git } from "../process/git-process.ts";
import { openAside } from "./aside.ts";
import { remoteFailure } from "./failures.ts";
import { checkedRemote } from "./remote-url.ts";
import { stalledAfter, talk } from "./talk.ts";
import { plainFetch, strictPack } from "./transfer-settings.ts";
import { unsafeEntry } from "./unsafe-entry.ts";

const STALLED = stalledAfter(60);
const LOOK_MS = 100;

/** Only what the garden does not have is fetched, into a repository aside, which gives nothing back before `take`. */
export async function visitRemote(core: RepoCore, world: World, remote: Remote): Promise<Visit> {
  const { url } = checkedRemote(remote);
  const inside = await openAside(core, world);
  const { place } = inside;
  const { dir } = place;
  return {
    read: inside.read,
    list: inside.list,
    commit: inside.commit,
    isAncestor: inside.isAncestor,
    history: inside.history,
    async fetch(wanted, limits) {
      const visited = await fetchWithin({ place, remote, url, dir }, wanted, limits);
      return visited === "fetched" && (await isFile(url)) ? checkedPacks(place) : visited;
    },
    unsafe: (oids) => unsafeEntry(place, oids),
    refs: (names) => tipsOf(place, remote, names),
    received: () => sizeOf(join(dir, "objects")),
    async take(oids) {
      if (oids.length === 0) return;
      await git(core.place, [...plainFetch, "--", dir, ...new Set(oids)]);
      await syncPath(join(core.commonDir, "objects/pack")); // before a ref names it
    },
    close: inside.close,
  };
}

const TIPS_MS = 30_000;

/** One `ls-remote`. */
export async function tipsOf(
  place: RepoCore["place"],
  remote: Remote,
  names: readonly RefName[],
): Promise<readonly RefEntry[]> {
  const { url } = checkedRemote(remote);
  const told = await talk(place, remote, [...STALLED, "ls-remote", "--refs", "--", url, ...names], {
    timeoutMs: TIPS_MS,
  });
  if (told.code !== 0) throw remoteFailure(remote, told.stderr);
  const lines = told.stdout.toString().split("\n").filter(Boolean);
  const entries = lines.map((line) => ({ oid: line.slice(0, 40), name: line.slice(41) }));
  return entries.filter(({ name }) => names.includes(name)); // a name without a slash would match more
}

interface Fetching {
  readonly place: RepoCore["place"];
  readonly remote: Remote;
  readonly url: string;
  readonly dir: string;
  /** More options of `git fetch`. */
  readonly options?: readonly string[];
}

/**
 * Git has no limit of its own for what it receives. The system lets it write no file beyond the limit; the folder is measured meanwhile
 * too, because it may write several, and git is ended when they are too large.
 */
export async function fetchWithin(
  { place, remote, url, dir, options = [] }: Fetching,
  wanted: readonly string[],
  limits: VisitLimits,
): Promise<Visited> {
  const isTooLarge = async (): Promise<boolean> => (await sizeOf(join(dir, "objects"))) > limits.bytes;
  const stop = new AbortController();
  const done = new AbortController();
  const watching = (async () => {
    while (!done.signal.aborted) {
      if (await isTooLarge()) return stop.abort();
      await delay(LOOK_MS, undefined, { signal: done.signal }).catch(() => undefined);
    }
  })();
  try {
    const args = [...STALLED, "-c", "protocol.version=2", ...plainFetch, ...options, "--", url, ...new Set(wanted)];
    const fetched = await talk(place, remote, args, { signal: stop.signal, maxFileBytes: limits.bytes }).catch(
      (error: unknown) => {
        if (stop.signal.aborted) return undefined;
        throw error;
      },
    );
    if (!fetched || stop.signal.aborted || (await isTooLarge())) return "too-large";
    if (fetched.code === 0) return "fetched";
    if (/died of signal 25|File too large/.test(fetched.stderr)) return "too-large";
    if (UNSOUND.test(fetched.stderr)) return "unsound";
    if (INCOMPLETE.test(fetched.stderr)) return "incomplete";
    throw remoteFailure(remote, fetched.stderr);
  } finally {
    done.abort();
    await watching;
  }
}

/** An object arrived whole, and git's check of its content refused it. */
const UNSOUND = /fsck error|error: object [0-9a-f]{40}: /;

/** The other side answered, and does not have what was asked for, or has it damaged. */
const INCOMPLETE = /not our ref|did not send all necessary objects|bad object|index-pack|missing (blob|tree|commit)/;

/** A bundle, whose objects git does not check as it receives them. */
const isFile = (url: string): Promise<boolean> =>
  stat(url).then(
    (found) => found.isFile(),
    () => false,
  );

async function checkedPacks(place: RepoCore["place"]): Promise<Visited> {
  const folder = join(place.dir, "objects/pack");
  for (const name of await readdir(folder)) {
    if (!name.endsWith(".pack")) continue;
    const { code } = await git(place, [...strictPack, join(folder, name)], { accept: [0, 1, 128] });
    if (code !== 0) return "unsound";
  }
  return "fetched";
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
    if (entry.isFile())
      bytes += await stat(join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      );
  return bytes;
}
