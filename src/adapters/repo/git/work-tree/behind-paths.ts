import type { Followed } from "../../../../ports/repo.ts";
import type { CheckedOut, PathBehind } from "./check-out.ts";
import type { PathStatus } from "./path-status.ts";

/** Paths of the work tree that are known to be behind the branch. In memory only; `.bloom/followed` is the durable record. */
export class BehindPaths {
  /** Paths to retry. */
  #waiting: readonly PathBehind[] = [];
  /** Hand edits that a move or a pass left alone, reported for as long as they exist. */
  readonly #handEdits = new Map<string, PathBehind>();

  all(): readonly PathBehind[] {
    return [...this.#waiting, ...this.#handEdits.values()];
  }

  /** Notes the result of a move or a pass, and returns what the caller is told. */
  followed(done: CheckedOut, statuses: readonly PathStatus[]): Followed {
    for (const { path } of statuses) this.#handEdits.delete(path);
    for (const behind of done.edited) this.#handEdits.set(behind.path, behind);
    this.wait(done.failed);
    return { written: done.written, behind: [...done.edited, ...done.failed] };
  }

  /** Replaces the paths to retry, and returns them. */
  wait(paths: readonly PathBehind[]): readonly PathBehind[] {
    this.#waiting = paths;
    return paths;
  }

  /** Forgets the hand edits that are committed or dropped, and returns the others. */
  async remainingEdits(edited: (paths: readonly string[]) => Promise<readonly string[]>): Promise<PathBehind[]> {
    const remaining = await edited([...this.#handEdits.keys()]);
    for (const path of this.#handEdits.keys()) if (!remaining.includes(path)) this.#handEdits.delete(path);
    return [...this.#handEdits.values()];
  }
}
