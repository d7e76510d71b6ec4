import type { Text } from "../base/text.ts";
import type { Oid, RefName } from "../domain/git/git-names.ts";
import type { Trailer } from "../domain/git/trailers.ts";

/**
 * The repository: notes, memory, logic and their history (G-3), as ordinary git.
 *
 * What every member of the family promises, and its conformance suite proves:
 * - Objects first, refs last: a ref never names an object that is not whole on disk, also after power loss.
 * - A ref moves only from the value that the caller named. A move that was answered survives power loss.
 * - The user's git configuration, hooks and index have no influence on what is committed.
 * - Nothing is written into the work tree but paths that a move of the checked-out branch changed, and never over an
 *   edit that a person has not committed (G-5).
 * Same commit, same answer: everything that takes an `Oid` is a pure function of it.
 */
export interface Repo {
  // reading -------------------------------------------------------------------------------------------------------
  /** Where a ref points now; undefined if it does not exist. */
  resolve(ref: RefName): Promise<Oid | undefined>;
  /** Refs under a prefix (`refs/heads/`), in order of name. */
  refs(prefix: string): Promise<readonly RefEntry[]>;
  /** A file at a commit; undefined if there is none (or if the path names a folder). */
  read(at: Oid, path: string): Promise<FileAt | undefined>;
  /** All files at a commit under a folder ("" for all), in order of path. */
  list(at: Oid, folder: string): Promise<readonly TreeFile[]>;
  commit(oid: Oid): Promise<Commit>;
  /** Commits that changed a path, newest first, from `at` backwards; `path` "" means all commits. */
  history(at: Oid, path: string, page?: { limit?: number; skip?: number }): Promise<readonly Commit[]>;
  /** Files that differ between two commits (`undefined`: from nothing), in order of path. */
  changes(from: Oid | undefined, to: Oid, folder?: string): Promise<readonly Change[]>;
  /** The same as unified text, for people. */
  patch(from: Oid | undefined, to: Oid, paths?: readonly string[]): Promise<string>;
  mergeBase(a: Oid, b: Oid): Promise<Oid | undefined>;
  isAncestor(ancestor: Oid, of: Oid): Promise<boolean>;
  /** The commit that a line (counted from 1) of a file at a commit came in with; undefined if there is no such line. */
  originOfLine(at: Oid, path: string, line: number): Promise<LineOrigin | undefined>;
  /** The same for the lines from `first` to `last`, both counted in; fewer where the file ends before. */
  originsOfLines(at: Oid, path: string, first: number, last: number): Promise<readonly LineOrigin[]>;
  /** Commits whose id begins with these digits, at least four of them. */
  commitsLike(prefix: string): Promise<readonly Oid[]>;

  // writing -------------------------------------------------------------------------------------------------------
  /**
   * Writes a commit and all it needs, durably, and moves nothing. The id follows from the arguments alone, so building
   * twice is building once.
   *
   * With `durable: "with-move"` commits of a chain share their syncs: they can be read and built upon through this `Repo`
   * at once, but a crash or a power cut may take them until a `move` of this `Repo` has answered that names one of them
   * or a commit built on it. That move puts all it needs on disk before any ref moves.
   */
  build(draft: CommitDraft, options?: { readonly durable?: "at-once" | "with-move" }): Promise<Oid>;
  /**
   * Moves refs, all or none, each from the value named (`undefined`: it must not exist). If the checked-out branch is
   * among them, the work tree and the user's index follow.
   */
  move(moves: readonly RefMove[], reason: string): Promise<Moved>;
  /** Three-way merge of two commits. On conflict nothing is written, and the lines are told. */
  merge(ours: Oid, theirs: Oid): Promise<Merged>;

  // annotations (git's notes) -------------------------------------------------------------------------------------
  /** Binds bytes to a commit under a notes ref. Never changes the commit. A rebinding stays in the ref's history. */
  annotate(ref: RefName, commit: Oid, bytes: Uint8Array, by: Signature): Promise<void>;
  annotation(ref: RefName, commit: Oid): Promise<Uint8Array | undefined>;

