import type { Text } from "../base/text.ts";
import type { Oid, RefName } from "../domain/git/git-names.ts";
import type { Trailer } from "../domain/git/trailers.ts";
import type { RepoFinding, RepoHealth } from "./repo-health.ts";
import type { WorkCopies } from "./work-copies.ts";

/**
 * The repository: notes, memory, logic and their history (G-3), as ordinary git. It is composed of parts; code that needs one
 * part takes that part.
 *
 * Every adapter guarantees the following, and the conformance suite proves it:
 * - Objects first, refs last: a ref never names an object that is not complete on disk, also after power loss.
 * - A ref moves only from the value that the caller named (compare-and-swap). A move that returned is durable.
 * - The user's git configuration, hooks and index have no influence on what is committed.
 * - In the work tree, only paths that a move of the checked-out branch changed are written, and never over an edit that a
 *   person has not committed (G-5).
 * - A branch moves only while no git command of a person can write the index, and that is so until the index knows the move:
 *   the next commit by hand takes nothing back (G-5).
 * - Everything that takes an `Oid` is a pure function of it.
 */
export interface Repo
  extends RefStore,
    RepoReader,
    RepoHistory,
    CommitWriter,
    CommitAnnotations,
    WorkTree,
    WorkCopies,
    RemoteSync,
    RepoUpkeep {
  close(): Promise<void>;
}

/** Refs: reading them, and moving them by compare-and-swap. */
export interface RefStore {
  /** The commit that a ref names now; undefined if the ref does not exist. */
  resolve(ref: RefName): Promise<Oid | undefined>;
  /** Refs under a prefix (`refs/heads/`), in order of name. */
  refs(prefix: string): Promise<readonly RefEntry[]>;
  /**
   * Moves refs, all or none, each from the value named (`undefined`: it must not exist). If the checked-out branch is
   * among them, the work tree and the user's index follow.
   *
   * A ref under `refs/bloom/` that is named with its present value is checked with the others. It may then get a commit of the same
   * content (a remote compares only refs that move), so its value is read again before the next use.
   *
   * In a repository with a remote as authority the remote takes the move first, and this clone follows. When a move that does not
   * include main returns, main here is at least as new as the move.
   */
  move(moves: readonly RefMove[]): Promise<Moved>;
  /**
   * Runs `work` while no git command of a person can commit, so that the value of the branch that `work` reads is still there
   * when it moves the branch with the function that it gets. Other moves of branches through this `Repo` wait until `work` has
   * ended. Answers `busy` without calling `work` while a git command is running.
   */
  hold<T>(branch: RefName, work: (move: RefStore["move"]) => Promise<T>): Promise<Held<T>>;
  /** The reason why the branch cannot move now: a running git command, an unfinished rebase. Undefined if it can. */
  busy(branch: RefName): Promise<Text | undefined>;
}

/** Files and commits as they are at a commit. */
export interface RepoReader {
  /** A file at a commit; undefined if there is none (or if the path names a folder). */
  read(at: Oid, path: string): Promise<FileAt | undefined>;
  /** All files at a commit under a folder ("" for all), in order of path. */
  list(at: Oid, folder: string): Promise<readonly TreeFile[]>;
  /** Names of the files and folders directly in a folder at a commit; none if it is no folder. */
  names(at: Oid, folder: string): Promise<readonly string[]>;
  commit(oid: Oid): Promise<Commit>;
  /** Commits whose id begins with these digits, at least four of them. */
  commitsLike(prefix: string): Promise<readonly Oid[]>;
}

