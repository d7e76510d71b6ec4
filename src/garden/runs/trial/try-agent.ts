import { blobId, type Json } from "../../../base/canonical.ts";
import { failureFromRecord } from "../../../base/failure.ts";
import { newId } from "../../../base/ids.ts";
import { readContract } from "../../../domain/contract/contract.ts";
import { contractHash } from "../../../domain/contract/contract-file.ts";
import { type Identity, identityName } from "../../../domain/identity.ts";
import { costOf, type RunCost } from "../../../domain/run/price.ts";
import type { HumanAsk } from "../../../domain/run/request.ts";
import { runRequest } from "../../../domain/run/run.ts";
import type { Outcome } from "../../../domain/run/run-manifest.ts";
import type { StepRecord } from "../../../domain/run/run-step.ts";
import type { TokenCount } from "../../../ports/runtime.ts";
import type { WishPreview } from "../../changes/inbox/preview-wish.ts";
import { onlyOwner } from "../../core/access/only-owner.ts";
import type { Garden } from "../../core/garden.ts";
import { type Agent, brokenContract, readAgent } from "../../records/agents/read-agent.ts";
import { briefingFor, loadBrief } from "../brief.ts";
import { executeAgent } from "../execute/execute-agent.ts";
import type { Executed } from "../execute/execution.ts";
import type { RunPorts } from "../run-agent.ts";
import { proposeWork } from "../run-workspace.ts";
import { type ToolContext, toolsFor } from "../tools/tools.ts";
import { trialWorkspace } from "../tools/trial-workspace.ts";
import { type Ending, type EndingStop, runVerdictOf } from "../verdict.ts";
import { type TrialStep, trialJournal, withoutEffects } from "./trial-journal.ts";

export interface TrialWish {
  readonly slug: string;
  readonly by: Identity;
  readonly input?: { readonly [name: string]: Json } | undefined;
  /** A contract that is not saved yet; the stored one if left out. */
  readonly text?: string | undefined;
}

/** The result of a trial: the calls of the agent, and the effects that it would propose. */
export interface Trial {
  readonly slug: string;
  readonly steps: readonly TrialStep[];
  readonly effects: readonly WishPreview[];
  /** Null if it ended at a question, or sleeps. */
  readonly outcome: Outcome | null;
  readonly question: HumanAsk | undefined;
  readonly tokens: TokenCount;
  readonly cost: RunCost | undefined;
}

const TRIAL_LIMIT_MS = 110_000;

/**
 * Executes an agent without proposing: the same procedure, model and tools as in a run, at the present main. Nothing is written: no
 * run, no proposal, no memory, no audit record. Also for a draft, and for a contract that is not saved. Calls of a language model are
 * real and cost what they cost. Throws VALIDATION_FAILED for an invalid contract.
 */
export async function tryAgent(garden: Garden, ports: RunPorts, wish: TrialWish): Promise<Trial> {
  const { slug, by, input } = wish;
  if (by.type !== "owner") throw onlyOwner(by, { en: "try an agent", uk: "випробувати агента" }, { agent: slug });
  const agent = await triedAgent(garden, wish);
  const run = newId(garden.world, "run");
  const request = runRequest.parse({
    kind: "request",
    run_id: run,
    agent_slug: slug,
    trigger: "manual",
    by: identityName(by),
    requested_at: new Date(garden.world.now()).toISOString(),
    ...(input && { input }),
    op: "trial",
  });
  const loaded = await loadBrief(garden, { slug, run }, request);
  if (loaded.fault && wish.text === undefined) throw failureFromRecord(loaded.fault);
  const brief = { ...loaded, contract: agent.text };
  const signal = AbortSignal.timeout(TRIAL_LIMIT_MS);
  const equipment = await ports.equip(agent.contract, signal, (_, __, work) => work());
  const journal = trialJournal(garden.world, run, signal);
  const effects: WishPreview[] = [];
  try {
    const workspace =
      agent.contract.workspace === "session" ? trialWorkspace(garden, { slug, run }, brief.garden_commit) : undefined;
    const context: ToolContext = {
      garden,
      slug,
      run,
      contract: agent.contract,
      get commit() {
        return workspace?.head ?? brief.garden_commit;
      },
      workspace,
      logicVersion: brief.logic_version,
      reader: equipment.reader,
      egress: equipment.egress,
      insight: ports.insight,
      identity: { type: "agent", slug, run },
      language: brief.language,
      trial: { agent, effects },
    };
    const tools = toolsFor(context);
    const executed = await executeAgent({
      garden,
      contract: agent.contract,
      body: agent.body,
      diagrams: brief.diagrams,
      briefing: briefingFor(brief, request),
      tools: [...withoutEffects(tools, false), ...withoutEffects(equipment.outsideTools, true)],
      runtime: equipment.runtime,
      journal,
      flow: journal.flow,
      signal,
    });
    const { steps, question } = journal;
    if (workspace && !question) await proposeWork(journal.flow, context, workspace, executed, request);
    const tokens = tokensOf(steps);
    const outcome = question ? null : outcomeOf(executed, steps, effects, brief.language);
    const cost = costOf(garden.config.prices, { model_used: agent.contract.model, tokens_used: { ...tokens } });
    return { slug, steps, effects, outcome, question, tokens, cost };
  } finally {
    await equipment.close();
  }
}

/** The agent with the contract that is tried, as if it were active. */
async function triedAgent(garden: Garden, { slug, text }: TrialWish): Promise<Agent> {
  const stored = await readAgent(garden.store, slug).catch((error: unknown) => {
    if (text === undefined) throw error;
    return undefined;
  });
  const tried = text ?? stored!.text;
  const reading = readContract(Buffer.from(tried));
  if (reading.kind === "problems") throw brokenContract(slug, reading.problems);
  const { contract, body } = reading;
  const hash = blobId(Buffer.from(tried));
  return {
    slug,
    contract: { ...contract, slug, status: "active" },
    body,
    text: tried,
    hash,
    contractHash: contractHash(tried),
  };
}

const tokensOf = (steps: readonly TrialStep[]): TokenCount =>
  steps.reduce(
    (sum, { tokens }) => ({ input: sum.input + (tokens?.input ?? 0), output: sum.output + (tokens?.output ?? 0) }),
    { input: 0, output: 0 },
  );

/** The outcome that the run would have, with the effects in the place of proposals. */
function outcomeOf(
  executed: Executed,
  steps: readonly TrialStep[],
  effects: readonly WishPreview[],
  language: "uk" | "en",
): Outcome | null {
  if (executed.kind === "later") return null;
  const made = effects.filter(({ kind }) => kind === "possible").map((_, index) => `trial-${index + 1}`);
  const records = steps.map(({ kind, name, output }, index) => ({
    kind,
    name,
    output: (output ?? null) as StepRecord["output"],
    proposals: index === 0 ? made : [],
  }));
  const ending: Ending =
    executed.kind === "answered"
      ? executed
      : { kind: executed.kind, why: executed.why as EndingStop, failure: executed.failure };
  return runVerdictOf({ ending, records, language }).outcome;
}
