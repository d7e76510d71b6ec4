import { z } from "zod";
import { asFailure, Failure, failureTable } from "../../base/failure.ts";
import type { Language } from "../../base/text.ts";
import { DEFAULT_GRACE_S, MAX_GRACE_S } from "../../domain/config/garden-config.ts";
import { type Identity, slugField } from "../../domain/identity.ts";
import { actions } from "../../domain/proposal/action.ts";
import { type Proposal } from "../../domain/proposal/proposal.ts";
import { proposalStates } from "../../domain/proposal/proposal-state.ts";
import { withWaiting } from "../../garden/changes/apply/apply-proposal.ts";
import { proposeRevert } from "../../garden/changes/apply/propose-revert.ts";
import { checkedSources, sourceStates } from "../../garden/changes/effect/checked-sources.ts";
import { reviewProposal } from "../../garden/changes/effect/review.ts";
import { boundedReview } from "../../garden/changes/effect/review-pages.ts";
import { decide, decideBatch, MAX_BATCH, retryApply } from "../../garden/changes/proposals/decide.ts";
import { editAndApprove } from "../../garden/changes/proposals/edit-and-approve.ts";
import { reportNotNamed } from "../../garden/changes/proposals/failures.ts";
import { groupPending, listHistory, listPending } from "../../garden/changes/proposals/list-proposals.ts";
import { remarksOn } from "../../garden/changes/proposals/remarks.ts";
import { withdrawApproval } from "../../garden/changes/proposals/withdraw.ts";
import { currentSettings } from "../../garden/core/access/current-settings.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { ensureLogicReport, noReport, reportPicture } from "../../garden/insight/learning/logic-report.ts";
import { changesLogic, findReport, logicReport, type RecordedReport } from "../../garden/records/logic/report-gate.ts";
import { readProposal } from "../../garden/records/proposals/proposal-log.ts";
import { sendBack, sendBackBatch } from "../../garden/runs/send-back.ts";
import { INTERNAL_ERROR_TEXT } from "../failures.ts";
import { cardPage, groupsAnswer, proposalAnswer, remarkAnswer, reviewAnswer } from "../proposal-shapes.ts";
import { type Route, route } from "../route.ts";
import { digest, month, pageQuery, proposalId, textShape } from "../shapes.ts";
import { isFrom, notYours, withoutOp } from "./proposal-parts.ts";

const params = z.strictObject({ id: proposalId });
const note = z.string().min(1).max(2000).optional();
/** P-6a: seconds until an approval is applied; by default `limits.approval_grace_seconds` for a browser, none for a token. */
const grace_s = z.int().min(0).max(MAX_GRACE_S).optional();

/** The filter of pending proposals. */
const pendingQuery = {
  agent: slugField.optional(),
  action: z.enum(actions).optional(),
  run: z.string().min(1).max(100).optional(),
  /** The path that it would change: `logic/gardener`. */
  target: z.string().min(1).max(1000).optional(),
  text: z.string().max(200).optional(),
};

/** `mainFile` is the agent's own diagram; icons of other files belong to diagrams that it calls. */
const reportAnswer = z.object({ report: logicReport, mainFile: z.string(), svg: z.string().optional() });

