import { z } from "zod";
import type { Identity } from "../../domain/identity.ts";
import { recallLimits, recallModes } from "../../domain/memory/memory-limits.ts";
import { memoryFacts } from "../../garden/agents/memory/memory-facts.ts";
import { memoryHistory } from "../../garden/agents/memory/memory-history.ts";
import { recall } from "../../garden/agents/memory/recall.ts";
import { searchMemory } from "../../garden/agents/memory/search-memory.ts";
import { receive } from "../../garden/changes/inbox/receive.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { headOf } from "../../garden/core/main-head.ts";
import { readAgent } from "../../garden/records/agents/read-agent.ts";
import { memoryDiff } from "../../garden/records/memory/memory-diff.ts";
import { factsIn, recordUse } from "../../garden/records/memory/memory-use.ts";
import { readReport } from "../../garden/records/memory/run-reports.ts";
import { otherAgentInBody } from "../failures.ts";
import { type Route, route } from "../route.ts";
import { agentParams, wholeNumber } from "../shapes.ts";
import { expectOwnAgent } from "./agents.ts";
import { receivedAnswer, receivedBody } from "./inbox.ts";

const day = z.iso.date({ error: "date" });
const moment = z
  .union([z.string().regex(/^[0-9a-f]{4,40}$/), z.iso.date(), z.iso.datetime({ offset: true })], { error: "moment" })
  .meta({ description: "a commit (or its beginning), a day, or a time" });
const counted = z.object({ file: z.string(), added: z.int(), removed: z.int() });

