import type { Text } from "../../../../base/text.ts";
import type { Oid, RefName } from "../../../../domain/git/git-names.ts";
import type { RefMove } from "../../../../ports/repo.ts";
import type { RepoRemote } from "../../../../ports/repo-health.ts";
import type { HeldWorkTree } from "../work-tree/work-tree-follower.ts";

export type Published =
  /** The remote has the moves. `local`: the moves of this clone's refs that follow from it, tracking refs included. */
  | { readonly kind: "accepted"; readonly local: readonly RefMove[] }
  | { readonly kind: "stale"; readonly ref: RefName; readonly actual: Oid | undefined }
  | { readonly kind: "busy"; readonly why: Text };

/**
 * The remote as the authority of the shared refs. A move is pushed first, with the remote's last known values as leases; this clone
 * follows. README.md beside this file explains order, states and crash windows.
 */
export interface Authority {
  publish(moves: readonly RefMove[]): Promise<Published>;
  /**
   * Waits before a move of main, outside of git's lock, for about as long as the last push took. Without this pause a process that
   * moves main all the time would leave the others, which have to fetch first, no moment to push.
   */
  turn(): Promise<void>;
  /** Fetches, and lets refs, main and work tree follow. Throws if the remote cannot be reached. */
  refresh(options?: RefreshOptions): Promise<void>;
  /** Lets main follow what was fetched. `tree`: the work tree, if the caller holds it. */
  integrate(tree: HeldWorkTree | undefined): Promise<void>;
  /** The reason why main cannot move, from memory. */
  blocked(): Text | undefined;
  /** For the time of a hold: a refresh by anybody uses this work tree instead of waiting for it. */
  during<T>(tree: HeldWorkTree | undefined, work: (seat: Seat) => Promise<T>): Promise<T>;
  /**
   * An object is not here: fetches. False if the remote was read a moment ago. Throws if the remote does not answer in time: it may
   * have the object. A later call gets the answer.
   */
  missed(oid: Oid): Promise<boolean>;
  /** True if the last contact is older than the interval, or the last attempt was long ago. */
  isDue(): boolean;
  state(): Promise<RepoRemote>;
  close(): Promise<void>;
}

export interface RefreshOptions {
  readonly timeoutMs?: number;
  /** The work tree, if the caller holds it. */
  readonly tree?: HeldWorkTree | undefined;
}

/** Work with a held work tree, one after another. */
export type Seat = <T>(work: (tree: HeldWorkTree | undefined) => Promise<T>) => Promise<T>;
