import { z } from "zod";
import { agentStates } from "../../domain/contract/agent-state.ts";
import type { Identity } from "../../domain/identity.ts";
import { actions } from "../../domain/proposal/action.ts";
import { listArtifacts, readArtifact } from "../../garden/agents/artifacts.ts";
import { contractReport } from "../../garden/agents/contract-report.ts";
import { editContract } from "../../garden/agents/edit-contract.ts";
import { agentTroubles } from "../../garden/agents/lifecycle/agent-troubles.ts";
import { changeAgentStatus } from "../../garden/agents/lifecycle/change-status.ts";
import { deleteAgent } from "../../garden/agents/lifecycle/delete-agent.ts";
import { changeSafeOutput } from "../../garden/agents/safe-outputs.ts";
import { currentSettings } from "../../garden/core/access/current-settings.ts";
import { approvesOwnValues, setOwnValuesRule } from "../../garden/core/access/own-values.ts";
import { flowerFacts } from "../../garden/records/agents/flower-facts.ts";
import { readAgent } from "../../garden/records/agents/read-agent.ts";
import { readRegistry, registry } from "../../garden/records/agents/registry.ts";
import { notOwnAgent } from "../failures.ts";
import { type Route, route } from "../route.ts";
import { contractChecks, slugParams, textShape } from "../shapes.ts";