export const memoryRoutes: readonly Route[] = [
  route("GET /memory/:agentId/read", {
    summary: {
      en: "read-memory: an agent's memory within the token limit of the mode; layer 2 only in deep and temporal (M-3)",
      uk: "read-memory: що агент знає, у межах режиму; шар 2 — лише в deep і temporal (M-3)",
    },
    allows: ["owner", "agent"],
    params: agentParams,
    query: z.strictObject({ mode: z.enum(recallModes).default("basic"), from: day.optional(), to: day.optional() }),
    answer: z.object({
      agentId: z.string(),
      commit: z.string(),
      mode: z.enum(recallModes),
      version: z.int(),
      values: z.record(z.string(), z.json()),
      parts: z.record(z.string(), z.string()),
      tokens: z.int(),
      limit: z.int(),
      cut: z.array(z.string()),
    }),
    async handle({ garden, params: { agentId }, query: { mode, from, to }, identity }) {
      await expectMemory(garden, identity, agentId);
      const commit = await headOf(garden.repo);
      const recalled = await recall(garden.repo, commit, agentId, mode, { from, to });
      await recordAgentUse(garden, identity, {
        slug: agentId,
        at: commit,
        facts: factsIn(recalled.parts["facts"] ?? ""),
      });
      return { agentId, commit, ...recalled, limit: recallLimits[mode] };
    },
  }),
  route("GET /memory/:agentId/search", {
    summary: {
      en: "search-memory: facts, open loops and sentences by words; `deep=true` searches layer 2 too",
      uk: "search-memory: факти, питання й речення за словами; `deep=true` шукає і в шарі 2",
    },
    allows: ["owner", "agent"],
    params: agentParams,
    query: z.strictObject({
      q: z.string().min(1).max(2000),
      limit: wholeNumber(20, 100),
      deep: z.enum(["true", "false"]).default("false"),
    }),
    answer: z.object({
      agentId: z.string(),
      commit: z.string(),
      hits: z.array(
        z.object({
          file: z.string(),
          section: z.string().nullable(),
          text: z.string(),
          id: z.string().optional(),
          covers: z.number(),
        }),
      ),
      total: z.int(),
      tokens: z.int(),
    }),
    async handle({ garden, params: { agentId }, query: { q, limit, deep }, identity }) {
      await expectMemory(garden, identity, agentId);
      const commit = await headOf(garden.repo);
      const found = await searchMemory(garden.repo, commit, agentId, { query: q, limit, deep: deep === "true" });
      const facts = found.hits.flatMap(({ file, id }) => (file === "facts.md" && id !== undefined ? [id] : []));
      await recordAgentUse(garden, identity, { slug: agentId, at: commit, facts });
      return { agentId, commit, ...found };
    },
  }),
  route("GET /memory/:agentId/facts", {
    summary: {
      en: "every fact with its origin: since when, from whom, when last used (M-2a)",
      uk: "усі факти з їхнім минулим: відколи, від кого, коли востаннє знадобилися (M-2a)",
    },
    allows: ["owner", "agent"],
    params: agentParams,
    answer: z.object({
      agentId: z.string(),
      commit: z.string(),
      facts: z.array(
        z.object({
          id: z.string(),
          text: z.string(),
          section: z.string().nullable(),
          since: z.string(),
          commit: z.string(),
          author: z.string(),
          byHand: z.boolean(),
          proposal: z.string().nullable(),
          lastUsed: z.string().nullable(),
          stale: z.boolean(),
        }),
      ),
    }),
    async handle({ garden, params: { agentId }, identity }) {
      await expectMemory(garden, identity, agentId);
      const commit = await headOf(garden.repo);
      return { agentId, commit, facts: await memoryFacts(garden, commit, agentId) };
    },
  }),
  route("GET /memory/:agentId/diff", {
    summary: {
      en: "memory-diff: what changed between two commits or dates; without `to`: until now (M-5)",
      uk: "memory-diff: що змінилося між двома комітами чи датами; без `to` — дотепер (M-5)",
    },
    allows: ["owner", "agent"],
    params: agentParams,
    query: z.strictObject({ from: moment, to: moment.optional() }),
    answer: z.object({
      agentId: z.string(),
      from: z.string().nullable(),
      to: z.string(),
      files: z.array(counted),
      diff: z.string(),
    }),
    async handle({ garden, params: { agentId }, query: { from, to }, identity }) {
      await expectMemory(garden, identity, agentId);
      const found = await memoryDiff(garden.repo, { slug: agentId, from, to, at: await headOf(garden.repo) });
      return { ...found, from: found.from ?? null };
    },
  }),
  route("GET /memory/:agentId/history", {
    summary: {
      en: "every change of an agent's memory and its author: a proposal, a person, bookkeeping; newest first",
      uk: "усі зміни пам'яті агента і чиї вони: пропозиції, самої людини, обліку; найновіші перші",
    },
    allows: ["owner", "agent"],
    params: agentParams,
    query: z.strictObject({ limit: wholeNumber(20, 200) }),
    answer: z.object({
      agentId: z.string(),
      changes: z.array(
        z.object({
          commit: z.string(),
          at: z.string(),
          by: z.enum(["proposal", "hand", "bookkeeping"]),
          author: z.string(),
          subject: z.string(),
          version: z.int(),
          proposal: z.string().nullable(),
          run: z.string().nullable(),
          files: z.array(counted),
        }),
      ),
    }),
    async handle({ garden, params: { agentId }, query: { limit }, identity }) {
      await expectMemory(garden, identity, agentId);
      return { agentId, changes: await memoryHistory(garden.repo, await headOf(garden.repo), agentId, { limit }) };
    },
  }),
  route("GET /memory/:agentId/runs/:run", {
    summary: {
      en: "the report of a run in memory: from git, or from the store once it is old",
      uk: "що запуск лишив у пам'яті: з git або, якщо давній, зі сховища",
    },
    allows: ["owner", "agent"],
    params: agentParams.extend({ run: z.string().regex(/^run_[a-zA-Z0-9_-]{1,100}$/, { error: "run" }) }),
    answer: z.object({ agentId: z.string(), run: z.string(), text: z.string(), from: z.enum(["git", "store"]) }),
    async handle({ garden, params: { agentId, run }, identity }) {
      await expectMemory(garden, identity, agentId);
      return readReport(garden, await headOf(garden.repo), agentId, run);
    },
  }),
  route("POST /memory/:agentId/propose", {
    summary: {
      en: "propose-memory-update: operations for the version that was read; a stale one merges or is refused (M-4)",
      uk: "propose-memory-update: операції до прочитаної версії; застаріла зливається або отримує відмову (M-4)",
    },
    allows: ["owner", "agent"],
    rate: "submit",
    bodySize: "submission",
    params: agentParams,
    /** Validated by the inbox gate, which reports all problems at once. */
    body: z.record(z.string(), z.json()),
    answer: receivedAnswer,
    status: 201,
    async handle({ garden, params: { agentId }, body, identity, correlation }) {
      const { agentId: _, agent: __, summary, reasoning, ...payload } = body;
      if ([body["agentId"], body["agent"]].some((name) => name !== undefined && name !== agentId))
        throw otherAgentInBody(agentId);
      const received = await receive(garden, {
        identity,
        action: "memory-update",
        target: agentId,
        payload: { ...payload, agent: agentId },
        ...(typeof summary === "string" && { summary: summary.slice(0, 500) }),
        ...(typeof reasoning === "string" && { reasoning: reasoning.slice(0, 20_000) }),
        ...(correlation.brought && { correlation_id: correlation.id }),
      });
      return receivedBody(received);
    },
  }),
];

/** M-6: the owner reads every memory; an agent its own and those in `reads_memory_of` of its contract. */
async function expectMemory(garden: Garden, identity: Identity, slug: string): Promise<void> {
  if (identity.type !== "agent" || identity.slug === slug) return;
  const { contract } = await readAgent(garden.store, identity.slug);
  if (!contract.reads_memory_of.includes(slug)) expectOwnAgent(identity, slug);
}

/** M-2a: records that an agent was given these facts. A person who browses does not count as use. */
async function recordAgentUse(
  garden: Garden,
  identity: Identity,
  used: Parameters<typeof recordUse>[1],
): Promise<void> {
  if (identity.type === "agent") await recordUse(garden, used);
}
