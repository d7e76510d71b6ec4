import type { Oid } from "../../../../domain/git/git-names.ts";
import type { RefReader } from "../refs/ref-reader.ts";
import type { FollowRecord, PendingFollow } from "./follow-record.ts";

/** A move that work tree and index may not have followed yet. */
export interface PendingMove {
  readonly pending: PendingFollow;
  /** "" stands for no commit. */
  readonly head: Oid;
  /** True if `head` contains the move, false if the move did not happen. */
  readonly isMoved: boolean;
}

interface PendingMoveDeps {
  readonly record: FollowRecord;
  readonly refs: RefReader;
  isAncestor(ancestor: Oid, of: Oid): Promise<boolean>;
}

/** The pending record, if it is about the branch that is checked out now. */
export async function pendingMove(deps: PendingMoveDeps): Promise<PendingMove | undefined> {
  const { record, refs } = deps;
  const pending = (await record.read()).pending;
  if (!pending) return undefined;
  if ((await refs.branch()) !== pending.ref) return undefined;
  const head = (await refs.resolve(pending.ref)) ?? "";
  const { to, since } = pending;
  if (head === to || (head !== "" && (await deps.isAncestor(to, head)))) return { pending, head, isMoved: true };
  // After a crash before the swap, head is still the commit before the move, or a commit by hand on it.
  const from = since.at(-1) ?? "";
  const isBefore = since.includes(head) || (from !== "" && head !== "" && (await deps.isAncestor(from, head)));
  return isBefore ? { pending, head, isMoved: false } : undefined;
}
