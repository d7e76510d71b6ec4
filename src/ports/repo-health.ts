import type { Text } from "../base/text.ts";

export interface RepoFinding {
  readonly kind: "object" | "ref" | "lock" | "head" | "index" | "config" | "unfinished" | "remote";
  /** The object id, ref name, path, git command or address concerned. */
  readonly subject: string;
  readonly what: Text;
}

export interface RepoHealth {
  readonly ok: boolean;
  readonly version: string;
  readonly remarks: readonly Text[];
  /** Undefined in a repository of one machine. */
  readonly remote?: RepoRemote;
}

/** The remote that is the authority of the shared refs, as of the last contact. */
export interface RepoRemote {
  /** Without credentials. */
  readonly address: string;
  /** Commits of main that are there and not here. */
  readonly behind: number;
  /** Commits of main that are here and not there. */
  readonly ahead: number;
  /** Milliseconds since 1970; undefined before the first answer. */
  readonly lastContact?: number;
  /** True if it answered the last time. */
  readonly reachable: boolean;
  /** True if main cannot move here until a person acts. */
  readonly blocked: boolean;
  /** Why it is not reachable, or blocked, and what to do. */
  readonly trouble?: Text;
}
