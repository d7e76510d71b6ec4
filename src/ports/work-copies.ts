import type { Oid, RefName } from "../domain/git/git-names.ts";

/** Copies of a commit in folders of their own, for programs that work with plain git. */
export interface WorkCopies {
  /**
   * Makes a copy in a folder: the files of a commit with `branch` checked out, in a repository of its own that borrows our objects.
   * Nothing that a program does there moves our refs. Returns the folder of the files.
   */
  copyOut(folder: string, copy: WorkCopy): Promise<string>;
  /**
   * The work in a copy: commits, and the files as they are now, except ignored ones. Takes its objects over, durably, and moves no ref. May be
   * repeated. Throws VALIDATION_FAILED for a merge that was not completed there.
   */
  takeCopy(folder: string, copy: WorkCopy): Promise<CopiedWork>;
}

export interface WorkCopy {
  readonly at: Oid;
  readonly branch: RefName;
  /** Signs commits that are made there. */
  readonly by: { readonly name: string; readonly email: string };
}

export interface CopiedWork {
  /** Commits made there, oldest first, each on the one before, the first on `at`. */
  readonly commits: readonly Oid[];
  /** The history there no longer leads to `at` by first parents: only the files count. */
  readonly isRewritten: boolean;
  /** The files, committed or not. */
  readonly tree: Oid;
}
