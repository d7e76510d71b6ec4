import type { Failure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import type { Action } from "../../../domain/proposal/action.ts";
import type { OperationOf } from "../../../domain/proposal/operation.ts";
import type { Conflict, Edit } from "../../../ports/repo.ts";
import type { Hash } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";

/**
 * What an operation would do to the garden as it is at a commit. One answer serves three masters: the gate (can it be
 * done at all?), the reviewer (what is shown, P-10a) and the apply (what is written). Working it out writes nothing.
 */
export interface EffectContext {
  readonly garden: Pick<Garden, "repo" | "store" | "config">;
  /** main, pinned. */
  readonly head: Oid;
  /** main when the operation was made; equal to `head` at that time. */
  readonly base: Oid;
  /** Facts that go into files and messages; never part of the effect's identity. */
  readonly moment: Moment;
}

export interface Moment {
  readonly proposal: string;
  /** ISO time of the decision; the time of looking while there is none. */
  readonly at: string;
  /** Who asked: the name of the identity, and the agent's as it was then. */
  readonly by: string;
  readonly agent: { readonly slug: string; readonly version: string; readonly logic?: string | undefined } | undefined;
  readonly run: string | undefined;
  readonly summary: string;
}

export type Prepared =
  | Ready
  /** It can never be done as it stands: no such note, a diff that does not fit, a path outside. */
  | { readonly kind: "refused"; readonly failure: Failure }
  /** Somebody changed the same lines since. */
  | { readonly kind: "conflict"; readonly conflicts: readonly Conflict[] }
  /** The garden is already so. */
  | { readonly kind: "nothing"; readonly why: Text };

export interface Ready {
  readonly kind: "ready";
  /** Paths of the repository, all in one commit; none for what lives in the store alone. */
  readonly edits: readonly Edit[];
  /** Objects that this makes in the store. Never beside edits: what follows from a commit is `project`. */
  readonly objects: readonly ObjectWrite[];
  /** What follows from the change and can be made again from it at any time (L-2). Returns the keys that it wrote. */
  project?(garden: Garden): Promise<readonly string[]>;
  /** The first line of the commit where it is not `[<agent>] <summary>` (P-8). */
  readonly subject?: string;
  readonly review: readonly ReviewFile[];
  /** The id of what changes, line by line and without positions: equal after a merge that keeps the hunks. */
  readonly effect: string;
  /** The target moved since `base`, and both changes fit together. */
  readonly merged: boolean;
  readonly events: readonly string[];
  readonly warnings: readonly Text[];
  /** Why a person has to see this, whatever rules say: then no rule approves it. */
  readonly held?: Text;
}

export interface ObjectWrite {
  readonly key: string;
  /** Undefined takes the object away; then `replaces` says which. */
  readonly bytes: Uint8Array | undefined;
  /** Undefined: there must be nothing (or these very bytes). */
  readonly replaces: Hash | undefined;
}

/** One file of what is shown for review. */
export interface ReviewFile {
  /** A path of the repository, or `store:<key>`. */
  readonly path: string;
  readonly change: "added" | "changed" | "removed";
  /** Unified diff; empty for what is not text. */
  readonly patch: string;
  /** For what is not text: its size. */
  readonly bytes?: number;
  /** What changes, in words that the program found: how two diagrams differ. */
  readonly summary?: Text;
}

export interface Handler<A extends Action> {
  prepare(context: EffectContext, operation: OperationOf<A>): Promise<Prepared>;
}

export type Handlers = { readonly [A in Action]: Handler<A> };