/** Relations between commits: ancestry, differences, the origin of lines. */
export interface RepoHistory {
  /** Commits that changed a path, newest first, from `at` backwards; `path` "" means all commits. */
  history(at: Oid, path: string, page?: { limit?: number; skip?: number }): Promise<readonly Commit[]>;
  /** Files that differ between two commits (`undefined`: from nothing), in order of path. */
  changes(from: Oid | undefined, to: Oid, folder?: string): Promise<readonly Change[]>;
  /** The same as a unified diff, for people. */
  patch(from: Oid | undefined, to: Oid, paths?: readonly string[]): Promise<string>;
  /** The oldest commit without parents from which `at` descends. */
  firstCommit(at: Oid): Promise<Oid>;
  mergeBase(a: Oid, b: Oid): Promise<Oid | undefined>;
  isAncestor(ancestor: Oid, of: Oid): Promise<boolean>;
  /**
   * Ids of commits that some commits descend from, these included, newest first. `text`: only those whose message has it (case counts).
   * `reflogs`: also those that refs named before and that git has not removed yet. `without`: none that these descend from.
   */
  reachable(
    from: readonly Oid[],
    options?: { readonly text?: string; readonly reflogs?: boolean; readonly without?: readonly Oid[] },
  ): Promise<readonly Oid[]>;
  /** The commit that introduced a line (counted from 1) of a file at a commit; undefined if there is no such line. */
  originOfLine(at: Oid, path: string, line: number): Promise<LineOrigin | undefined>;
  /** The same for the lines `first` to `last`, inclusive; fewer if the file ends before `last`. */
  originsOfLines(at: Oid, path: string, first: number, last: number): Promise<readonly LineOrigin[]>;
}

/** Writing objects. No ref moves here. */
export interface CommitWriter {
  /**
   * Writes a commit and all its objects durably, and moves no ref. Idempotent: the id follows from the arguments alone.
   *
   * With `durable: "with-move"` the commits of a chain share their syncs. They can be read and built upon through this `Repo`
   * at once, but a crash or a power cut may lose them until a `move` of this `Repo` returned that names one of them or a
   * commit built on it. That move makes all its objects durable before any ref moves.
   */
  build(draft: CommitDraft, options?: { readonly durable?: "at-once" | "with-move" }): Promise<Oid>;
  /**
   * Three-way merge of two commits. On conflict nothing is written, and the conflicting lines are returned. Throws for two commits
   * without a common ancestor, except with `unrelated`: then everything of either side is an addition. With `marked`, the merged tree is
   * written on conflict too, for a caller that replaces every conflicting path of it.
   */
  merge(ours: Oid, theirs: Oid, options?: MergeOptions): Promise<Merged>;
}

/** Bytes bound to commits (git's notes). */
export interface CommitAnnotations {
  /** Binds bytes to a commit under a notes ref. Never changes the commit. A replaced annotation stays in the ref's history. */
  annotate(ref: RefName, commit: Oid, bytes: Uint8Array, by: Signature): Promise<void>;
  annotation(ref: RefName, commit: Oid): Promise<Uint8Array | undefined>;
  /**
   * Builds the next commit of a notes ref, which names `at` now, and moves nothing: the caller moves it together with other refs.
   * Returns `at` itself if everything is there already. Durable with the move, like `build`.
   */
  buildAnnotations(at: Oid | undefined, draft: AnnotationDraft): Promise<Oid>;
}

export interface AnnotationDraft {
  /** `undefined` takes the annotation of a commit away; the commit itself need not exist any more. */
  readonly notes: readonly { readonly commit: Oid; readonly bytes: Uint8Array | undefined }[];
  /** Files in the same tree that are no annotations. No path of them looks like the id of a commit, so that git leaves them alone. */
  readonly beside?: readonly Edit[];
  readonly by: Signature;
  readonly message: string;
}

/** The checked-out files and the user's index. */
export interface WorkTree {
  /** Paths among these that a person changed and did not commit (in the work tree or the index). */
  edited(paths: readonly string[]): Promise<readonly string[]>;
  /** Everything that a person changed and did not commit, except ignored files, in order of path. */
  uncommitted(): Promise<readonly Uncommitted[]>;
  /** Updates work tree and index to the checked-out branch after a crash or a lock left them behind. */
  follow(): Promise<Followed>;
}