export const agentRoutes: readonly Route[] = [
  /** `/agents`, and `/agents/list` of source 003. */
  ...(["GET /agents", "GET /agents/list"] as const).map((endpoint) =>
    route(endpoint, {
      summary: { en: "all agents of the registry", uk: "усі агенти, як їх подає реєстр" },
      allows: ["owner"],
      answer: z.object({
        ...registry.shape,
        agents: z.array(
          registry.shape.agents.element.extend({
            /** Empty if the contract cannot be read. */
            created_at: z.string(),
            updated_at: z.string(),
            description: z.string(),
            model: z.string(),
            cron: z.string().nullable(),
            events: z.array(z.string()),
            /** Applied proposals of the agent. */
            approvals: z.int(),
          }),
        ),
        /** C-7: agents that stopped, and why. */
        troubles: z.array(z.object({ slug: z.string(), since: z.string().optional(), why: textShape })),
      }),
      async handle({ garden }) {
        const { agents, ...rest } = await readRegistry(garden);
        const facts = await flowerFacts(
          garden.store,
          agents.map(({ slug }) => slug),
        );
        return {
          ...rest,
          agents: agents.map((agent) => ({ ...agent, ...facts.get(agent.slug)! })),
          troubles: await agentTroubles(garden),
        };
      },
    }),
  ),
  route("PUT /agents/:slug/contract", {
    summary: {
      en: "replaces a contract by a checked text; `base` is the hash of the text that was edited, 409 if it is not the present one (C-3, C-9)",
      uk: "замінює контракт перевіреним текстом; `base` — хеш тексту, який правили; 409, якщо він уже інший (C-3, C-9)",
    },
    allows: ["owner"],
    params: slugParams,
    body: z.strictObject({ text: z.string(), base: z.string().max(100), reason: z.string().max(2000).optional() }),
    answer: z.object({
      slug: z.string(),
      hash: z.string(),
      contract: z.record(z.string(), z.unknown()),
      changed: z.boolean(),
      commit: z.string().optional(),
    }),
    handle: ({ garden, params: { slug }, body, identity }) => editContract(garden, { slug, ...body, by: identity }),
  }),
  route("DELETE /agents/:slug", {
    summary: {
      en: "deletes an archived agent; `confirm` repeats its slug. Its files stay in the history of git (C-6)",
      uk: "видаляє архівованого агента; `confirm` повторює його slug. Його файли лишаються в історії git (C-6)",
    },
    allows: ["owner"],
    params: slugParams,
    query: z.strictObject({ confirm: z.string().max(100), reason: z.string().max(2000).optional() }),
    answer: z.object({ slug: z.string(), removed: z.int() }),
    handle: ({ garden, params: { slug }, query: { confirm, reason }, identity }) =>
      deleteAgent(garden, { slug, confirm, reason, by: identity }),
  }),
  route("GET /agents/:slug", {
    summary: { en: "one agent's contract; an agent reads its own", uk: "контракт агента; агент читає свій" },
    allows: ["owner", "agent"],
    params: slugParams,
    answer: z.object({
      slug: z.string(),
      contract: z.record(z.string(), z.unknown()),
      body: z.string(),
      hash: z.string(),
      contract_hash: z.string(),
      /** P-9: for the owner: `approved` if a rule approves the values that the agent keeps for itself. */
      own_values: z.enum(["approved", "ask"]).optional(),
    }),
    async handle({ garden, params: { slug }, identity }) {
      expectOwnAgent(identity, slug);
      const { contract, body, hash, contractHash } = await readAgent(garden.store, slug);
      const agent = { slug, contract, body, hash, contract_hash: contractHash };
      if (identity.type !== "owner") return agent;
      return { ...agent, own_values: approvesOwnValues(await currentSettings(garden), slug) ? "approved" : "ask" };
    },
  }),
  route("GET /agents/:slug/contract", {
    summary: {
      en: "an agent's contract file, its problems by line, and the activation checks (C-3, C-4)",
      uk: "файл агента, як його написано, що в ньому не так і де, і що скажуть перевірки перед активацією (C-3, C-4)",
    },
    allows: ["owner"],
    params: slugParams,
    answer: z.object({
      slug: z.string(),
      hash: z.string(),
      text: z.string(),
      /** Absent if the file has no readable status. */
      status: z.enum(agentStates).optional(),
      /** Absent while there are problems. */
      contract: z.record(z.string(), z.unknown()).optional(),
      ready: z.boolean(),
      ...contractChecks,
    }),
    handle: ({ garden, params: { slug } }) => contractReport(garden, slug),
  }),
  route("GET /agents/:slug/artifacts", {
    summary: {
      en: "artifacts of an agent, made by approved proposals; an agent sees its own",
      uk: "файли, які агент лишив схваленими пропозиціями; агент бачить свої",
    },
    allows: ["owner", "agent"],
    params: slugParams,
    answer: z.object({ artifacts: z.array(z.object({ name: z.string(), size: z.int() })) }),
    async handle({ garden, params: { slug }, identity }) {
      expectOwnAgent(identity, slug);
      return { artifacts: await listArtifacts(garden.store, slug) };
    },
  }),
  route("GET /agents/:slug/artifacts/:path{.+}", {
    summary: {
      en: "one artifact as text, or as base64 if it is not text; `kind` says how it may be shown",
      uk: "один такий файл: як текст або, якщо це не текст, як base64; `kind` каже, чим його можна показати",
    },
    allows: ["owner", "agent"],
    params: slugParams.extend({ path: z.string().min(1).max(1000) }),
    answer: z.object({
      name: z.string(),
      size: z.int(),
      hash: z.string(),
      kind: z.enum(["text", "markdown", "json", "image", "bytes"]),
      media: z.string(),
      text: z.string().optional(),
      base64: z.string().optional(),
    }),
    async handle({ garden, params: { slug, path }, identity }) {
      expectOwnAgent(identity, slug);
      return readArtifact(garden.store, slug, path);
    },
  }),
  route("GET /agents/:slug/status", {
    summary: { en: "the state of one agent", uk: "стан агента" },
    allows: ["owner", "agent"],
    params: slugParams,
    answer: z.object({ slug: z.string(), status: z.enum(agentStates), updated_at: z.string() }),
    async handle({ garden, params: { slug }, identity }) {
      expectOwnAgent(identity, slug);
      const { contract } = await readAgent(garden.store, slug);
      return { slug, status: contract.status, updated_at: contract.updated_at };
    },
  }),
  route("PATCH /agents/:slug/status", {
    summary: {
      en: "changes the state of an agent; activation runs its checks first (C-4, C-6)",
      uk: "переводить агента в інший стан; перед активацією — перевірки (C-4, C-6)",
    },
    allows: ["owner"],
    params: slugParams,
    body: z.strictObject({ status: z.enum(agentStates), reason: z.string().max(2000).optional() }),
    answer: z.object({ slug: z.string(), from: z.enum(agentStates), status: z.enum(agentStates), hash: z.string() }),
    handle: ({ garden, params: { slug }, body: { status, reason }, identity }) =>
      changeAgentStatus(garden, { slug, to: status, by: identity, reason }),
  }),
  route("PATCH /agents/:slug/own-values", {
    summary: {
      en: "makes or removes the owner's rule that approves an agent's own memory values: an edit of garden.yaml (P-9)",
      uk: "створює або прибирає правило власника, що схвалює власні значення пам'яті агента: зміна garden.yaml (P-9)",
    },
    allows: ["owner"],
    params: slugParams,
    body: z.strictObject({ approve: z.boolean() }),
    answer: z.object({ slug: z.string(), own_values: z.enum(["approved", "ask"]), changed: z.boolean() }),
    async handle({ garden, params: { slug }, body: { approve }, identity: by }) {
      await readAgent(garden.store, slug);
      const commit = await setOwnValuesRule(garden, { slug, approve, by });
      return { slug, own_values: approve ? "approved" : "ask", changed: commit !== undefined };
    },
  }),
  route("PATCH /agents/:slug/outputs", {
    summary: {
      en: "allows or forbids an agent one action: safe_outputs of its contract (Z-2)",
      uk: "дозволяє агентові просити ще про одну дію або забороняє: safe_outputs його контракту (Z-2)",
    },
    allows: ["owner"],
    params: slugParams,
    body: z.strictObject({ action: z.enum(actions), allowed: z.boolean(), reason: z.string().max(2000).optional() }),
    answer: z.object({ slug: z.string(), safe_outputs: z.array(z.enum(actions)), changed: z.boolean() }),
    async handle({ garden, params: { slug }, body, identity }) {
      const { safe_outputs, changed } = await changeSafeOutput(garden, { slug, ...body, by: identity });
      return { slug, safe_outputs: [...safe_outputs], changed };
    },
  }),
];

/** Throws FORBIDDEN if an agent asks for another one. */
export function expectOwnAgent(identity: Identity, slug: string): void {
  if (identity.type === "agent" && identity.slug !== slug) throw notOwnAgent(identity.slug);
}
