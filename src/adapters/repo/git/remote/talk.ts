import { isFailure } from "../../../../base/failure.ts";
import type { RefName } from "../../../../domain/git/git-names.ts";
import type { Remote } from "../../../../ports/repo.ts";
import { type GitPlace, type GitResult, git } from "../process/git-process.ts";
import { remoteFailure } from "./failures.ts";

const LIMIT_MS = 600_000;
/** Keeps ssh from prompting for a password on a terminal or in a window. */
const NEVER_ASK = { SSH_ASKPASS: "false", SSH_ASKPASS_REQUIRE: "force", GIT_ASKPASS: "" };

export interface RemoteOptions {
  readonly timeoutMs?: number;
  /** Kills git. */
  readonly signal?: AbortSignal;
  /** No file that git writes becomes larger. */
  readonly maxFileBytes?: number;
}

/** Settings that end a transfer over HTTP which has stopped for this many seconds. */
export const stalledAfter = (seconds: number): readonly string[] => [
  "-c",
  "http.lowSpeedLimit=1",
  "-c",
  `http.lowSpeedTime=${seconds}`,
];

/** Runs a git command that talks to a remote, with the person's own credentials and without prompts. Every exit code is returned. */
export async function talk(
  place: GitPlace,
  remote: Remote,
  args: readonly string[],
  { timeoutMs = LIMIT_MS, signal, maxFileBytes }: RemoteOptions,
): Promise<GitResult> {
  const call = {
    asUser: true,
    accept: EVERY_CODE,
    timeoutMs,
    variables: NEVER_ASK,
    ...(signal && { signal }),
    ...(maxFileBytes !== undefined && { maxFileBytes }),
  };
  try {
    return await git(place, args, call);
  } catch (error) {
    // Not as a cause: git's output may contain the password of the address.
    if (isFailure(error) && /ended by/.test(error.message)) throw remoteFailure(remote, error.message);
    throw error;
  }
}

const EVERY_CODE = Array.from({ length: 256 }, (_, code) => code);

/** The refs that a `push --porcelain --atomic` was refused for, each with the reason. `behind`: a race, or newer commits there. */
export interface PushRefusal {
  readonly ref: RefName;
  readonly why: string;
  readonly behind: boolean;
}

/** Empty if the output has no line about a refused ref. Refs that were refused only because of others come last. */
export function refusalsIn(stdout: string): readonly PushRefusal[] {
  const lines = [...stdout.matchAll(/^!\t[^\t]*:([^\t]+)\t(.*)$/gm)];
  const refusals = lines.map(([, ref, why]) => ({ ref: ref!, why: why!, behind: BEHIND.test(why!) }));
  const own = refusals.filter(({ why }) => !/atomic push failed|atomic transaction failed/.test(why));
  return own.length > 0 ? own : refusals.map((each) => ({ ...each, behind: true }));
}

/** Refusals that a fetch cures; the last three are races with another push. */
const BEHIND =
  /fetch first|non-fast-forward|needs force|stale info|cannot lock ref|incorrect old value|failed to update/;
