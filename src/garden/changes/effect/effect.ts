import type { Failure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import type { Action } from "../../../domain/proposal/action.ts";
import type { OperationOf } from "../../../domain/proposal/operation.ts";
import type { Conflict, Edit } from "../../../ports/repo.ts";
import type { Hash } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";

/**
 * The effect of an operation on the garden at a commit. One computation serves the gate (is it possible?), the review
 * (what is shown, P-10a) and the apply (what is written). It writes nothing.
 */
export interface EffectContext {
  readonly garden: Pick<Garden, "repo" | "store" | "config">;
  /** main, pinned. */
  readonly head: Oid;
  /** The commit that the operation was made against; equal to `head` at that time. */
  readonly base: Oid;
  /** The files that the owner chose of a merge; all if left out. */
  readonly files?: readonly string[] | undefined;
  /** Facts that go into files and messages; never part of the effect's identity. */
  readonly moment: EffectMoment;
}

export interface EffectMoment {
  readonly proposal: string;
  /** ISO time of the decision; before it, of the review. */
  readonly at: string;
  /** ISO time of the proposal. */
  readonly made: string;
  /** The name of the proposer's identity. */
  readonly by: string;
  readonly agent: { readonly slug: string; readonly version: string; readonly logic?: string | undefined } | undefined;
  readonly run: string | undefined;
  readonly summary: string;
}

export type PreparedEffect =
  | ReadyEffect
  /** It can never be applied as it is: no such note, a diff that does not fit, a path outside. */
  | { readonly kind: "refused"; readonly failure: Failure }
  /** The same lines were changed since. */
  | {
      readonly kind: "conflict";
      readonly conflicts: readonly Conflict[];
      /** For a merge: all that the session would change, as if main had not moved. The review shows it beside the conflicts. */
      readonly wanted?: ReadyEffect;
    }
  /** The change would have no effect. */
  | {
      readonly kind: "nothing";
      readonly why: Text;
      /** M-4: a newer update of the same agent has set everything that this one would set. */
      readonly superseded_by?: string;
    };

export interface ReadyEffect {
  readonly kind: "ready";
  /** Paths of the repository, all in one commit; empty for effects in the store. */
  readonly edits: readonly Edit[];
  /** Objects written to the store. Never together with edits: what is derived from a commit is made by `project`. */
  readonly objects: readonly ObjectWrite[];
  /** Makes the objects that are derived from the change, idempotently (L-2). `by`: who decided. Returns the keys that it wrote. */
  project?(garden: Garden, by: string): Promise<readonly string[]>;
  /** The second parent of the commit: the session that is merged (S-5). */
  readonly merges?: Oid;
  /** The subject of the commit if it is not `[<agent>] <summary>` (P-8). */
  readonly subject?: string;
  readonly review: readonly ReviewFile[];
  /** The change in sentences, where lines of a file do not say it to a person: of memory. */
  readonly sentences?: readonly Text[];
  /** The lines that a comment is about. */
  readonly about?: ReviewExcerpt;
  /** The id of the change, by lines and without positions: equal after a merge that keeps the hunks. */
  readonly effect: string;
  /** The target changed since `base`, and both changes were merged. */
  readonly merged: boolean;
  readonly events: readonly string[];
  readonly warnings: readonly Text[];
  /** The reason why a person must decide: then no rule approves it. */
  readonly held?: Text;
}

export interface ObjectWrite {
  readonly key: string;
  /** Undefined removes the object that `replaces` names. */
  readonly bytes: Uint8Array | undefined;
  /** Undefined: there must be no object (or these same bytes). */
  readonly replaces: Hash | undefined;
}

/** One file of a review. */
export interface ReviewFile {
  /** A path of the repository, or `store:<key>`. */
  readonly path: string;
  readonly change: "added" | "changed" | "removed";
  /** Unified diff; empty if the file is not text. */
  readonly patch: string;
  /** The size, if the file is not text. */
  readonly bytes?: number;
  /** The same bytes were at this path before, or are at this path afterwards: the file was moved. */
  readonly moved_from?: string;
  readonly moved_to?: string;
  /** In a merge: how many lines the patch adds and removes. */
  readonly lines?: { readonly added: number; readonly removed: number };
  /** The program's own summary, such as the difference of two diagrams. */
  readonly summary?: Text;
}

/** Lines of a note around the one that a comment is about. */
export interface ReviewExcerpt {
  readonly path: string;
  readonly line: number;
  readonly lines: readonly { readonly number: number; readonly text: string }[];
}

export interface EffectHandler<A extends Action> {
  prepare(context: EffectContext, operation: OperationOf<A>): Promise<PreparedEffect>;
}

export type EffectHandlers = { readonly [A in Action]: EffectHandler<A> };
