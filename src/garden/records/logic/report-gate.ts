import { z } from "zod";
import { canonicalId } from "../../../base/canonical.ts";
import { Failure } from "../../../base/failure.ts";
import { contractKey, keys, MAIN_REF } from "../../../domain/layout.ts";
import { type CounterfactualReport, counterfactualReport } from "../../../domain/logic/counterfactual-report.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { Store } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { mainFileOf } from "./contract-origin.ts";
import { hasRecordedRun } from "./evidence.ts";
import { findLogic } from "./logic-state.ts";
import { type LogicOperation, logicOfOperation } from "./operation-logic.ts";
import { staticReport, staticReportSchema } from "./static-report.ts";

/**
 * L-8: what a person must have been able to see before a change of logic is approved, made for exactly one digest. The place
 * follows from the digest and is created once, so an edited proposal has none, and nobody can put another in its place.
 */
export const logicReport = z
  .strictObject({
    kind: z.enum(["no-recordings", "counterfactual"]),
    digest: z.string().regex(/^[0-9a-f]{40}$/),
    proposal: z.string(),
    agent: z.string(),
    made_at: z.iso.datetime(),
    static: staticReportSchema,
    /** What recorded runs would have done; only where there are none it may be missing. */
    counterfactual: counterfactualReport.optional(),
  })
  .refine(({ kind, counterfactual }) => (kind === "counterfactual") === (counterfactual !== undefined));
export type LogicReport = z.infer<typeof logicReport>;

export interface RecordedReport {
  /** Of the report's content: what the decision names. */
  readonly id: string;
  readonly report: LogicReport;
}

/**
 * The report for a proposal, or undefined: then there is no approval. For an agent that had no recorded run when the proposal
 * was made there is nothing to replay, and the gateway itself says so ("no recordings"), for the first version and for
 * what the owner asked (L-6). All other reports are somebody's to make first.
 */
export async function logicReportFor(garden: Garden, proposal: Proposal): Promise<RecordedReport | undefined> {
  const { operation } = proposal;
  if (operation.action !== "logic-update" && operation.action !== "logic-rollback") return undefined;
  const there = await findReport(garden.store, proposal.digest);
  if (there) return there;
  if (!needsNoRecording(proposal)) return undefined;
  if (await hasRecordedRun(garden.store, operation.payload.agent, proposal.id)) return undefined;
  return recordReport(garden, proposal);
}

/** L-6: the first version, and what the owner asks, may come before anything was run. */
export function needsNoRecording({ operation, source }: Proposal): boolean {
  const first = operation.action === "logic-update" && operation.payload.currentVersion === undefined;
  return first || source.type === "owner";
}

export const changesLogic = ({ action }: Pick<Proposal, "action">): boolean =>
  action === "logic-update" || action === "logic-rollback";

/**
 * Whether an approval of a change of logic rests on a report for exactly its digest, whoever wrote the approval and however: what is
 * about to be applied is asked this once more, and `bloom verify` asks it of everything that was approved.
 */
export async function approvedWithReport(
  store: Store,
  proposal: Pick<Proposal, "action" | "approval" | "digest">,
): Promise<boolean> {
  const { approval, digest } = proposal;
  if (!changesLogic(proposal) || (approval?.decision !== "approved" && approval?.decision !== "auto_approved"))
    return true;
  if (approval.decision === "auto_approved" || approval.report === undefined) return false;
  return (await findReport(store, digest))?.id === approval.report;
}

/** Makes the report for a proposal, once; who comes second gets the first one's. Without a counterfactual it says "no recordings". */
export async function recordReport(
  garden: Garden,
  proposal: Proposal,
  counterfactual?: CounterfactualReport,
): Promise<RecordedReport> {
  const operation = proposal.operation as LogicOperation;
  const slug = operation.payload.agent;
  const head = await garden.repo.resolve(MAIN_REF);
  const contract = await garden.store.get(contractKey(slug));
  if (head === undefined || !contract) throw noGround(slug);
  const state = await findLogic(garden.repo, head, slug);
  const mainFile = mainFileOf(Buffer.from(contract.bytes).toString());
  const logic = await logicOfOperation(garden, head, operation, { state, mainFile });
  const report: LogicReport = logicReport.parse({
    kind: counterfactual ? "counterfactual" : "no-recordings",
    digest: proposal.digest,
    proposal: proposal.id,
    agent: slug,
    made_at: new Date(garden.world.now()).toISOString(),
    static: await staticReport(garden.store, slug, contract.bytes, { state, logic, mainFile }),
    ...(counterfactual && { counterfactual }),
  });
  await garden.store.create(keys.logicReport(proposal.digest), Buffer.from(`${JSON.stringify(report, null, 2)}\n`));
  const recorded = await findReport(garden.store, proposal.digest);
  if (!recorded) throw noGround(slug);
  return recorded;
}

/** The report about this digest. One that does not say so itself is none. */
export async function findReport(store: Store, digest: string): Promise<RecordedReport | undefined> {
  const stored = /^[0-9a-f]{40}$/.test(digest) ? await store.get(keys.logicReport(digest)) : undefined;
  if (!stored) return undefined;
  try {
    const report = logicReport.parse(JSON.parse(Buffer.from(stored.bytes).toString()));
    return report.digest === digest ? { id: canonicalId(report), report } : undefined;
  } catch {
    return undefined;
  }
}

const noGround = (slug: string): Failure =>
  new Failure(
    "NOT_FOUND",
    { en: `there is no agent ${slug} to report about`, uk: `немає агента ${slug}, про якого звітувати` },
    { details: { agent: slug } },
  );