  // the work tree -------------------------------------------------------------------------------------------------
  /** Paths among these that a person changed and did not commit (in the work tree or the index). */
  edited(paths: readonly string[]): Promise<readonly string[]>;
  /** Everything that a person changed and did not commit, ignored files apart, in order of path. */
  uncommitted(): Promise<readonly Uncommitted[]>;
  /** Brings work tree and index up to the checked-out branch where a crash or a lock kept them behind. */
  follow(): Promise<Followed>;

  // remotes and upkeep --------------------------------------------------------------------------------------------
  fetch(remote: Remote): Promise<Fetched>;
  /** Fetches and brings the remote's branch into ours: fast-forward, or a merge commit signed by `by`. */
  pull(remote: Remote, branch: string, by: Signature): Promise<Pulled>;
  push(remote: Remote, refs: readonly RefName[]): Promise<Pushed>;
  /** Packs objects and writes the commit graph. Safe beside writers. */
  maintain(): Promise<void>;
  /** Writes every ref and all that it reaches into one file that `git clone` can read. Returns what it holds. */
  bundle(file: string): Promise<readonly RefEntry[]>;
  /** What is broken in the repository: objects missing or damaged, refs to nothing, locks left behind. */
  inspect(options?: {
    /** Also reads every object whole, files of notes included. Takes as long as reading the repository. */
    readonly everything?: boolean;
  }): Promise<readonly RepoFinding[]>;
  health(): Promise<RepoHealth>;
  close(): Promise<void>;
}

export interface RefEntry {
  readonly name: RefName;
  readonly oid: Oid;
}

export type FileMode = "100644" | "100755" | "120000" | "160000";

export interface TreeFile {
  readonly path: string;
  readonly oid: Oid;
  readonly mode: FileMode;
}

export interface FileAt {
  readonly bytes: Uint8Array;
  readonly oid: Oid;
  readonly mode: FileMode;
}

/** Who and when. `at` is milliseconds since 1970; git keeps whole seconds. `zone` is minutes east of UTC. */
export interface Signature {
  readonly name: string;
  readonly email: string;
  readonly at: number;
  readonly zone?: number;
}

export interface Commit {
  readonly oid: Oid;
  readonly tree: Oid;
  readonly parents: readonly Oid[];
  readonly author: Signature;
  readonly committer: Signature;
  readonly message: string;
}

export interface Change {
  readonly path: string;
  readonly before: { readonly oid: Oid; readonly mode: FileMode } | undefined;
  readonly after: { readonly oid: Oid; readonly mode: FileMode } | undefined;
}

/** One path of a new commit: new content (the mode of the old file is kept), or `undefined` to remove it. */
export interface Edit {
  readonly path: string;
  readonly bytes: Uint8Array | undefined;
}

export interface LineOrigin {
  readonly commit: Oid;
  /** As the file and the line were called there. */
  readonly path: string;
  readonly line: number;
}

export interface CommitDraft {
  /** The first parent's tree is what the edits change; no parent means an empty tree. */
  readonly parents: readonly Oid[];
  /** A whole tree instead of the first parent's (a merge, a snapshot). */
  readonly tree?: Oid;
  readonly edits: readonly Edit[];
  readonly author: Signature;
  readonly committer: Signature;
  readonly message: string;
  readonly trailers?: readonly Trailer[];
}

export interface RefMove {
  readonly ref: RefName;
  readonly from: Oid | undefined;
  /** `undefined` deletes the ref. */
  readonly to: Oid | undefined;
}

export type Moved =
  /** `followed.behind` names paths that could not follow yet; it is tried again later. */
  | { readonly kind: "moved"; readonly followed: Followed }
  | { readonly kind: "stale"; readonly ref: RefName; readonly actual: Oid | undefined }
  /** A person has uncommitted edits of paths that this move would change. Nothing was moved. */
  | { readonly kind: "edited"; readonly paths: readonly string[] };

