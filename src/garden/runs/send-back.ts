import { asFailure, type Failure, isFailure, isLostAnswer } from "../../base/failure.ts";
import { newId } from "../../base/ids.ts";
import type { Identity } from "../../domain/identity.ts";
import { keys } from "../../domain/layout.ts";
import type { Proposal } from "../../domain/proposal/proposal.ts";
import { runRequest } from "../../domain/run/run.ts";
import { everyKey } from "../../ports/store.ts";
import { decide } from "../changes/proposals/decide.ts";
import { expectPerson } from "../changes/proposals/decision-checks.ts";
import { noteNeeded } from "../changes/proposals/failures.ts";
import { remarksOn } from "../changes/proposals/remarks.ts";
import type { Garden } from "../core/garden.ts";
import { jsonBytes, tryReadJson } from "../core/json-record.ts";
import { readAgent } from "../records/agents/read-agent.ts";
import { findReadable, readProposal } from "../records/proposals/proposal-log.ts";
import { agentNotRunnable, notFromAgent, otherAgentInBatch, tooManyRevisions } from "./failures.ts";
import { requestRun } from "./request-run.ts";

/** P-10c: revisions of one change in a row; after that it stays with the owner. */
export const MOST_REVISIONS = 3;

/** The cause of the run that makes a revision. */
const REVISION_CAUSE = "proposal/revision-requested";

interface SendBack {
  readonly proposal: string;
  /** The digest that the person saw (P-10a). */
  readonly digest: string;
  readonly by: Identity;
  /** The change that is wished for. The remarks on the proposal count too; one of both is required. */
  readonly note?: string | undefined;
}

/**
 * Rejects a proposal and asks its agent for a revision (P-10c): a new run starts with the proposal, the remarks and the original input.
 * Throws VALIDATION_FAILED without a remark or for a proposal that no agent made, INVALID_TRANSITION after `MOST_REVISIONS` in a row,
 * INVALID_AGENT_TRANSITION if the agent is not active. A mark is written before the decision and removed after the request of the
 * run: `resumeRevisions` finishes what a crash left between.
 */
export async function sendBack(garden: Garden, { proposal: id, digest, by, note }: SendBack): Promise<Proposal> {
  expectPerson(by);
  const proposal = await readProposal(garden.store, id);
  const slug = agentOf(proposal);
  const { status } = (await readAgent(garden.store, slug)).contract;
  if (status !== "active") throw agentNotRunnable(slug, status);
  if ((await revisionsBefore(garden, proposal)) >= MOST_REVISIONS) throw tooManyRevisions(id, MOST_REVISIONS);
  const said = note?.trim() ?? "";
  const remarks = (await remarksOn(garden.store, id)).filter((each) => each.by !== slug);
  if (said === "" && remarks.length === 0) throw noteNeeded();
  const reason =
    said === ""
      ? remarks
          .map(({ text }) => text)
          .join("\n")
          .slice(0, MAX_REASON)
          .toWellFormed()
      : said;
  await garden.store.put(keys.openRevision(id), jsonBytes({ proposal: id }));
  const run = newId(garden.world, "run");
  let decided: Proposal;
  try {
    decided = await decide(garden, { proposal: id, verdict: "reject", digest, by, note: reason, revisionRun: run });
  } catch (error) {
    // Without a decision the mark means nothing; if the answer was lost, the next start looks.
    if (!isLostAnswer(error)) await garden.store.delete(keys.openRevision(id));
    throw error;
  }
  await requestRevision(garden, decided);
  return decided;
}

const MAX_REASON = 2000;

/** Sends several proposals of one agent back; each succeeds or fails on its own. */
export async function sendBackBatch(
  garden: Garden,
  batch: {
    readonly proposals: readonly { readonly id: string; readonly digest: string }[];
    readonly by: Identity;
    readonly note?: string | undefined;
  },
): Promise<readonly { readonly id: string; readonly proposal?: Proposal; readonly failure?: Failure }[]> {
  const found = await Promise.all(batch.proposals.map(({ id }) => findReadable(garden.store, id)));
  const agents = new Set(found.map((proposal) => proposal?.source.identity));
  if (agents.size > 1) throw otherAgentInBatch();
  const answers = [];
  for (const { id, digest } of batch.proposals) {
    try {
      answers.push({ id, proposal: await sendBack(garden, { ...batch, proposal: id, digest }) });
    } catch (error) {
      answers.push({ id, failure: asFailure(error) });
    }
  }
  return answers;
}

/** Requests the runs of decisions whose process ended before it did, and removes marks of decisions that were not made. */
export async function resumeRevisions(garden: Garden): Promise<void> {
  for await (const { key } of everyKey(garden.store, keys.openRevisions)) {
    const id = key.slice(keys.openRevisions.length).replace(/\.json$/, "");
    const proposal = await findReadable(garden.store, id);
    if (proposal?.approval?.revision_requested)
      // An agent that was paused meanwhile is asked when it is active again.
      await requestRevision(garden, proposal).catch((error: unknown) => {
        if (!isFailure(error)) throw error;
      });
    else if (proposal?.status !== "pending") await garden.store.delete(key);
  }
}

/** Idempotent: the id of the run is in the decision. */
async function requestRevision(garden: Garden, proposal: Proposal): Promise<void> {
  const { id, source, approval } = proposal;
  const slug = agentOf(proposal);
  await requestRun(garden, {
    slug,
    trigger: "event",
    cause: REVISION_CAUSE,
    by: approval!.decided_by,
    id: approval!.revision_requested!.run,
    revises: id,
    ...(await originalInput(garden, slug, source.run_id)),
  });
  await garden.store.delete(keys.openRevision(id));
}

async function originalInput({ store }: Garden, slug: string, run: string | undefined) {
  const key = run === undefined ? undefined : keys.runRequest(slug, run);
  const stored = key === undefined ? undefined : await store.get(key);
  const input = stored && tryReadJson(stored.bytes, runRequest)?.input;
  return input === undefined ? {} : { input };
}

/** The number of proposals that this one revises, one after the other. */
async function revisionsBefore({ store }: Garden, proposal: Proposal): Promise<number> {
  let count = 0;
  for (let at: Proposal | undefined = proposal; at?.revises !== undefined && count < MOST_REVISIONS; count++)
    at = await findReadable(store, at.revises);
  return count;
}

function agentOf({ id, source }: Proposal): string {
  if (source.type !== "agent") throw notFromAgent(id);
  return source.identity;
}
