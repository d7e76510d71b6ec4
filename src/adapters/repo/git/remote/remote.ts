import { join } from "node:path";
import { Failure } from "../../../../base/failure.ts";
import { type RefName, refName } from "../../../../domain/git/git-names.ts";
import type { Fetched, Pushed, RefEntry, Remote } from "../../../../ports/repo.ts";
import type { RepoCore } from "../core.ts";
import { syncPath } from "../disk/sync-path.ts";
import { refusedByRule, remoteFailure } from "./failures.ts";
import { checkedRemote } from "./remote-url.ts";
import { type RemoteOptions, refusalsIn, stalledAfter, talk } from "./talk.ts";
import { plainFetch } from "./transfer-settings.ts";

const STALLED = stalledAfter(60);

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
  const fetched = await talk(core.place, remote, [...STALLED, ...plainFetch, "--", url, ...refspecs], options);
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
  refs: readonly (RefName | RefEntry)[],
  options: RemoteOptions = {},
): Promise<Pushed> {
  const { url } = checkedRemote(remote);
  const refspecs: string[] = [];
  for (const each of refs) {
    const name = refName(typeof each === "string" ? each : each.name);
    const oid = typeof each === "string" ? await core.resolve(name) : each.oid;
    if (!oid) throw noSuchRef(name);
    refspecs.push(`${oid}:${name}`); // a fixed value, even if the ref moves meanwhile
  }
  if (refspecs.length === 0) return { kind: "pushed" };
  const flags = ["--porcelain", "--atomic", "--no-verify", "--no-follow-tags", "--no-signed", "--no-thin"];
  const args = [...STALLED, "-c", "push.pushOption=", "push", ...flags, "--recurse-submodules=no", "--", url];
  const pushed = await talk(core.place, remote, [...args, ...refspecs], options);
  if (pushed.code === 0) return { kind: "pushed" };
  const refusals = refusalsIn(pushed.stdout.toString());
  if (refusals.length === 0) throw remoteFailure(remote, pushed.stderr);
  const rule = refusals.find(({ behind }) => !behind);
  if (rule) throw refusedByRule(remote, rule.ref, rule.why);
  return { kind: "rejected", refs: refusals.map(({ ref }) => ref) };
}

const byName = (a: RefEntry, b: RefEntry): number => (a.name < b.name ? -1 : 1);

const noSuchRef = (ref: RefName): Failure =>
  new Failure("NOT_FOUND", {
    en: `there is no ref ${ref} to push`,
    uk: `немає посилання ${ref}, яке можна надіслати`,
    details: { ref },
  });
