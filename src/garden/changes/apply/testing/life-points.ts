import { realWorld, type World } from "../../../../base/world.ts";

/** The crash points of a life: all of inbox, decide and apply, and a few of git's, or all. */
const OF_REPO = [
  "repo.move.before-swap",
  "repo.move.after-swap",
  "repo.follow.after-file-rename",
  "repo.follow.after-index",
];
export type Points = "few" | "all";
export const isLifePoint = (name: string, which: Points): boolean =>
  /^(inbox|decide|proposals|apply|memory|logic|resolve|revert)\./.test(name) ||
  (which === "all" ? /^(store\.log|repo)\./.test(name) : OF_REPO.includes(name));

/** A clock that a test sets, with random bytes that differ from process to process. */
export function lifeWorld(start: number): World & { move(ms: number): void } {
  let now = start;
  return { now: () => now, random: (count) => realWorld.random(count), move: (ms) => void (now += ms) };
}
