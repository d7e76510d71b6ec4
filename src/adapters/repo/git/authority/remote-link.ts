import { join } from "node:path";
import { type Failure, isFailure } from "../../../../base/failure.ts";
import type { Oid, RefName } from "../../../../domain/git/git-names.ts";
import { MAIN_REF } from "../../../../domain/layout.ts";
import type { Remote } from "../../../../ports/repo.ts";
import { syncPath } from "../disk/sync-path.ts";
import type { GitPlace, GitResult } from "../process/git-process.ts";
import { refusedByRule, remoteFailure } from "../remote/failures.ts";
import { refusalsIn, stalledAfter, talk } from "../remote/talk.ts";
import { plainFetch } from "../remote/transfer-settings.ts";
import { MAIN_REFSPEC, OTHER_REFSPECS } from "./shared-refs.ts";

/** One ref of a push: the value that the remote must have now (undefined: none), and its new one (undefined: deleted). */
export interface LeasedMove {
  readonly ref: RefName;
  readonly lease: Oid | undefined;
  readonly to: Oid | undefined;
}

export type PushAnswer =
  | { readonly kind: "accepted" }
  /** A ref has another value there, or another push was faster. */
  | { readonly kind: "rejected"; readonly said: string }
  /** The connection broke: the remote may have taken the push, or may take it in a moment. */
  | { readonly kind: "unknown"; readonly failure: Failure };

export type FetchAnswer =
  | { readonly kind: "fetched" }
  /** The remote has no main. The other refs were fetched. */
  | { readonly kind: "no-main" }
  /** Main there does not descend from its last known value. The other refs were fetched. */
  | { readonly kind: "rewritten"; readonly now: Oid };

/** Git's commands against the one remote. They never prompt, and end after `timeoutMs`. */
export interface RemoteLink {
  /** All or none, each ref only from its lease. Throws if the remote refuses by a rule, or was certainly not reached. */
  push(moves: readonly LeasedMove[]): Promise<PushAnswer>;
  /** Fetches the shared refs into their tracking refs. `acceptsRewriting`: main too, also if it was rewritten. */
  fetch(options: { readonly timeoutMs?: number; readonly acceptsRewriting?: boolean }): Promise<FetchAnswer>;
  /** Kills the fetch under way. A push is waited for. */
  close(): void;
}

/** Errors from before any ref was sent. */
const NOT_REACHED =
  /Could not resolve host|Name or service not known|Temporary failure in name resolution|Connection refused|Couldn't connect|Failed to connect|Host key verification|Authentication failed|could not read (Username|Password)|Permission denied|error: 40[134]|not found|does not appear to be a git repository|does not exist|not a git repository|does not support --atomic|certificate/i;
const MAX_FETCHES = 8;
/** A file remote is as durable as our own objects. Of a host only its own settings decide. */
const SYNCED_RECEIVE = "--receive-pack=git -c core.fsync=committed -c core.fsyncMethod=fsync receive-pack";

export function remoteLink(place: GitPlace, commonDir: string, remote: Remote, timeoutMs: number): RemoteLink {
  const stalled = stalledAfter(Math.ceil(timeoutMs / 1000));
  const closing = new AbortController();
  const isFile = /^(file:\/\/|[^:]*$|[^:]*\/)/.test(remote.url);

  async function fetchRefs(refspecs: readonly string[], limitMs: number): Promise<GitResult> {
    const args = [...stalled, ...plainFetch, "--prune", "--", remote.url, ...refspecs];
    for (let tries = 1; ; tries++) {
      const fetched = await talk(place, remote, args, { timeoutMs: limitMs, signal: closing.signal });
      // Another process of this clone moved a tracking ref meanwhile.
      const isRace =
        fetched.code !== 0 && /cannot lock ref|unable to update local ref|Unable to create/.test(fetched.stderr);
      if (!isRace || tries === MAX_FETCHES) return fetched;
    }
  }

  async function mainThere(limitMs: number): Promise<Oid | undefined> {
    const args = [...stalled, "ls-remote", "--", remote.url, MAIN_REF];
    const listed = await talk(place, remote, args, { timeoutMs: limitMs, signal: closing.signal });
    if (listed.code !== 0) throw remoteFailure(remote, listed.stderr);
    return /^[0-9a-f]{40}/.exec(listed.stdout.toString())?.[0];
  }

  return {
    async push(moves) {
      const leases = moves.map(({ ref, lease }) => `--force-with-lease=${ref}:${lease ?? ""}`);
      const flags = ["--porcelain", "--atomic", "--no-verify", "--no-follow-tags", "--no-signed", ...leases];
      const refspecs = moves.map(({ ref, to }) => `${to ?? ""}:${ref}`);
      const receive = isFile ? [SYNCED_RECEIVE] : [];
      const settings = [...stalled, "-c", "push.pushOption="];
      const args = [
        ...settings,
        "push",
        ...receive,
        ...flags,
        "--recurse-submodules=no",
        "--",
        remote.url,
        ...refspecs,
      ];
      let pushed: GitResult;
      try {
        pushed = await talk(place, remote, args, { timeoutMs });
      } catch (error) {
        if (!isFailure(error, "UPSTREAM_UNAVAILABLE") || error.details["part"] !== "remote") throw error;
        return { kind: "unknown", failure: error };
      }
      if (pushed.code === 0) return { kind: "accepted" };
      const refusals = refusalsIn(pushed.stdout.toString());
      const rule = refusals.find(({ behind }) => !behind);
      if (rule) throw refusedByRule(remote, rule.ref, rule.why);
      if (refusals.length > 0) return { kind: "rejected", said: refusals.map(({ why }) => why).join("; ") };
      // Lines of the remote's hooks may say anything: only git's own tell whether it was reached.
      const ownLines = pushed.stderr.replace(/^remote:.*$\n?/gm, "");
      const failure = remoteFailure(remote, ownLines);
      if (NOT_REACHED.test(ownLines)) throw failure;
      return { kind: "unknown", failure };
    },

    async fetch({ timeoutMs: limitMs = timeoutMs, acceptsRewriting = false }) {
      const main = acceptsRewriting ? `+${MAIN_REFSPEC}` : MAIN_REFSPEC;
      const fetched = await fetchRefs([main, ...OTHER_REFSPECS], limitMs);
      if (fetched.code === 0) {
        await syncPath(join(commonDir, "objects/pack")); // before our commits build on it
        return { kind: "fetched" };
      }
      if (/couldn't find remote ref refs\/heads\/main/i.test(fetched.stderr)) {
        const others = await fetchRefs(OTHER_REFSPECS, limitMs);
        if (others.code !== 0) throw remoteFailure(remote, others.stderr);
        return { kind: "no-main" };
      }
      // Git refuses to move the tracking ref back, without a word under --quiet.
      if (fetched.code !== 1 || /^fatal:/m.test(fetched.stderr)) throw remoteFailure(remote, fetched.stderr);
      const now = await mainThere(limitMs);
      return now === undefined ? { kind: "no-main" } : { kind: "rewritten", now };
    },

    close: () => closing.abort(),
  };
}
