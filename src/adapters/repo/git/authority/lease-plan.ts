import type { Oid, RefName } from "../../../../domain/git/git-names.ts";
import { MAIN_REF } from "../../../../domain/layout.ts";
import type { RefMove } from "../../../../ports/repo.ts";
import { moveRefused } from "../refs/failures.ts";
import type { RefReader } from "../refs/ref-reader.ts";
import type { LeasedMove } from "./remote-link.ts";
import { isSharedRef, trackingRef } from "./shared-refs.ts";

export interface LeasePlan {
  readonly kind: "plan";
  readonly push: readonly LeasedMove[];
  /** Moves of refs here that follow when the remote has accepted. */
  readonly local: readonly RefMove[];
}

export interface LeasePlanDeps {
  readonly refs: RefReader;
  isAncestor(ancestor: Oid, of: Oid): Promise<boolean>;
  checkMark(parent: Oid, message: string): Promise<Oid>;
}

type Stale = { readonly kind: "stale"; readonly ref: RefName; readonly actual: Oid | undefined };

/**
 * The push for some moves. The lease of a ref is the remote's last known value, which `from` must contain: commits by hand that are not
 * there yet go along (G-5). `stale`: this clone is behind or apart, and must follow first.
 */
export async function planLeases(deps: LeasePlanDeps, moves: readonly RefMove[]): Promise<LeasePlan | Stale> {
  const push: LeasedMove[] = [];
  const local: RefMove[] = [];
  for (const move of await withCheckMarks(deps, moves)) {
    if (!isSharedRef(move.ref)) {
      local.push(move);
      continue;
    }
    const tracking = trackingRef(move.ref);
    const [here, lease] = await Promise.all([deps.refs.resolve(move.ref), deps.refs.resolve(tracking)]);
    if (here !== move.from) return { kind: "stale", ref: move.ref, actual: here };
    if (!(await contains(deps, move.from, lease))) return { kind: "stale", ref: move.ref, actual: lease };
    local.push(move);
    if (lease === move.to) continue;
    push.push({ ref: move.ref, lease, to: move.to });
    local.push({ ref: tracking, from: lease, to: move.to });
  }
  return { kind: "plan", push, local };
}

async function contains(deps: LeasePlanDeps, commit: Oid | undefined, part: Oid | undefined): Promise<boolean> {
  if (part === undefined || part === commit) return true;
  return commit !== undefined && (await deps.isAncestor(part, commit));
}

/**
 * A ref that is named with its present value is checked. Git does not send such a ref, so the remote would compare nothing at the
 * moment of the push: a fence raised meanwhile would go unnoticed. It moves to a commit of the same content instead.
 */
async function withCheckMarks(deps: LeasePlanDeps, moves: readonly RefMove[]): Promise<readonly RefMove[]> {
  const isCheck = ({ ref, from, to }: RefMove): boolean => isSharedRef(ref) && to !== undefined && from === to;
  const moving = moves.find((move) => !isCheck(move));
  if (!moving) return moves;
  return Promise.all(
    moves.map(async (move) => {
      if (!isCheck(move)) return move;
      if ((await deps.refs.resolve(move.ref)) !== move.from) return move; // stale
      if (move.ref === MAIN_REF || !move.ref.startsWith("refs/bloom/"))
        throw moveRefused(`${move.ref} is only checked beside a move`, `${move.ref} лише перевіряється поряд із рухом`);
      return { ...move, to: await deps.checkMark(move.to!, `Checked for ${moving.ref} ${moving.to ?? ""}`.trim()) };
    }),
  );
}
