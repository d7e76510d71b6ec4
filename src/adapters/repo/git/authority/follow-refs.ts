import type { Oid } from "../../../../domain/git/git-names.ts";
import { AUTHORITY_REFS } from "../../../../domain/layout.ts";
import type { RefEntry, RefMove } from "../../../../ports/repo.ts";
import type { RefReader } from "../refs/ref-reader.ts";
import type { RefSwap } from "../refs/ref-swap.ts";
import { keptRef, MAIN_TRACKING, sharedRefOf } from "./shared-refs.ts";

export interface FollowRefsDeps {
  readonly refs: RefReader;
  readonly swap: RefSwap;
  isAncestor(ancestor: Oid, of: Oid): Promise<boolean>;
}

/**
 * Brings the shared refs other than main to the remote's values after a fetch; `before` are the tracking refs from before it. A
 * local value that the remote does not contain is by a person's hand: if it contains the remote's value it stays and goes along
 * with the next move, else it is kept under `refs/replaced/`.
 */
export async function followOtherRefs(deps: FollowRefsDeps, before: readonly RefEntry[]): Promise<void> {
  const after = await deps.refs.refs(AUTHORITY_REFS);
  const known = new Map(before.map(({ name, oid }) => [name, oid]));
  const names = new Set([...known.keys(), ...after.map(({ name }) => name)]);
  const values = new Map(after.map(({ name, oid }) => [name, oid]));
  for (const tracking of names) {
    if (tracking === MAIN_TRACKING) continue;
    await followRef(deps, sharedRefOf(tracking), known.get(tracking), values.get(tracking));
  }
}

async function followRef(deps: FollowRefsDeps, ref: string, was: Oid | undefined, now: Oid | undefined): Promise<void> {
  const here = await deps.refs.resolve(ref);
  if (here === now) return;
  const moves: RefMove[] = [{ ref, from: here, to: now }];
  if (here !== undefined && here !== was) {
    if (now === undefined || (await deps.isAncestor(now, here))) return; // ahead
    if (!(await deps.isAncestor(here, now))) {
      const kept = keptRef(ref, here);
      if ((await deps.refs.resolve(kept)) === undefined) moves.push({ ref: kept, from: undefined, to: here });
    }
  }
  await deps.swap(moves); // if another process was faster, its value is as new
}
