import { canonicalId } from "../../../base/canonical.ts";
import { type Identity, identityName } from "../../../domain/identity.ts";
import { keys, MAIN_REF } from "../../../domain/layout.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import { renderingsOf } from "../../../drakon/text/renderings.ts";
import { applyProposal, resumeApplying } from "../../changes/apply/apply-proposal.ts";
import { receive } from "../../changes/inbox/receive.ts";
import type { Received } from "../../changes/inbox/wish.ts";
import { proposeFirstVersion } from "../../changes/logic/first-version.ts";
import { projectLogic } from "../../changes/logic/project-logic.ts";
import { decide } from "../../changes/proposals/decide.ts";
import type { Garden } from "../../core/garden.ts";
import { diagramOf } from "../../records/agents/agent-diagrams.ts";
import { type Agent, readAgent } from "../../records/agents/read-agent.ts";
import { contractOrigin, mainFileOf } from "../../records/logic/contract-origin.ts";
import { bodyOf } from "../../records/logic/exported-contract.ts";
import { findLogic, type LogicState } from "../../records/logic/logic-state.ts";
import { storedProgram } from "../../records/logic/stored-program.ts";
import { firstLogicNotApplied } from "../failures.ts";

/**
 * Gives an agent's logic its first version (L-6): the owner, who creates or activates it, proposes and approves it in the same command.
 * Idempotent: does nothing if there is a version, and after a crash it continues. Returns the applied proposal.
 *
 * If git has versions of a deleted agent of that name, the logic becomes the next version.
 */
export async function adoptFirstLogic(garden: Garden, slug: string, by: Identity): Promise<Proposal | undefined> {
  const head = await garden.repo.resolve(MAIN_REF);
  const state = head === undefined ? undefined : await findLogic(garden.repo, head, slug);
  let agent = await readAgent(garden.store, slug);
  if (state && agent.contract.logic_version === undefined) {
    await resumeApplying(garden); // after a crash it may be in git already, but not in the contract
    agent = await readAgent(garden.store, slug);
  }
  // The contract alone proves nothing: a copied one names a version of another garden.
  if (state && agent.contract.logic_version !== undefined) return undefined;
  const logic = await logicOf(garden, agent);
  // An empty body is only a warning (C-4): there is no logic yet.
  if (logic.diagram === undefined && logic.pseudocode?.trim() === "") return undefined;
  if (state && isSame(state, logic)) {
    await projectLogic(garden, slug, { by: identityName(by) }); // the version exists: only the contract does not name it yet
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
  return await approveAndApply(garden, received.proposal, by);
}

const isSame = (state: LogicState, { diagram, pseudocode }: { diagram?: string; pseudocode?: string }): boolean =>
  (diagram ?? state.diagram) === state.diagram && (pseudocode ?? state.procedure) === state.procedure;

async function approveAndApply(garden: Garden, proposal: Proposal, by: Identity): Promise<Proposal> {
  const done = await applyByStatus(garden, proposal, by);
  if (done.status === "applied") return done;
  throw firstLogicNotApplied(done, proposal.target, done.apply_result?.error?.message ?? done.waiting);
}

function applyByStatus(garden: Garden, proposal: Proposal, by: Identity): Promise<Proposal> {
  const { id, status, digest } = proposal;
  if (status === "pending") return decide(garden, { proposal: id, verdict: "approve", digest, by });
  const open = status === "approved" || status === "auto_approved" || status === "applying" || status === "failed";
  return open ? applyProposal(garden, id, "owner") : Promise.resolve(proposal);
}

/**
 * The diagram that the contract names, or the whole body if it names none. `pseudocode.md` is included if it matches the diagram: it
 * determines the language of the agent.
 */
async function logicOf(garden: Garden, { slug, text }: Agent): Promise<{ diagram?: string; pseudocode?: string }> {
  const file = contractOrigin(text).file === undefined ? undefined : mainFileOf(text);
  const named = file === undefined ? undefined : await garden.store.get(keys.diagram(slug, file));
  if (file === undefined || !named) return { pseudocode: bodyOf(text) };
  const { text: main, checked } = diagramOf(file, named.bytes);
  const diagram = (await storedProgram(garden.store, slug, file)) ?? main;
  const stored = await garden.store.get(keys.pseudocode(slug));
  const written = stored && Buffer.from(stored.bytes).toString();
  const same = checked.tree && written !== undefined && renderingsOf(checked.tree).includes(written);
  return same ? { diagram, pseudocode: written } : { diagram };
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
