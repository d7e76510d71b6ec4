import { canonicalId } from "../../base/canonical.ts";
import type { Text } from "../../base/text.ts";
import { contractHash } from "../../domain/contract/contract-file.ts";
import { keys, MAIN_REF } from "../../domain/layout.ts";
import { proposalOfRequest } from "../changes/inbox/correlate.ts";
import { receive } from "../changes/inbox/receive.ts";
import type { Received } from "../changes/inbox/wish.ts";
import type { RunPlace } from "../core/flow/journal.ts";
import type { Garden } from "../core/garden.ts";
import { driftIn } from "../records/agents/agent-diagrams.ts";
import { findAgent } from "../records/agents/read-agent.ts";
import { contractOrigin, mainFileOf } from "../records/logic/contract-origin.ts";
import { findLogic } from "../records/logic/logic-state.ts";
import { calledDrift, storedProgram } from "../records/logic/stored-program.ts";

/**
 * D-6a: a run found that its contract differs from its diagram, and continued with the contract. The diagram is the authority: the
 * gateway proposes to export it again, with that run as evidence, for a person to decide. There is one proposal per state of the
 * files, however many runs find it: a rejected one is not repeated until a file changes; after an expired one the next run proposes it
 * again, once.
 *
 * Undefined if the drift is gone, there is no diagram to export, or an earlier run has proposed it.
 */
export async function proposeExport(garden: Garden, { slug, run }: RunPlace): Promise<Received | undefined> {
  const agent = await findAgent(garden.store, slug);
  if (!agent) return undefined;
  const { text, contract } = agent;
  const head = await garden.repo.resolve(MAIN_REF);
  const drift = [
    ...(await driftIn(garden.store, { slug, text, generatedFrom: contract.generated_from })),
    ...(head === undefined ? [] : await calledDrift(garden, head, slug)),
  ];
  const diagram = drift.length === 0 ? undefined : await diagramOf(garden, slug, text);
  if (diagram === undefined) return undefined;
  const propose = (correlation_id: string): Promise<Received> =>
    receive(garden, {
      identity: { type: "gateway" },
      action: "logic-update",
      payload: {
        agent: slug,
        diagram,
        rationale: { problem: drift.map(({ message }) => message[language]).join("; "), evidenceRuns: [run] },
        requiresHumanReview: true,
      },
      summary: SUMMARY[language],
      reasoning: REASONING[language],
      correlation_id,
    });
  const language = garden.config.language ?? "uk";
  const pseudocode = (await garden.store.get(keys.pseudocode(slug)))?.hash;
  const state = canonicalId({ slug, diagram, contract: contractHash(text), pseudocode: pseudocode ?? null });
  for (let round = 1; ; round++) {
    const correlation_id = round === 1 ? `export-${state}` : `export-${state}-${round}`;
    const earlier = await proposalOfRequest(garden.store, { type: "gateway" }, correlation_id);
    if (!earlier) return propose(correlation_id);
    if (earlier.status !== "expired") return undefined;
  }
}

/** The diagram that the contract names, with those that it calls; if its file is missing, the one in git. */
async function diagramOf({ store, repo }: Garden, slug: string, contract: string): Promise<string | undefined> {
  if (contractOrigin(contract).file === undefined) return undefined;
  const stored = await storedProgram(store, slug, mainFileOf(contract));
  if (stored !== undefined) return stored;
  const head = await repo.resolve(MAIN_REF);
  return head === undefined ? undefined : (await findLogic(repo, head, slug))?.diagram;
}

const SUMMARY: Text = { en: "Export the diagram again", uk: "Вивести діаграму в контракт заново" };
const REASONING: Text = {
  en: "What the agent is told is not what its diagram says. The diagram is the authority: approve to bring the contract back to it. To keep the text, reject this and draw it in the diagram, or mark it (`generated_from: … # modified manually`).",
  uk: "Агентові сказано не те, що каже його діаграма. Головна — діаграма: схваліть, щоб повернути контракт до неї. Щоб залишити текст, відхиліть і накресліть його в діаграмі або позначте (`generated_from: … # modified manually`).",
};
