import { crashPoint } from "../../../base/crash-point.ts";

/**
 * Every line at which a crash suite ends the process, in the order in which a commit of the checked-out branch passes. The
 * three of a pack are passed where a chain of commits lands with one move.
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
  "repo.move.before-pack",
  "repo.move.pack-named",
  "repo.move.packed",
  "repo.move.before-swap",
  "repo.move.prepared",
  "repo.move.after-swap",
  "repo.move.after-ref-sync",
  "repo.follow.before-file",
  "repo.follow.before-file-rename",
  "repo.follow.after-file-rename",
  "repo.follow.before-index",
  "repo.follow.index-copied",
  "repo.follow.after-index",
  "repo.follow.after-record",
  "repo.follow.unlocked",
] as const;

/** Points that a chain of commits passes otherwise than a single one does. */
export const chainCrashPoints = [
  "repo.move.checked",
  "repo.move.before-pack",
  "repo.move.pack-named",
  "repo.move.packed",
  "repo.move.after-swap",
  "repo.follow.after-file-rename",
] as const;

export type RepoCrashPoint = (typeof repoCrashPoints)[number];

export const repoCrashPoint = (name: RepoCrashPoint): void => crashPoint(name);