export const proposalRoutes: readonly Route[] = [
  route("GET /proposals/pending", {
    summary: { en: "pending proposals; an agent sees its own", uk: "пропозиції, що чекають; агент бачить свої" },
    allows: ["owner", "agent"],
    query: z.strictObject({ ...pageQuery, ...pendingQuery }),
    answer: cardPage,
    handle: ({ garden, query, identity }) => listPending(garden, { ...query, ...ownOnly(identity) }),
  }),
  route("GET /proposals/groups", {
    summary: {
      en: "pending proposals by sender and run, with the number of each group and its first proposals",
      uk: "пропозиції, що чекають, за автором і запуском: скільки їх у групі та перші з них",
    },
    allows: ["owner", "agent"],
    query: z.strictObject(pendingQuery),
    answer: groupsAnswer,
    async handle({ garden, query, identity }) {
      const { groups, isWhole } = await groupPending(garden, { ...query, ...ownOnly(identity) });
      return { groups, whole: isWhole };
    },
  }),
  route("GET /proposals/history", {
    summary: { en: "decided proposals; an agent sees its own", uk: "вирішені пропозиції; агент бачить свої" },
    allows: ["owner", "agent"],
    query: z.strictObject({
      ...pageQuery,
      agent: slugField.optional(),
      status: z.enum(proposalStates).exclude(["pending", "applying", "auto_approved"]).optional(),
      month: month.optional(),
    }),
    answer: cardPage,
    async handle({ garden, query, identity }) {
      const page = await listHistory(garden, { ...query, ...ownOnly(identity) });
      return { ...page, proposals: [...(await withWaiting(garden, page.proposals))] };
    },
  }),
  route("POST /proposals/batch", {
    summary: {
      en: `one verdict on up to ${MAX_BATCH}, each on its own; never on logic or merges (P-10)`,
      uk: `один вердикт на ${MAX_BATCH} щонайбільше, кожна окремо; ніколи не логіка й не злиття (P-10)`,
    },
    allows: ["owner"],
    body: z.strictObject({
      verdict: z.enum(["approve", "reject", "revise"]),
      proposals: z
        .array(z.strictObject({ id: proposalId, digest }))
        .min(1)
        .max(MAX_BATCH),
      note,
      grace_s,
    }),
    answer: z.object({
      results: z.array(
        z.object({
          id: z.string(),
          status: z.int(),
          proposal: proposalAnswer.optional(),
          error: z
            .object({ code: z.string(), message: textShape, details: z.record(z.string(), z.unknown()) })
            .optional(),
        }),
      ),
    }),
    async handle({ garden, body, identity: by }) {
      const { grace_s: grace, verdict, ...batch } = body;
      if (verdict === "revise") {
        const sent = await sendBackBatch(garden, { ...batch, by });
        return { results: sent.map(({ id, proposal, failure }) => ({ id, ...batchResult(proposal, failure) })) };
      }
      const results = await decideBatch(garden, { ...batch, verdict, by, graceMs: await graceFor(garden, by, grace) });
      return { results: results.map(({ id, proposal, failure }) => ({ id, ...batchResult(proposal, failure) })) };
    },
  }),
  route("GET /proposals/:id", {
    summary: {
      en: "one proposal; for the owner with its effect, computed from the operation (P-10a)",
      uk: "одна пропозиція; для власника — з тим, що вона зробила б зараз, за самою операцією (P-10a)",
    },
    allows: ["owner", "agent"],
    params,
    /** `report_pending`: the report of a logic change does not exist yet. A chore makes it, or `POST …/report` at once. */
    answer: z.object({
      proposal: proposalAnswer,
      review: reviewAnswer.optional(),
      /** P-10c: remarks, oldest first. */
      remarks: z.array(remarkAnswer).optional(),
      /** P-5a: whether each citation of the review was found in the garden. */
      sources: z.array(z.enum(sourceStates)).optional(),
      report: logicReport.optional(),
      /** L-8: an approval of a change of logic names it. */
      report_id: z.string().optional(),
      report_pending: z.literal(true).optional(),
    }),
    async handle({ garden, params: { id }, identity }) {
      const [proposal] = (await withWaiting(garden, [await readProposal(garden.store, id)])) as [Proposal];
      if (identity.type === "agent" && !isFrom(proposal, identity)) throw notYours(id);
      if (identity.type !== "owner") return { proposal };
      const review = boundedReview(await reviewProposal(garden, proposal));
      const remarks = (await remarksOn(garden.store, id)).map(withoutOp);
      const sources = [...(await checkedSources(garden, review.words.citations, review.head))];
      const recorded = changesLogic(proposal) ? await findReport(garden.store, proposal.digest) : undefined;
      if (recorded) return { proposal, review, remarks, sources, report: recorded.report, report_id: recorded.id };
      return { proposal, review, remarks, sources, ...(awaitsReport(proposal) && { report_pending: true as const }) };
    },
  }),
  route("GET /proposals/:id/report", {
    summary: {
      en: "the report of a logic change: recorded runs replayed against it, with a picture of where they diverge (L-8)",
      uk: "про зміну логіки: як за нею повелися б записані запуски, з малюнком місць розходження (L-8)",
    },
    allows: ["owner"],
    params,
    answer: reportAnswer,
    async handle({ garden, params: { id }, language }) {
      const proposal = await readProposal(garden.store, id);
      const recorded = changesLogic(proposal) ? await findReport(garden.store, proposal.digest) : undefined;
      return answerWith(garden, proposal, recorded, language);
    },
  }),
  route("POST /proposals/:id/report", {
    summary: {
      en: "makes the report of a change of logic now, if it does not exist yet, and answers with it (L-8)",
      uk: "складає звіт про зміну логіки зараз, якщо його ще немає, і відповідає ним (L-8)",
    },
    allows: ["owner"],
    params,
    answer: reportAnswer,
    async handle({ garden, params: { id }, language }) {
      const proposal = await readProposal(garden.store, id);
      return answerWith(garden, proposal, await ensureLogicReport(garden, proposal), language);
    },
  }),
  route("PATCH /proposals/:id", {
    summary: {
      en: "approve, reject, send back for a revision (P-10c), edit and approve, or retry; a decision names the reviewed digest, a rejection its reason",
      uk: "схвалити, відхилити, повернути на доопрацювання (P-10c), виправити й схвалити або повторити; рішення називає побачений digest, відмова — причину",
    },
    allows: ["owner"],
    params,
    bodySize: "submission",
    body: z.discriminatedUnion("verdict", [
      z.strictObject({
        verdict: z.literal("approve"),
        digest,
        note,
        grace_s,
        report: z.string().max(100).optional(),
        /** Only these files of a merge; `digest` is that of the whole review. */
        files: z.array(z.string().min(1).max(1100)).min(1).max(10_000).optional(),
      }),
      z.strictObject({ verdict: z.literal("reject"), digest, note: z.string().min(1).max(2000) }),
      z.strictObject({ verdict: z.literal("revise"), digest, note }),
      z.strictObject({ verdict: z.literal("edit"), digest, note, grace_s, payload: z.record(z.string(), z.json()) }),
      z.strictObject({ verdict: z.literal("retry") }),
    ]),
    /** After an edit, `proposal` is the new one and `first` the one that it took the place of. */
    answer: z.object({ proposal: proposalAnswer, first: proposalAnswer.optional() }),
    async handle({ garden, params: { id: proposal }, body, identity: by }) {
      if (body.verdict === "retry") return { proposal: await retryApply(garden, { proposal, by }) };
      if (body.verdict === "edit") {
        const { digest: seen, payload, note: why } = body;
        const graceMs = await graceFor(garden, by, body.grace_s);
        const edit = { proposal, digest: seen, payload, by, note: why, graceMs };
        const { first, edited } = await editAndApprove(garden, edit);
        return { proposal: edited, first };
      }
      if (body.verdict === "revise")
        return { proposal: await sendBack(garden, { proposal, by, digest: body.digest, note: body.note }) };
      if (body.verdict === "reject") return { proposal: await decide(garden, { proposal, by, ...body }) };
      const { grace_s: grace, ...approval } = body;
      if (approval.report === undefined && changesLogic(await readProposal(garden.store, proposal)))
        throw reportNotNamed(proposal);
      const graceMs = await graceFor(garden, by, grace);
      return { proposal: await decide(garden, { proposal, by, ...approval, graceMs }) };
    },
  }),
  route("POST /proposals/:id/withdraw", {
    summary: {
      en: "withdraws an approval within its grace: the proposal is pending again (P-6a); idempotent",
      uk: "відкликає схвалення, доки його не застосовано: пропозиція знову чекає (P-6a); повтор безпечний",
    },
    allows: ["owner"],
    params,
    answer: z.object({ proposal: proposalAnswer }),
    handle: async ({ garden, params: { id: proposal }, identity: by }) => ({
      proposal: await withdrawApproval(garden, { proposal, by }),
    }),
  }),
  route("POST /proposals/:id/revert", {
    summary: {
      en: "proposes the inverse of an applied proposal (P-10b); with `approve` also approves and applies it, except for logic",
      uk: "пропонує зміну, зворотну до застосованої (P-10b); з `approve` також схвалює і застосовує її, крім логіки",
    },
    allows: ["owner"],
    params,
    status: 201,
    body: z.strictObject({ reason: note, approve: z.boolean().optional() }),
    answer: z.object({ proposal: proposalAnswer }),
    async handle({ garden, params: { id }, body, identity: by }) {
      const received = await proposeRevert(garden, { proposal: id, by, reason: body.reason });
      if (received.kind === "refused") throw received.failure;
      const { proposal } = received;
      if (body.approve !== true || proposal.status !== "pending" || changesLogic(proposal)) return { proposal };
      const { digest: own } = proposal;
      return { proposal: await decide(garden, { proposal: proposal.id, verdict: "approve", digest: own, by }) };
    },
  }),
];

