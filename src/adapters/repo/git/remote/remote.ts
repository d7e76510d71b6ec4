import { join } from "node:path";
import { Failure, isFailure } from "../../../../base/failure.ts";
import { type RefName, refName } from "../../../../domain/git/git-names.ts";
import type { Fetched, Pushed, RefEntry, Remote } from "../../../../ports/repo.ts";
import type { RepoCore } from "../core.ts";
import { syncPath } from "../disk/sync-path.ts";
import { type GitResult, git } from "../process/git-process.ts";
import { remoteFailure } from "./failures.ts";
import { checkedRemote, withoutSecrets } from "./remote-url.ts";
import { plainFetch } from "./transfer-settings.ts";

const LIMIT_MS = 600_000;
const STALLED = ["-c", "http.lowSpeedLimit=1", "-c", "http.lowSpeedTime=60"];
/** ssh would otherwise ask on a terminal, or open a window, for a password that nobody is there to give. */
const NEVER_ASK = { SSH_ASKPASS: "false", SSH_ASKPASS_REQUIRE: "force", GIT_ASKPASS: "" };

export interface RemoteOptions {
  readonly timeoutMs?: number;
}

export const trackedBranch = (remote: Remote, branch: string): RefName =>
  refName(`refs/remotes/${remote.name}/heads/${branch}`);

/**
 * Brings the remote's branches and notes beside ours; none of our own refs moves. What the remote deleted stays here.
 * Every object is checked before a ref names it.
 */
export async function fetchFrom(core: RepoCore, remote: Remote, options: RemoteOptions = {}): Promise<Fetched> {
  const { name, url } = checkedRemote(remote);
  const refspecs = [
    `+refs/heads/*:refs/remotes/${name}/heads/*`,
    `+refs/notes/*:refs/notes/remotes/${name}/*`,
    "^refs/notes/remotes/*", // what the remote itself has from others is not its own to tell
  ];
  const fetched = await talk(core, remote, [...STALLED, ...plainFetch, "--", url, ...refspecs], options);
  if (fetched.code !== 0) throw remoteFailure(remote, fetched.stderr);
  await syncPath(join(core.commonDir, "objects/pack")); // before anything of ours is built upon what came
  const branches = await core.refs(`refs/remotes/${name}/heads/`);
  const notes = await core.refs(`refs/notes/remotes/${name}/`);
  return { refs: [...notes, ...branches].toSorted(byName) };
}

/**
 * Sends refs under their own names, all or none, never over anything that the remote has and we have not. A remote that
 * refuses by a rule of its own is a failure: pulling would not help.
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
    refspecs.push(`${oid}:${ref}`); // the value that was there when asked, also if the ref moves meanwhile
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

/** Reasons that a pull cures; the last three are those of a remote that somebody else moved at the same moment. */
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
    // Not as a cause: what git printed may hold the password of the address.
    if (isFailure(error) && /ended by/.test(error.message)) throw remoteFailure(remote, error.message);
    throw error;
  }
}

const EVERY_CODE = Array.from({ length: 256 }, (_, code) => code);
const byName = (a: RefEntry, b: RefEntry): number => (a.name < b.name ? -1 : 1);

const noSuchRef = (ref: RefName): Failure =>
  new Failure(
    "NOT_FOUND",
    { en: `there is no ref ${ref} to push`, uk: `немає посилання ${ref}, яке можна надіслати` },
    { details: { ref } },
  );

const refusedByRule = (remote: Remote, ref: RefName, why: string): Failure => {
  const reason = withoutSecrets(/\((.*)\)\s*$/.exec(why)?.[1] ?? why, remote);
  return new Failure(
    "FORBIDDEN",
    {
      en: `the remote ${remote.name} does not take ${ref}: ${reason}`,
      uk: `віддалений репозиторій ${remote.name} не приймає ${ref}: ${reason}`,
    },
    {
      hint: {
        en: "It has a rule against this push: ask whoever keeps it.",
        uk: "У нього є правило проти такого надсилання: зверніться до його власника.",
      },
      details: { part: "remote", remote: remote.name, ref },
    },
  );
};
