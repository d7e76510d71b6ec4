import { crashPoint } from "../../base/crash-point.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import { sessionBranch, TRACE_REF } from "../../domain/layout.ts";
import { type ConsoleEntry, packTrace } from "../../domain/session/console-trace.ts";
import { decodeTypedCommit } from "../../domain/session/typed-commit.ts";
import type { RefMove } from "../../ports/repo.ts";
import { buildSessionCommit, type SessionCommitted, type SessionCommitWish } from "./commit-session.ts";
import { landRefs, untilLanded } from "./land-refs.ts";
import { gatewaySignature, type SessionGarden } from "./session-garden.ts";
import { sessionHead } from "./topology.ts";
import { pendingTrace, writeCursor } from "./trace-buffer.ts";

export type TracedCommit =
  | { readonly kind: "committed"; readonly commit: Oid; readonly trace: string }
  | Extract<SessionCommitted, { kind: "conflict" }>;

/**
 * S-6: `commitSession` that also drains the buffer into a trace bound to the commit. Notes and branch move in one transaction, the branch
 * last, so a commit is never without its trace. A commit that does not land keeps the buffer and binds nothing. `more` are entries that
 * exist only with this commit.
 */
export async function commitWithTrace(
  garden: SessionGarden,
  name: string,
  wish: SessionCommitWish,
  more: readonly ConsoleEntry[] = [],
): Promise<TracedCommit> {
  const head = await sessionHead(garden.repo, name);
  if (head !== wish.expect) return { kind: "conflict", head };
  return landTraced(garden, name, { expect: wish.expect, commit: await buildSessionCommit(garden, name, wish) }, more);
}

/** Moves the branch to a commit that is built, and drains the buffer into a trace bound to it. `first` moves with them. */
export async function landTraced(
  garden: SessionGarden,
  name: string,
  { expect, commit, first = [] }: { readonly expect: Oid; readonly commit: Oid; readonly first?: readonly RefMove[] },
  more: readonly ConsoleEntry[] = [],
): Promise<TracedCommit> {
  const { repo, world } = garden;
  const { buffer, seq, entries, skipped } = await pendingTrace(garden, name);
  const changeId = decodeTypedCommit((await repo.commit(commit)).message)?.fields["changeId"];
  const trace = packTrace({
    commit,
    agent: name,
    ...(typeof changeId === "string" && { changeId }),
    ...(buffer !== undefined && { buffer, seq }),
    entries: [...entries, ...more],
    skipped,
  });
  crashPoint("session.drain.built");
  const result = await untilLanded<TracedCommit>(garden, [TRACE_REF], async () => {
    const from = await repo.resolve(TRACE_REF);
    const to = await repo.buildAnnotations(from, {
      notes: [{ commit, bytes: trace.bytes }],
      beside: trace.texts,
      by: gatewaySignature(world.now()),
      message: `Trace of ${name} for ${commit}`,
    });
    const landed = await landRefs(garden, [
      ...first,
      { ref: TRACE_REF, from, to, reason: "bloom commit" },
      { ref: sessionBranch(name), from: expect, to: commit },
    ]);
    if (landed.kind === "landed") return { kind: "committed", commit, trace: trace.id };
    return landed.ref === TRACE_REF ? undefined : { kind: "conflict", head: landed.actual };
  });
  if (result.kind === "conflict") return result;
  crashPoint("session.drain.landed");
  if (buffer !== undefined) await writeCursor(garden, name, { buffer, offset: seq[1], commit });
  crashPoint("session.drain.cursor");
  return result;
}
