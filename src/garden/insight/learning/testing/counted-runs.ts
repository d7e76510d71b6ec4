import { newId } from "../../../../base/ids.ts";
import { keys } from "../../../../domain/layout.ts";
import type { EventOf, Proposal, ProposalMade } from "../../../../domain/proposal/proposal.ts";
import { type RunManifest, runManifest } from "../../../../domain/run/run-manifest.ts";
import type { Garden } from "../../../core/garden.ts";
import { operationMark } from "../../../records/proposals/operation-mark.ts";
import { appendEvent, recordProposal } from "../../../records/proposals/proposal-log.ts";
import { markRun } from "../tally.ts";

type Ground = Pick<Garden, "store" | "world">;

const AT = "2026-02-13T08:00:00Z";

/** An ended run with the fields that statistics use, marked as the engine does. */
export async function endedRun(
  { store, world }: Ground,
  slug: string,
  of: Partial<
    Pick<RunManifest, "status" | "logic_version" | "behaviour_id" | "forked_from" | "model_used" | "temperature">
  > & {
    readonly run?: string;
    readonly tokens?: number;
    readonly proposals?: readonly string[];
  } = {},
): Promise<string> {
  const { run = newId(world, "run"), tokens = 100, proposals = [], status = "completed" } = of;
  const manifest = runManifest.parse({
    run_id: run,
    agent_slug: slug,
    agent_version: "1.0.0",
    trigger: "manual",
    started_at: AT,
    finished_at: new Date(world.now()).toISOString(),
    status,
    steps_count: 1,
    proposals_created: status === "completed" ? proposals.length : 0,
    model_used: of.model_used ?? "bloom/follower",
    ...(of.temperature !== undefined && { temperature: of.temperature }),
    tokens_used: { input: tokens, output: 0 },
    error: status === "completed" ? null : "x",
    outcome:
      status === "cancelled"
        ? null
        : status === "failed"
          ? { kind: "failed", reason: "x" }
          : proposals.length > 0
            ? { kind: "effects", proposals: [...proposals] }
            : { kind: "noop", reason: "nothing new" },
    logic_version: of.logic_version ?? "v001",
    behaviour_id: of.behaviour_id ?? null,
    garden_commit: "0".repeat(40),
    contract_hash: "0".repeat(40),
    engine: "embedded",
    forked_from: of.forked_from ?? null,
    error_details: null,
    journal: "0".repeat(40),
  });
  await store.create(keys.runManifest(slug, run), Buffer.from(JSON.stringify(manifest)));
  await markRun(store, slug, run, "end");
  return run;
}

/** A proposal of a run, written to the log without the gate. */
export async function madeProposal(
  { store, world }: Ground,
  slug: string,
  run: string,
  over: Partial<ProposalMade> = {},
): Promise<Proposal> {
  const id = newId(world, "prop");
  const operation = { action: "propose-note", payload: { path: `notes/${id}.md`, text: "x" } } as const;
  return await recordProposal(store, {
    type: "made",
    id,
    entry_id: "in_1",
    source: { type: "agent", identity: slug, authenticated: true, timestamp: AT, run_id: run },
    action: "propose-note",
    target: operation.payload.path,
    operation,
    base: { revision: "0".repeat(40) },
    effect: id,
    digest: id,
    summary: "x",
    correlation_id: id,
    priority: "normal",
    created_at: AT,
    expires_at: AT,
    ...over,
  });
}

/** Decides a proposal; an approved one is also applied. */
export async function decided(
  { store, world }: Ground,
  proposal: Proposal,
  decision: EventOf<"decided">["decision"],
): Promise<Proposal> {
  const stamp = () => ({ op: operationMark(world), at: AT });
  const { digest, effect } = proposal;
  const note = decision === "rejected" ? { note: "no" } : {};
  const first = await appendEvent(store, proposal, {
    type: "decided",
    ...stamp(),
    decision,
    by: "owner",
    ...note,
    digest,
    effect,
  });
  if (decision !== "approved" && decision !== "auto_approved") return first.proposal;
  const applying: EventOf<"applying"> = {
    type: "applying",
    ...stamp(),
    attempt: 1,
    by: "owner",
    plan: { objects: [] },
  };
  const second = await appendEvent(store, first.proposal, applying);
  return (await appendEvent(store, second.proposal, { type: "applied", ...stamp(), events: [] })).proposal;
}