export interface Followed {
  /** Paths written into the work tree now. */
  readonly written: readonly string[];
  /** Paths that stay behind, each with the reason. Empty when work tree and index equal the branch. */
  readonly behind: readonly { readonly path: string; readonly why: Text }[];
}

export interface Uncommitted {
  readonly path: string;
  /** As the work tree differs from the last commit; `other`: a repository inside this one, which git only points to. */
  readonly kind: "untracked" | "changed" | "deleted" | "other";
}

export type Merged =
  /** `tree` is written; make a commit of it with `build({parents: [ours, theirs], tree})`. */
  | { readonly kind: "merged"; readonly tree: Oid }
  /** Theirs has nothing new. */
  | { readonly kind: "up-to-date" }
  /** Ours has nothing of its own: moving the ref to theirs is enough. */
  | { readonly kind: "fast-forward" }
  | { readonly kind: "conflict"; readonly conflicts: readonly Conflict[] };

export interface Conflict {
  readonly path: string;
  /** Both sides changed lines; or one deleted or renamed what the other changed, and so on, in words. */
  readonly why: Text;
  /** The conflicting pieces, with the line in our version where each begins. Empty if it is not about lines. */
  readonly hunks: readonly { readonly line: number; readonly ours: string; readonly theirs: string }[];
}

/** A place to fetch from and push to. `url` never begins with a hyphen and names no helper program. */
export interface Remote {
  readonly name: string;
  readonly url: string;
}

export interface Fetched {
  readonly refs: readonly RefEntry[];
}

export type Pulled =
  | { readonly kind: "up-to-date" }
  | { readonly kind: "pulled"; readonly head: Oid; readonly merged: boolean; readonly followed: Followed }
  | { readonly kind: "conflict"; readonly conflicts: readonly Conflict[] }
  | { readonly kind: "edited"; readonly paths: readonly string[] };

export type Pushed =
  | { readonly kind: "pushed" }
  /** The remote has what we have not: pull first. */
  | { readonly kind: "rejected"; readonly refs: readonly RefName[] };

export interface RepoFinding {
  readonly kind: "object" | "ref" | "lock" | "head" | "index" | "config";
  /** The object id, ref name or path that it is about. */
  readonly subject: string;
  readonly what: Text;
}

/** The family's own verbs: what can be done before there is a repository to hold in the hand. */
export interface Repos {
  /** What lies in a folder, without changing anything. A repository that git cannot read is told as `broken`. */
  look(dir: string): Promise<RepoSituation>;
  /** Name and address that the person gave to git for this folder; undefined if one of them is missing. */
  person(dir: string): Promise<{ readonly name: string; readonly email: string } | undefined>;
  /** Makes an empty repository on branch `main` in an existing folder. Files there stay as they are. */
  init(dir: string): Promise<void>;
  /** Opens the repository of a garden, removes locks that no living process holds, and lets the work tree follow. */
  open(dir: string): Promise<Repo>;
  /**
   * Commits every file of the work tree that is not ignored, as the first commit of `main`. Only for a repository without
   * commits. Progress is told in files. Files are only read. Killed at any moment, it can be called again.
   */
  commitEverything(
    dir: string,
    draft: Omit<CommitDraft, "parents" | "tree" | "edits">,
    progress?: (done: number, total: number) => void,
  ): Promise<Everything>;
  /** Makes a repository in an empty folder from a bundle: every ref, `main` checked out. */
  unbundle(dir: string, file: string): Promise<void>;
}

export interface Everything {
  readonly head: Oid;
  /** What stays untracked although it is not ignored: repositories inside this one, names that git tools mistake. */
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
      /** A rebase, merge, cherry-pick … of the person's that is not finished. */
      readonly underWay: string | undefined;
    };

export interface RepoHealth {
  readonly ok: boolean;
  readonly version: string;
  readonly remarks: readonly Text[];
}
