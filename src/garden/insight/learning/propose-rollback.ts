import { type Identity, isPerson } from "../../../domain/identity.ts";
import type { LogicVersion } from "../../../domain/logic/logic-version.ts";
import { type Received, receive } from "../../changes/inbox/receive.ts";
import type { Garden } from "../../core/garden.ts";
import { headOf } from "../../core/main-head.ts";
import { readLogicState } from "../../records/logic/logic-state.ts";
import { unknownVersion } from "../../records/logic/operation-logic.ts";
import { settleTally, talliedRuns } from "./tally.ts";
import { badRuns } from "./watch-versions.ts";

const MOST_EVIDENCE = 5;

/**
 * Proposes a rollback to an older version (L-7). Default evidence: the newest runs of the current version that failed or were
 * rejected, else its newest runs.
 */
export async function proposeRollback(
  garden: Garden,
  wish: {
    readonly slug: string;
    readonly to: LogicVersion;
    readonly by: Identity;
    readonly reason: string;
    readonly evidence?: readonly string[] | undefined;
  },
): Promise<Received> {
  const { slug, to, by, reason } = wish;
  const head = await headOf(garden.repo);
  const state = await readLogicState(garden.repo, head, slug);
  if (!state.versions.has(to)) throw unknownVersion(to, state);
  const current = state.meta.logicVersion;
  const evidenceRuns = wish.evidence ?? (isPerson(by) ? await newestEvidence(garden, slug, current) : []);
  return await receive(garden, {
    identity: by,
    action: "logic-rollback",
    payload: {
      agent: slug,
      currentVersion: current,
      toVersion: to,
      rationale: { problem: reason, evidenceRuns: [...evidenceRuns] },
      requiresHumanReview: true,
    },
    summary: `Go back from ${current} to ${to}`,
    reasoning: reason,
  });
}

async function newestEvidence(garden: Garden, slug: string, version: LogicVersion): Promise<readonly string[]> {
  const tally = await settleTally(garden, slug);
  const bad = await badRuns(garden, slug, tally, version);
  if (bad.length > 0) return bad.slice(-MOST_EVIDENCE);
  const all = await talliedRuns(garden.store, slug, tally);
  const counted = all === "damaged" ? [] : all.filter(({ count }) => count !== null).map(({ run }) => run);
  return counted.toSorted().slice(-MOST_EVIDENCE);
}
