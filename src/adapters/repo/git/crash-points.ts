import { crashPoint } from "../../../base/crash-point.ts";

/**
 * All points at which the crash suite kills the process, in the order of a commit to the checked-out branch. The three pack
 * points belong to a chain of commits that lands with one move.
 */
export const repoCrashPoints = [
  "repo.build.before-objects",
  "repo.build.before-rename",
  "repo.build.between-renames",
  "repo.build.before-folder-sync",
  "repo.build.built",
  "repo.move.before-lock",
  "repo.move.locked",
  "repo.move.checked",
  "repo.move.files-prepared",
  "repo.move.before-pack",
  "repo.move.pack-named",
  "repo.move.packed",
  "repo.follow.before-file",
  "repo.follow.before-file-rename",
  "repo.follow.after-file-rename",
  "repo.follow.before-index",
  "repo.follow.index-copied",
  "repo.move.before-swap",
  "repo.move.prepared",
  "repo.follow.after-index",
  "repo.move.after-swap",
  "repo.move.after-ref-sync",
  "repo.follow.after-record",
  "repo.follow.unlocked",
] as const;

/** Further points of a repository whose authority is a remote. */
export const remoteCrashPoints = [
  "repo.remote.before-push",
  "repo.remote.pushed",
  "repo.remote.swapped",
  "repo.remote.fetched",
] as const;

export type RepoCrashPoint = (typeof repoCrashPoints)[number] | (typeof remoteCrashPoints)[number];

export const repoCrashPoint = (name: RepoCrashPoint): void => crashPoint(name);