/** Exchange with remotes. */
export interface RemoteSync {
  fetch(remote: Remote): Promise<Fetched>;
  /** Fetches and brings the remote's branch into ours: fast-forward, or a merge commit signed by `by`. */
  pull(remote: Remote, branch: string, by: Signature): Promise<Pulled>;
  /** A ref goes as it is now; an entry sends this object under its name. All or nothing. */
  push(remote: Remote, refs: readonly (RefName | RefEntry)[]): Promise<Pushed>;
  /** A look at another repository in a place of its own: nothing of it is part of this one before `take`. The caller closes it. */
  visit(remote: Remote): Promise<Visit>;
  /** The refs with these names that another repository has: one request. Throws UPSTREAM_UNAVAILABLE if it does not answer in half a minute. */
  tips(remote: Remote, names: readonly RefName[]): Promise<readonly RefEntry[]>;
  /**
   * Makes the bare repository in this folder, which is created if it is missing, hold exactly these refs and what they reach: objects that
   * no ref names are removed. Not to be called twice at once for a folder. Can be called again after a crash at any point.
   */
  mirror(dir: string, refs: readonly RefEntry[]): Promise<void>;
  /**
   * Reads the remote that is the authority of the shared refs, and follows it. Throws UPSTREAM_UNAVAILABLE if it does not answer. Does
   * nothing in a repository of one machine.
   */
  refresh(): Promise<void>;
}

/** Maintenance, backup and checks of the repository itself. */
export interface RepoUpkeep {
  /** Packs objects and writes the commit graph. Safe beside concurrent writers. */
  maintain(): Promise<void>;
  /** Writes every ref (except `AUTHORITY_REFS`) and all that it reaches into one file that `git clone` can read. Returns the refs in it. */
  bundle(file: string): Promise<readonly RefEntry[]>;
  /** Writes chosen refs and all that they reach into one file, and a commit beside them that is not part of this repository. */
  bundleWith(file: string, content: BundleContent): Promise<void>;
  /**
   * Finds missing or damaged objects, refs to nothing, stale locks, a merge, revert or rebase that was not completed, and a remote
   * that main cannot follow.
   */
  inspect(options?: {
    /** Also reads every object completely, contents of notes included. Takes as long as reading the repository. */
    readonly everything?: boolean;
  }): Promise<readonly RepoFinding[]>;
  health(): Promise<RepoHealth>;
}

export interface BundleContent {
  readonly refs: readonly RefEntry[];
  readonly added: { readonly ref: RefName; readonly draft: CommitDraft };
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

/** A name with a time. `at` is milliseconds since 1970; git keeps whole seconds. `zone` is minutes east of UTC. */
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
  /** The signature of a signed commit, and the bytes that it covers: the whole commit without it. */
  readonly signed?: { readonly signature: string; readonly content: Uint8Array };
}

export interface Change {
  readonly path: string;
  readonly before: { readonly oid: Oid; readonly mode: FileMode } | undefined;
  readonly after: { readonly oid: Oid; readonly mode: FileMode } | undefined;
}

/** One path of a new commit: new content, or `undefined` to remove it. Without a mode, that of the old file is kept. */
export interface Edit {
  readonly path: string;
  readonly bytes: Uint8Array | undefined;
  readonly mode?: "100644" | "100755" | undefined;
}

export interface LineOrigin {
  readonly commit: Oid;
  /** Path and line number in that commit. */
  readonly path: string;
  readonly line: number;
}

export interface CommitDraft {
  /** The first parent's tree is what the edits change; no parent means an empty tree. */
  readonly parents: readonly Oid[];
  /** Replaces the first parent's tree (for a merge or a snapshot). */
  readonly tree?: Oid;
  /** A `TreeFile` puts a blob there that the repository has. */
  readonly edits: readonly (Edit | TreeFile)[];
  readonly author: Signature;
  readonly committer: Signature;
  readonly message: string;
  readonly trailers?: readonly Trailer[];
  /** Signs the bytes of the commit; git keeps the text in the commit, and `git verify-commit` checks it. The same bytes get the same text. */
  readonly sign?: (content: Uint8Array) => string;
}

export interface RefMove {
  readonly ref: RefName;
  readonly from: Oid | undefined;
  /** `undefined` deletes the ref. */
  readonly to: Oid | undefined;
  /** For the reflog, one of few: that of the first move counts for all refs of a transaction. */
  readonly reason?: string;
}

