import { z } from "zod";
import { canonicalId } from "../../../base/canonical.ts";
import { Failure } from "../../../base/failure.ts";
import { contractKey, keys } from "../../../domain/layout.ts";
import { type CounterfactualReport, counterfactualReport } from "../../../domain/logic/counterfactual-report.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { Store } from "../../../ports/store.ts";
import { createOrFind } from "../../core/flow/create-record.ts";
import type { Garden } from "../../core/garden.ts";
import { jsonBytes, tryReadJson } from "../../core/json-record.ts";
import { headOf } from "../../core/main-head.ts";
import { mainFileOf } from "./contract-origin.ts";
import { hasRecordedRun } from "./evidence.ts";
import { findLogic } from "./logic-state.ts";
import { type LogicOperation, logicOfOperation } from "./operation-logic.ts";
import { staticReport, staticReportSchema } from "./static-report.ts";

/**
 * L-8: the report that a person must be able to see before approving a change of logic, made for exactly one digest. Its key is
 * derived from the digest and create-only: an edited proposal has no report yet, and a report cannot be replaced.
 */
export const logicReport = z
  .strictObject({
    kind: z.enum(["no-recordings", "counterfactual"]),
    digest: z.string().regex(/^[0-9a-f]{40}$/),
    proposal: z.string(),
    agent: z.string(),
    made_at: z.iso.datetime(),
    static: staticReportSchema,
    /** The replay of recorded runs; missing only if there are none. */
    counterfactual: counterfactualReport.optional(),
  })
  .refine(({ kind, counterfactual }) => (kind === "counterfactual") === (counterfactual !== undefined));
export type LogicReportRecord = z.infer<typeof logicReport>;

export interface RecordedReport {
  /** The hash of the report's content, which the decision names. */
  readonly id: string;
  readonly report: LogicReportRecord;
}

/**
 * The report for a proposal; undefined means that it cannot be approved. If the agent had no recorded run when the proposal was
 * made, a "no recordings" report is made here, for the first version and for the owner's changes (L-6). All other reports
 * must have been made before (`ensureLogicReport`).
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

/** L-6: the first version and the owner's changes need no recorded run. */
export function needsNoRecording({ operation, source }: Proposal): boolean {
  const first = operation.action === "logic-update" && operation.payload.currentVersion === undefined;
  return first || source.type === "owner";
}

export const changesLogic = ({ action }: Pick<Proposal, "action">): boolean =>
  action === "logic-update" || action === "logic-rollback";

/**
 * True if the approval of a change of logic names a report for exactly its digest. Checked again before it is applied, because
 * an approval could have been written around the gate, and by `bloom verify` for everything that was approved.
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

/** Makes the report for a proposal. Idempotent: a second call returns the first report. Without a counterfactual it says "no recordings". */
export async function recordReport(
  garden: Garden,
  proposal: Proposal,
  counterfactual?: CounterfactualReport,
): Promise<RecordedReport> {
  const operation = proposal.operation as LogicOperation;
  const slug = operation.payload.agent;
  const head = await headOf(garden.repo);
  const contract = await garden.store.get(contractKey(slug));
  if (!contract) throw noAgentToReport(slug);
  const state = await findLogic(garden.repo, head, slug);
  const mainFile = mainFileOf(Buffer.from(contract.bytes).toString());
  const logic = await logicOfOperation(garden, head, operation, { state, mainFile });
  const report: LogicReportRecord = logicReport.parse({
    kind: counterfactual ? "counterfactual" : "no-recordings",
    digest: proposal.digest,
    proposal: proposal.id,
    agent: slug,
    made_at: new Date(garden.world.now()).toISOString(),
    static: await staticReport(garden.store, slug, contract.bytes, { state, logic, mainFile }),
    ...(counterfactual && { counterfactual }),
  });
  await createOrFind(garden.store, keys.logicReport(proposal.digest), jsonBytes(report));
  const recorded = await findReport(garden.store, proposal.digest);
  if (!recorded) throw noAgentToReport(slug);
  return recorded;
}

/** The report for this digest; a report that names another digest is ignored. */
export async function findReport(store: Store, digest: string): Promise<RecordedReport | undefined> {
  const stored = /^[0-9a-f]{40}$/.test(digest) ? await store.get(keys.logicReport(digest)) : undefined;
  const report = tryReadJson(stored?.bytes, logicReport);
  return report?.digest === digest ? { id: canonicalId(report), report } : undefined;
}

const noAgentToReport = (slug: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `there is no agent ${slug} to report about`,
    uk: `немає агента ${slug}, про якого звітувати`,
    details: { agent: slug },
  });