/** P-6a: in milliseconds. A browser session has a grace unless the request or the setting says otherwise, a script has none. */
async function graceFor(garden: Garden, by: Identity, asked: number | undefined): Promise<number> {
  if (asked !== undefined) return asked * 1000;
  if (by.type !== "owner" || by.via !== "session") return 0;
  const { limits } = await currentSettings(garden);
  return (limits.approval_grace_seconds ?? DEFAULT_GRACE_S) * 1000;
}

const awaitsReport = (proposal: Proposal): boolean =>
  changesLogic(proposal) && (proposal.status === "pending" || proposal.status === "failed");

async function answerWith(
  garden: Garden,
  proposal: Proposal,
  recorded: RecordedReport | undefined,
  language: Language,
): Promise<z.infer<typeof reportAnswer>> {
  if (!recorded) throw noReport(proposal.id);
  const { report } = recorded;
  return { report, ...(await reportPicture(garden, proposal, report.counterfactual ?? { icons: [] }, { language })) };
}

function batchResult(proposal: Proposal | undefined, thrown: Failure | undefined) {
  if (!thrown) return { status: 200, proposal };
  const { code, text: message, details } = asFailure(thrown);
  const inner = code === "INTERNAL_ERROR";
  return {
    status: failureTable[code].status,
    error: { code, message: inner ? INTERNAL_ERROR_TEXT : message, details: inner ? {} : details },
  };
}

/** Restricts the lists of an agent to its own proposals. */
const ownOnly = (identity: Identity): { agent?: string } => (identity.type === "agent" ? { agent: identity.slug } : {});