export type Moved =
  /** `followed.behind` names paths that could not be updated yet; `follow` retries them. */
  | { readonly kind: "moved"; readonly followed: Followed }
  | { readonly kind: "stale"; readonly ref: RefName; readonly actual: Oid | undefined }
  /** A person has uncommitted edits of paths that this move would change. Nothing was moved. */
  | { readonly kind: "edited"; readonly paths: readonly string[] }
  | Busy;

/** A git command of a person is running, or a rebase is unfinished. Nothing was moved; the caller retries. */
export interface Busy {
  readonly kind: "busy";
  readonly why: Text;
}

export type Held<T> = { readonly kind: "held"; readonly result: T } | Busy;

export interface Followed {
  /** Paths written into the work tree now. */
  readonly written: readonly string[];
  /** Paths not updated, each with the reason. Empty when work tree and index equal the branch. */
  readonly behind: readonly { readonly path: string; readonly why: Text }[];
}

export interface Uncommitted {
  readonly path: string;
  /** Difference from the last commit; `other`: a nested repository, of which git stores only a pointer. */
  readonly kind: "untracked" | "changed" | "deleted" | "other";
}

export interface MergeOptions {
  readonly unrelated?: boolean;
  readonly marked?: boolean;
}

export type Merged =
  /** `tree` is written; make a commit of it with `build({parents: [ours, theirs], tree})`. */
  | { readonly kind: "merged"; readonly tree: Oid }
  /** `theirs` is an ancestor of `ours`. */
  | { readonly kind: "up-to-date" }
  /** `ours` is an ancestor of `theirs`: moving the ref is enough. */
  | { readonly kind: "fast-forward" }
  /** `tree`, with `marked` only: merged where that was possible; conflicting paths hold conflict markers, or one of the sides. */
  | { readonly kind: "conflict"; readonly conflicts: readonly Conflict[]; readonly tree?: Oid };

export interface Conflict {
  readonly path: string;
  /** For people: both sides changed the same lines, one deleted or renamed what the other changed, and so on. */
  readonly why: Text;
  /** The conflicting hunks, each with its first line in our version. Empty if the conflict is not about lines. */
  readonly hunks: readonly { readonly line: number; readonly ours: string; readonly theirs: string }[];
}

/** `url` never begins with a hyphen and names no helper program (`ext::`). */
export interface Remote {
  readonly name: string;
  readonly url: string;
}

/** Objects fetched from another repository, read together with those of this one. */
export interface Visit
  extends Pick<RepoReader, "read" | "list" | "commit">,
    Pick<RepoHistory, "isAncestor" | "history"> {
  /** The refs with these names that the other repository has. */
  refs(names: readonly RefName[]): Promise<readonly RefEntry[]>;
  /** Fetches these objects with all that they reach, each checked. Throws UPSTREAM_UNAVAILABLE if the other repository does not answer. */
  fetch(wanted: readonly Oid[], limits: VisitLimits): Promise<Visited>;
  /** A link, a submodule or a name that some system would write elsewhere, in a commit that these reach and this repository did not have. */
  unsafe(oids: readonly Oid[]): Promise<string | undefined>;
  /** Copies these objects with all that they reach into this repository, durably. No ref moves. */
  take(oids: readonly Oid[]): Promise<void>;
  /** Bytes on disk that this visit has fetched so far. */
  received(): Promise<number>;
  close(): Promise<void>;
}

/** `incomplete`: the other repository does not have all of it, or has it damaged. `unsound`: git's own check refuses an object. */
export type Visited = "fetched" | "incomplete" | "unsound" | "too-large";

export interface VisitLimits {
  /** All that is received in this visit. */
  readonly bytes: number;
}

export interface Fetched {
  readonly refs: readonly RefEntry[];
}

export type Pulled =
  | { readonly kind: "up-to-date" }
  | { readonly kind: "pulled"; readonly head: Oid; readonly merged: boolean; readonly followed: Followed }
  | { readonly kind: "conflict"; readonly conflicts: readonly Conflict[] }
  | { readonly kind: "edited"; readonly paths: readonly string[] }
  | Busy;

export type Pushed =
  | { readonly kind: "pushed" }
  /** The remote has commits that we do not have: pull first. */
  | { readonly kind: "rejected"; readonly refs: readonly RefName[] };
