import { join } from "node:path";
import { Failure, isFailure } from "../../../../base/failure.ts";
import { type RefName, refName } from "../../../../domain/git/git-names.ts";
import type { Fetched, Pushed, RefEntry, Remote } from "../../../../ports/repo.ts";
import type { RepoCore } from "../core.ts";
import { syncPath } from "../disk/sync-path.ts";
import { type GitResult, git } from "../process/git-process.ts";
import { remoteFailure } from "./failures.ts";
import { checkedRemote, withoutCredentials } from "./remote-url.ts";
import { plainFetch } from "./transfer-settings.ts";

const LIMIT_MS = 600_000;
const STALLED = ["-c", "http.lowSpeedLimit=1", "-c", "http.lowSpeedTime=60"];
/** Keeps ssh from prompting for a password on a terminal or in a window. */
const NEVER_ASK = { SSH_ASKPASS: "false", SSH_ASKPASS_REQUIRE: "force", GIT_ASKPASS: "" };

export interface RemoteOptions {
  readonly timeoutMs?: number;
}

export const trackedBranch = (remote: Remote, branch: string): RefName =>
  refName(`refs/remotes/${remote.name}/heads/${branch}`);

/**
 * Fetches the remote's branches and notes into `refs/remotes/<name>/` and `refs/notes/remotes/<name>/`; none of our own refs
 * moves. Refs deleted on the remote stay. Every object is checked before a ref names it.
 */
export async function fetchFrom(core: RepoCore, remote: Remote, options: RemoteOptions = {}): Promise<Fetched> {
  const { name, url } = checkedRemote(remote);
  const refspecs = [
    `+refs/heads/*:refs/remotes/${name}/heads/*`,
    `+refs/notes/*:refs/notes/remotes/${name}/*`,
    "^refs/notes/remotes/*", // not the notes that the remote itself fetched from others
  ];
  const fetched = await talk(core, remote, [...STALLED, ...plainFetch, "--", url, ...refspecs], options);
  if (fetched.code !== 0) throw remoteFailure(remote, fetched.stderr);
  await syncPath(join(core.commonDir, "objects/pack")); // before our commits build on it
  const branches = await core.refs(`refs/remotes/${name}/heads/`);
  const notes = await core.refs(`refs/notes/remotes/${name}/`);
  return { refs: [...notes, ...branches].toSorted(byName) };
}

/**
 * Pushes refs under their own names, all or none, never by force. `rejected` means: pull first. Throws if the remote refuses by
 * a rule of its own, which a pull cannot cure.
 */
export async function pushTo(
  core: RepoCore,
  remote: Remote,
  refs: readonly RefName[],
  options: RemoteOptions = {},
): Promise<Pushed> {
  const { url } = checkedRemote(remote);
  const refspecs: string[] = [];
  for (const ref of refs) {
    const oid = await core.resolve(refName(ref));
    if (!oid) throw noSuchRef(ref);
    refspecs.push(`${oid}:${ref}`); // a fixed value, even if the ref moves meanwhile
  }
  if (refspecs.length === 0) return { kind: "pushed" };
  const flags = ["--porcelain", "--atomic", "--no-verify", "--no-follow-tags", "--no-signed", "--no-thin"];
  const args = [...STALLED, "-c", "push.pushOption=", "push", ...flags, "--recurse-submodules=no", "--", url];
  const pushed = await talk(core, remote, [...args, ...refspecs], options);
  if (pushed.code === 0) return { kind: "pushed" };
  const lines = [...pushed.stdout.toString().matchAll(/^!\t[^\t]*:([^\t]+)\t(.*)$/gm)];
  const refused = lines.filter(([, , why]) => !/atomic push failed|atomic transaction failed/.test(why!));
  if (lines.length === 0) throw remoteFailure(remote, pushed.stderr);
  if (refused.every(([, , why]) => BEHIND.test(why!)))
    return { kind: "rejected", refs: (refused.length > 0 ? refused : lines).map(([, ref]) => ref!) };
  const rule = refused.find(([, , why]) => !BEHIND.test(why!))!;
  throw refusedByRule(remote, rule[1]!, rule[2]!);
}

/** Rejections that a pull cures; the last three are races with another push. */
const BEHIND =
  /fetch first|non-fast-forward|needs force|stale info|cannot lock ref|incorrect old value|failed to update/;

async function talk(
  core: RepoCore,
  remote: Remote,
  args: readonly string[],
  options: RemoteOptions,
): Promise<GitResult> {
  const call = { asUser: true, accept: EVERY_CODE, timeoutMs: options.timeoutMs ?? LIMIT_MS, variables: NEVER_ASK };
  try {
    return await git(core.place, args, call);
  } catch (error) {
    // Not as a cause: git's output may contain the password of the address.
    if (isFailure(error) && /ended by/.test(error.message)) throw remoteFailure(remote, error.message);
    throw error;
  }
}

const EVERY_CODE = Array.from({ length: 256 }, (_, code) => code);
const byName = (a: RefEntry, b: RefEntry): number => (a.name < b.name ? -1 : 1);

const noSuchRef = (ref: RefName): Failure =>
  new Failure("NOT_FOUND", {
    en: `there is no ref ${ref} to push`,
    uk: `немає посилання ${ref}, яке можна надіслати`,
    details: { ref },
  });

const refusedByRule = (remote: Remote, ref: RefName, why: string): Failure => {
  const reason = withoutCredentials(/\((.*)\)\s*$/.exec(why)?.[1] ?? why, remote);
  return new Failure("FORBIDDEN", {
    en: `the remote ${remote.name} refuses ${ref}: ${reason}`,
    uk: `віддалений репозиторій ${remote.name} не приймає ${ref}: ${reason}`,
    hint: {
      en: "It has a rule against this push: ask its owner.",
      uk: "У нього є правило проти такого надсилання: зверніться до його власника.",
    },
    details: { part: "remote", remote: remote.name, ref },
  });
};
