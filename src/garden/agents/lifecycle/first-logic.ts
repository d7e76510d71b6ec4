import { canonicalId } from "../../../base/canonical.ts";
import { Failure } from "../../../base/failure.ts";
import { languages } from "../../../base/text.ts";
import type { Identity } from "../../../domain/identity.ts";
import { keys, MAIN_REF } from "../../../domain/layout.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import { renderPseudocode } from "../../../drakon/text/render.ts";
import { applyProposal, resumeApplying } from "../../changes/apply/apply-proposal.ts";
import { receive } from "../../changes/inbox/receive.ts";
import type { Received } from "../../changes/inbox/wish.ts";
import { proposeFirstVersion } from "../../changes/logic/first-version.ts";
import { projectLogic } from "../../changes/logic/project-logic.ts";
import { decide } from "../../changes/proposals/decide.ts";
import type { Garden } from "../../core/garden.ts";
import { diagramOf } from "../../records/agents/agent-diagrams.ts";
import { type Agent, readAgent } from "../../records/agents/read-agent.ts";
import { mainFileOf, originOf } from "../../records/logic/contract-origin.ts";
import { bodyOf } from "../../records/logic/exported-contract.ts";
import { findLogic, type LogicState } from "../../records/logic/logic-state.ts";

/**
 * Makes sure that an agent's logic has a version (L-6): the owner, who creates or activates it, proposes it and decides in the same
 * command. Nothing happens where there is one. Begun and interrupted, it goes on where it stopped.
 *
 * A new agent may have the name of a deleted one, whose versions are still in git. Then its logic is the next version.
 */
export async function adoptFirstLogic(garden: Garden, slug: string, by: Identity): Promise<Proposal | undefined> {
  const head = await garden.repo.resolve(MAIN_REF);
  const state = head === undefined ? undefined : await findLogic(garden.repo, head, slug);
  let agent = await readAgent(garden.store, slug);
  if (state && agent.contract.logic_version === undefined) {
    await resumeApplying(garden); // perhaps it is in git already, and a crash kept it from the contract
    agent = await readAgent(garden.store, slug);
  }
  // What the contract says counts only where git bears it out: a copy brings the number of another garden along.
  if (state && agent.contract.logic_version !== undefined) return undefined;
  const logic = await logicOf(garden, agent);
  // An empty body is a warning (C-4): there is nothing to make a version of yet.
  if (logic.diagram === undefined && logic.pseudocode?.trim() === "") return undefined;
  if (state && isSame(state, logic)) {
    await projectLogic(garden, slug); // the version is there already: only the contract does not name it yet
    return undefined;
  }
  const propose = (correlation_id?: string): Promise<Received> =>
    state
      ? proposeNext(garden, slug, by, { currentVersion: state.meta.logicVersion, ...logic }, correlation_id)
      : proposeFirstVersion(garden, { slug, by, correlation_id, ...(logic.diagram !== undefined && logic) });
  const { created_at } = agent.contract;
  let received = await propose(
    `first-logic-${canonicalId({ slug, created_at, logic, after: state?.meta.logicVersion })}`,
  );
  const isOver = received.kind === "accepted" && /^(?:rejected|expired)$/.test(received.proposal.status);
  if (received.repeated && (received.kind === "refused" || isOver)) received = await propose();
  if (received.kind === "refused") throw received.failure;
  return await carriedOut(garden, received.proposal, by);
}

const isSame = (state: LogicState, { diagram, pseudocode }: { diagram?: string; pseudocode?: string }): boolean =>
  (diagram ?? state.diagram) === state.diagram && (pseudocode ?? state.procedure) === state.procedure;

async function carriedOut(garden: Garden, proposal: Proposal, by: Identity): Promise<Proposal> {
  const done = await decidedAndApplied(garden, proposal, by);
  if (done.status === "applied") return done;
  const error = done.apply_result?.error;
  throw new Failure(
    "INVALID_TRANSITION",
    {
      en: `the first version of the logic is ${done.status} (${done.id})${error ? `: ${error.message.en}` : ""}`,
      uk: `перша версія логіки має стан ${done.status} (${done.id})${error ? `: ${error.message.uk}` : ""}`,
    },
    {
      hint: {
        en: `\`bloom proposals show ${done.id}\` says more; activating the agent tries again.`,
        uk: `Докладніше: \`bloom proposals show ${done.id}\`; активація агента спробує ще раз.`,
      },
      details: { agent: proposal.target, proposal: done.id, status: done.status },
    },
  );
}

function decidedAndApplied(garden: Garden, proposal: Proposal, by: Identity): Promise<Proposal> {
  const { id, status, digest } = proposal;
  if (status === "pending") return decide(garden, { proposal: id, verdict: "approve", digest, by });
  const open = status === "approved" || status === "auto_approved" || status === "applying" || status === "failed";
  return open ? applyProposal(garden, id, "owner") : Promise.resolve(proposal);
}

/**
 * The diagram that the contract names, or its whole body where it names none. `pseudocode.md` goes along if it is what the diagram
 * says: it tells in which language the agent is written.
 */
async function logicOf(garden: Garden, { slug, text }: Agent): Promise<{ diagram?: string; pseudocode?: string }> {
  const file = originOf(text).file === undefined ? undefined : mainFileOf(text);
  const named = file === undefined ? undefined : await garden.store.get(keys.diagram(slug, file));
  if (file === undefined || !named) return { pseudocode: bodyOf(text) };
  const { text: diagram, checked } = diagramOf(file, named.bytes);
  const stored = await garden.store.get(keys.pseudocode(slug));
  const written = stored && Buffer.from(stored.bytes).toString();
  const same = languages.find(
    (language) => checked.tree && renderPseudocode(checked.tree, { language }).text === written,
  );
  return same && written !== undefined ? { diagram, pseudocode: written } : { diagram };
}

function proposeNext(
  garden: Garden,
  slug: string,
  by: Identity,
  logic: { currentVersion: string },
  correlation_id: string | undefined,
): Promise<Received> {
  const uk = garden.config.language !== "en";
  return receive(garden, {
    identity: by,
    action: "logic-update",
    payload: {
      agent: slug,
      ...logic,
      rationale: { problem: uk ? "Агента створено знову." : "The agent was created anew.", evidenceRuns: [] },
      requiresHumanReview: true,
    },
    summary: uk ? "Логіка нового агента" : "The logic of a new agent",
    correlation_id,
  });
}
