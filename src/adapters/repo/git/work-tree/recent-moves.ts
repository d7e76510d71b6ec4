import { join } from "node:path";
import { signatureOf } from "../disk/small-file.ts";
import type { PathPlan, PathStatus } from "./path-status.ts";
import { type FileVersion, sameVersion } from "./work-file.ts";

const REMEMBERED_MS = 10_000;
/** Times after a move at which the index is looked at. */
const LOOKS_MS = [60, 250, 1_000, 4_000];

interface Moved {
  readonly at: number;
  readonly before: readonly FileVersion[];
  readonly to: FileVersion;
}

/**
 * The paths of our last moves. A git command that read the index before a move can write its copy after it (see `LingeringLock`): then
 * the entries of these paths are those from before, under files that are ours. Such an entry is no person's wish, and the next
 * commit by hand would take the move back.
 */
export class RecentMoves {
  readonly #index: string;
  readonly #look: () => Promise<unknown>;
  readonly #moved = new Map<string, Moved>();
  /** The index as we left it. */
  #signature: string | undefined;
  #timers: NodeJS.Timeout[] = [];

  constructor(gitDir: string, look: () => Promise<unknown>) {
    this.#index = join(gitDir, "index");
    this.#look = look;
  }

  /** Called under the lock, after the index was replaced. */
  add(statuses: readonly PathStatus[]): void {
    const now = performance.now();
    for (const [path, { at }] of this.#moved) if (now - at > REMEMBERED_MS) this.#moved.delete(path);
    for (const { path, to, expected } of statuses) {
      const before = [...(this.#moved.get(path)?.before ?? []), ...expected].filter((each) => !sameVersion(each, to));
      this.#moved.set(path, { at: now, before, to });
    }
    this.isSeen(this.signature());
    this.stop();
    this.#timers = LOOKS_MS.map((ms) => setTimeout(() => this.#lookIfForeign(), ms).unref());
  }

  /** True if another process has written the index since our last move, and that was not long ago. */
  isIndexForeign(): boolean {
    return this.#moved.size > 0 && this.signature() !== this.#signature;
  }

  /** Plans for the remembered paths whose version in the branch is still ours. */
  async plans(versionInHead: (path: string) => Promise<FileVersion>): Promise<PathPlan[]> {
    const now = performance.now();
    const plans: PathPlan[] = [];
    for (const [path, { at, before, to }] of this.#moved)
      if (now - at <= REMEMBERED_MS && sameVersion(await versionInHead(path), to))
        plans.push({ path, versions: [...before, to], left: true });
    return plans;
  }

  /** Identifies the present index file. */
  signature(): string | undefined {
    return signatureOf(this.#index);
  }

  /** The index with this signature has been looked at. */
  isSeen(signature: string | undefined): void {
    this.#signature = signature;
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #lookIfForeign(): void {
    if (this.isIndexForeign()) this.#look().catch(() => undefined); // the next look or move tries again
  }
}
