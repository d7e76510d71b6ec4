import { derivedId } from "../../../../base/ids.ts";
import { MAIN_REF } from "../../../../domain/layout.ts";
import { type Operation, operation, targetOf } from "../../../../domain/proposal/operation.ts";
import { type Proposal, type ProposalMade } from "../../../../domain/proposal/proposal.ts";
import { digestOf } from "../../../../domain/proposal/proposal-digest.ts";
import type { Garden } from "../../../core/garden.ts";
import { changesLogic, recordReport } from "../../../records/logic/report-gate.ts";
import { appendEvent, readProposal, recordProposal } from "../../../records/proposals/proposal-log.ts";
import { prepareEffect } from "../../effect/effects.ts";

/** The proposer in tests of applying. */
export interface Asker {
  readonly identity: string;
  readonly type?: ProposalMade["source"]["type"];
  readonly run?: string;
  readonly agent?: ProposalMade["agent"];
  readonly summary?: string;
}

export const owner: Asker = { identity: "owner", type: "owner" };
export const archivist: Asker = {
  identity: "archivist",
  type: "agent",
  run: "run_2026-02-14_080000_abc123",
  agent: { slug: "archivist", version: "1.2.0", logic: "v007" },
  summary: "Sort the shelf",
};

let count = 0;

/** A pending proposal for this operation, made against main. An operation that the gate would refuse has the effect "refused". */
export async function proposed(garden: Garden, wished: Operation, by: Asker = owner, seed?: string): Promise<Proposal> {
  const parsed = operation.parse(wished);
  const revision = (await garden.repo.resolve(MAIN_REF))!;
  const at = new Date(garden.world.now()).toISOString();
  const id = derivedId("prop", Date.parse(at), seed ?? `${process.pid} ${count++}`);
  const moment = {
    proposal: id,
    at,
    made: at,
    by: by.identity,
    agent: by.agent,
    run: by.run,
    summary: by.summary ?? "",
  };
  const prepared = await prepareEffect({ garden, head: revision, base: revision, moment }, parsed);
  const unsigned = {
    id,
    entry_id: id.replace("prop", "inbox"),
    source: {
      type: by.type ?? "owner",
      identity: by.identity,
      authenticated: true,
      timestamp: at,
      ...(by.run !== undefined && { run_id: by.run }),
    },
    ...(by.agent && { agent: by.agent }),
    action: parsed.action,
    target: targetOf(parsed),
    operation: parsed,
    base: { revision },
    effect: prepared.kind === "ready" ? prepared.effect : "refused",
    summary: by.summary ?? "Change",
    correlation_id: id,
    priority: "normal" as const,
    created_at: at,
    expires_at: new Date(Date.parse(at) + 72 * 3_600_000).toISOString(),
  };
  return recordProposal(garden.store, { type: "made", ...unsigned, digest: digestOf(unsigned) });
}

/** The same, approved by the owner and not applied yet. */
export async function approved(garden: Garden, wished: Operation, by: Asker = owner, seed?: string): Promise<Proposal> {
  return approve(garden, (await proposed(garden, wished, by, seed)).id);
}

export async function approve(garden: Garden, id: string): Promise<Proposal> {
  const proposal = await readProposal(garden.store, id);
  const { digest, effect } = proposal;
  // An impossible change has no report, and fails by itself.
  const report = changesLogic(proposal) ? await recordReport(garden, proposal).catch(() => undefined) : undefined;
  const appended = await appendEvent(garden.store, proposal, {
    type: "decided",
    op: Buffer.from(garden.world.random(8)).toString("hex"),
    at: new Date(garden.world.now()).toISOString(),
    decision: "approved",
    by: "owner",
    digest,
    effect,
    ...(report && { report: report.id }),
  });
  return appended.proposal;
}

export const edit = (path: string, text: string): Operation => ({ action: "propose-edit", payload: { path, text } });
export const note = (path: string, text: string): Operation => ({ action: "propose-note", payload: { path, text } });
