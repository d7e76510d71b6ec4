import { z } from "zod";
import type { Json } from "../../../../base/canonical.ts";
import { keys } from "../../../../domain/layout.ts";
import { runManifest } from "../../../../domain/run/run-manifest.ts";
import { group } from "../../../../domain/text/checked-yaml.ts";
import { tryReadJson } from "../../../core/json-record.ts";
import { findProposal } from "../../../records/proposals/proposal-log.ts";
import { hasLogicIssue } from "../../../records/runs/logic-issue.ts";
import { listRuns, type RunCard } from "../../read-runs.ts";
import { agentField, limitField } from "../input-fields.ts";
import { expectLogicAccess } from "../read-access.ts";
import { gardenTool, type ToolContext } from "../tool.ts";

const DEFAULT_RUNS = 10;
/** `first: logic_issue` searches this many of the newest runs for marked ones. */
const MOST_LOOKED_AT = 100;
const MOST_PROPOSALS = 50;
const MAX_LINE = 1000;

/** Runs, newest first, with the state of their proposals and the reasons of rejections (P-10). */
export const readRunsTool = gardenTool({
  name: "read-runs",
  description: {
    en: "The last runs of an agent, newest first (first: logic_issue puts those marked as the logic's fault before the others): outcome, error, tokens, and each proposal with its status and the reason of a rejection.",
    uk: "Останні запуски агента, спершу нові (first: logic_issue ставить уперед позначені як вада логіки): підсумок, помилка, токени й кожна пропозиція зі станом і причиною відхилення.",
  },
  input: group({
    agent: agentField.nullish(),
    limit: limitField.nullish(),
    first: z.enum(["newest", "logic_issue"], "runs-first").default("newest"),
  }),
  idempotent: true,
  async call({ agent: whose, limit: most, first }, context) {
    const slug = await expectLogicAccess(context, whose);
    const wanted = most ?? DEFAULT_RUNS;
    const { runs } = await listRuns(context.garden, {
      agent: slug,
      limit: (first === "newest" ? wanted : MOST_LOOKED_AT) + 1,
    });
    const others = runs.filter(({ run_id }) => run_id !== context.run);
    const marked = await Promise.all(
      others.map(async (card) => ({ card, issue: await hasLogicIssue(context.garden, { slug, run: card.run_id }) })),
    );
    const ordered =
      first === "newest" ? marked : [true, false].flatMap((is) => marked.filter(({ issue }) => issue === is));
    return Promise.all(
      ordered
        .slice(0, wanted)
        .map(async ({ card, issue }) => ({ ...(await runResult(context, card)), logic_issue: issue })),
    );
  },
});

async function runResult({ garden }: ToolContext, card: RunCard): Promise<Readonly<Record<string, Json>>> {
  const stored = await garden.store.get(keys.runManifest(card.agent_slug, card.run_id));
  const manifest = tryReadJson(stored?.bytes, runManifest);
  const made = manifest?.outcome?.kind === "effects" ? manifest.outcome.proposals : [];
  return {
    run: card.run_id,
    status: card.state,
    trigger: card.trigger,
    started_at: card.started_at ?? null,
    finished_at: card.finished_at ?? null,
    ...(manifest && {
      logic_version: manifest.logic_version,
      outcome: manifest.outcome?.kind ?? null,
      reason: reasonOf(manifest.outcome),
      error: short(manifest.error),
      tokens: { ...manifest.tokens_used },
      steps: manifest.steps_count,
    }),
    proposals: await Promise.all(made.slice(0, MOST_PROPOSALS).map((id) => proposalOf(garden, id))),
  };
}

async function proposalOf({ store }: ToolContext["garden"], id: string): Promise<Json> {
  const proposal = await findProposal(store, id);
  if (!proposal) return { proposal: id, status: "unknown" };
  const { status, action, target, approval, summary } = proposal;
  return {
    proposal: id,
    type: action,
    target,
    status,
    summary: short(summary),
    reason: short(approval?.decision_note ?? null),
  };
}

const reasonOf = (outcome: { kind: string; reason?: string; by?: string } | null): string | null =>
  short(outcome?.reason ?? outcome?.by ?? null);

const short = (text: string | null | undefined): string | null =>
  text ? text.slice(0, MAX_LINE).toWellFormed() : null;
