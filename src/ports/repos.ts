import type { Text } from "../base/text.ts";
import type { Oid } from "../domain/git/git-names.ts";
import type { CommitDraft, RefStore, Repo, RepoHistory, RepoReader, VisitLimits } from "./repo.ts";

/** Operations on folders that may not be repositories yet. */
export interface Repos {
  /** Describes the repository in a folder. Read-only. A repository that git cannot read is `broken`. */
  look(dir: string): Promise<RepoSituation>;
  /** The main work tree, if this folder is a linked one of the same repository (`git worktree add`). */
  mainWorkTree(dir: string): Promise<string | undefined>;
  /** The `user.name` and `user.email` that git has for this folder; undefined if one of them is missing. */
  person(dir: string): Promise<{ readonly name: string; readonly email: string } | undefined>;
  /** Creates an empty repository on branch `main` in an existing folder. Files there stay as they are. */
  init(dir: string): Promise<void>;
  /**
   * Opens the repository of a garden, removes locks that no living process holds, and updates the work tree. With `shared`, the
   * remote is the authority of the shared refs, and this repository a clone that follows it.
   */
  open(dir: string, shared?: SharedRepo): Promise<Repo>;
  /**
   * Commits every file of the work tree that is not ignored, as the first commit of `main`. Only for a repository without
   * commits. Progress is counted in files. Files are only read. Can be called again after a crash at any point.
   */
  commitEverything(
    dir: string,
    draft: Omit<CommitDraft, "parents" | "tree" | "edits">,
    progress?: (done: number, total: number) => void,
  ): Promise<Everything>;
  /** Creates a repository in an empty folder from a bundle: every ref, `main` checked out. */
  unbundle(dir: string, file: string): Promise<void>;
  /** Reads a bundle without a folder of the caller's: a repository that is gone once it is closed. Every object is checked. */
  openBundle(file: string): Promise<RepoReading>;
  /**
   * The newest commit of another repository, without its history: an address, or a folder of this machine. Fetched into a repository that
   * is gone once it is closed; nothing of it is checked out or executed. Throws VALIDATION_FAILED if it has more bytes than allowed.
   */
  openSnapshot(url: string, limits: VisitLimits): Promise<RepoSnapshot>;
  readonly serveFetch: ServeFetch;
}

/**
 * Answers one request of a git that fetches from the bare repository in a folder, over smart HTTP. Nothing can be pushed. Throws
 * RATE_LIMITED if too many fetch at once.
 */
export type ServeFetch = (dir: string, request: FetchRequest) => Promise<ServedFetch>;

export interface FetchRequest {
  /** `list` asks what is there, `fetch` for objects. */
  readonly step: "list" | "fetch";
  /** Headers `Git-Protocol` and `Content-Encoding`. */
  readonly protocol?: string | undefined;
  readonly encoding?: string | undefined;
  readonly body?: ReadableStream<Uint8Array> | undefined;
  /** Aborted when the other side has gone. */
  readonly ended?: AbortSignal | undefined;
}

export interface ServedFetch {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ReadableStream;
}

export interface RepoSnapshot extends Pick<RepoReader, "read" | "list"> {
  readonly head: Oid;
  close(): Promise<void>;
}

export interface RepoReading extends RepoReader, RepoHistory, Pick<RefStore, "resolve" | "refs"> {
  close(): Promise<void>;
}

/** The setting `repo` of a garden whose history several machines share. */
export interface SharedRepo {
  /** Address of the repository that every machine pushes to. */
  readonly remote: string;
  /** Seconds between two looks at it, if nothing else is a reason to look. */
  readonly fetch_seconds: number;
  /** Seconds after which a push or fetch without an answer is given up. */
  readonly timeout_seconds: number;
}

export interface Everything {
  readonly head: Oid;
  /** Left untracked although not ignored: nested repositories, names that git tools misread. */
  readonly left: readonly LeftOut[];
}

export interface LeftOut {
  readonly path: string;
  readonly why: Text;
}

export type RepoSituation =
  | { readonly kind: "none" }
  /** The folder lies inside a repository whose top is another folder. */
  | { readonly kind: "inside"; readonly top: string }
  | { readonly kind: "broken"; readonly why: Text }
  | {
      readonly kind: "repository";
      /** The branch that is checked out; undefined when HEAD is detached. */
      readonly branch: string | undefined;
      readonly head: Oid | undefined;
      /** An unfinished rebase, merge or cherry-pick of the person's. */
      readonly underWay: string | undefined;
    };
