import { z } from "zod";
import { Failure } from "../../base/failure.ts";
import type { Identity } from "../../domain/identity.ts";
import type { Proposal } from "../../domain/proposal/proposal.ts";
import { MAX_REMARK, type Remark, remarkPlace } from "../../domain/proposal/remark.ts";
import { changedFile } from "../../garden/changes/effect/changed-file.ts";
import { proposedConflicts } from "../../garden/changes/effect/merge-conflicts.ts";
import { reviewProposal } from "../../garden/changes/effect/review.ts";
import { reviewPage } from "../../garden/changes/effect/review-pages.ts";
import { addRemark, remarksOn } from "../../garden/changes/proposals/remarks.ts";
import { resolveMerge } from "../../garden/changes/proposals/resolve-merge.ts";
import { readProposal } from "../../garden/records/proposals/proposal-log.ts";
import { fileSide, proposalAnswer, remarkAnswer, reviewFileAnswer } from "../proposal-shapes.ts";
import { type Route, route } from "../route.ts";
import { shownConflict } from "../session-shapes.ts";
import { proposalId } from "../shapes.ts";

const params = z.strictObject({ id: proposalId });

/** The files and the remarks of one proposal. */
export const proposalPartRoutes: readonly Route[] = [
  route("GET /proposals/:id/file", {
    summary: {
      en: "a file of the review whole, before and after the change; up to 1 MiB",
      uk: "файл зміни повністю, до і після неї; до 1 МіБ",
    },
    allows: ["owner"],
    params,
    query: z.strictObject({ path: z.string().min(1).max(1100) }),
    answer: z.object({ before: fileSide.optional(), after: fileSide.optional() }),
    handle: async ({ garden, params: { id }, query }) =>
      changedFile(garden, await readProposal(garden.store, id), query.path),
  }),
  route("GET /proposals/:id/files", {
    summary: {
      en: "the files of a review with their patches, in pages of at most 200; `next` continues",
      uk: "файли зміни з патчами, сторінками не більше 200; `next` веде далі",
    },
    allows: ["owner"],
    params,
    query: z.strictObject({
      after: z.string().min(1).max(1100).optional(),
      limit: z.coerce.number().int().min(1).max(200).optional(),
    }),
    answer: z.object({
      files: z.array(reviewFileAnswer),
      total: z.int(),
      next: z.string().optional(),
    }),
    handle: async ({ garden, params: { id }, query }) =>
      reviewPage(await reviewProposal(garden, await readProposal(garden.store, id)), query),
  }),
  route("GET /proposals/:id/conflicts", {
    summary: {
      en: "the files in which a proposed merge conflicts with main, whole and with markers (S-5)",
      uk: "файли, у яких запропоноване злиття розходиться з main, цілі й з позначками (S-5)",
    },
    allows: ["owner"],
    params,
    answer: z.object({ ours: z.string(), theirs: z.string(), conflicts: z.array(shownConflict) }),
    handle: async ({ garden, params: { id } }) => proposedConflicts(garden, await readProposal(garden.store, id)),
  }),
  route("POST /proposals/:id/resolve", {
    summary: {
      en: "resolves the conflicts of a merge: a text per file in conflict (null removes it); makes a new proposal in place of this one (S-5)",
      uk: "розв'язує конфлікти злиття: текст для кожного файлу з конфліктом (null видаляє його); нова пропозиція замість цієї (S-5)",
    },
    allows: ["owner"],
    params,
    status: 201,
    bodySize: "submission",
    body: z.strictObject({
      files: z.record(z.string().min(1).max(1100), z.string().nullable()),
      note: z.string().max(2000).optional(),
    }),
    /** `proposal` is the new one, `first` the one that it took the place of. */
    answer: z.object({ proposal: proposalAnswer, first: proposalAnswer }),
    handle: async ({ garden, params: { id: proposal }, body, identity: by }) =>
      resolveMerge(garden, { proposal, by, ...body }),
  }),
  route("GET /proposals/:id/remarks", {
    summary: {
      en: "remarks on a proposal, oldest first (P-10c)",
      uk: "зауваження до пропозиції, від старіших (P-10c)",
    },
    allows: ["owner", "agent"],
    params,
    answer: z.object({ remarks: z.array(remarkAnswer) }),
    async handle({ garden, params: { id }, identity }) {
      const proposal = await readProposal(garden.store, id);
      if (identity.type === "agent" && !isFrom(proposal, identity)) throw notYours(id);
      return { remarks: (await remarksOn(garden.store, id)).map(withoutOp) };
    },
  }),
  route("POST /proposals/:id/remarks", {
    summary: {
      en: "adds a remark on a proposal, or on a line of its change, without deciding (P-10c); idempotent with a key",
      uk: "додає зауваження до пропозиції або до рядка її зміни, нічого не вирішуючи (P-10c); із ключем повтор безпечний",
    },
    allows: ["owner", "agent"],
    params,
    status: 201,
    body: z.strictObject({
      text: z.string().min(1).max(MAX_REMARK),
      place: remarkPlace.optional(),
      key: z.string().min(1).max(200).optional(),
    }),
    answer: z.object({ remark: remarkAnswer }),
    async handle({ garden, params: { id: proposal }, body, identity: by }) {
      if (by.type === "agent" && !isFrom(await readProposal(garden.store, proposal), by)) throw notYours(proposal);
      return { remark: withoutOp(await addRemark(garden, { proposal, by, ...body })) };
    },
  }),
];

/** A remark as it is answered: the key of the request stays inside. */
export function withoutOp(said: Remark): Omit<Remark, "op"> {
  const { op: _, ...shown } = said;
  return shown;
}

export const isFrom = ({ source }: Proposal, identity: Extract<Identity, { type: "agent" }>): boolean =>
  source.type === "agent" && source.identity === identity.slug;

/** NOT_FOUND, so that an agent learns nothing about the proposals of others. */
export const notYours = (id: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `there is no proposal ${id}`,
    uk: `немає пропозиції ${id}`,
    details: { proposal: id },
  });
