import type { GardenConfig } from "../../../domain/config/garden-config.ts";
import { contractWithin, coversFolder } from "../../../domain/contract/capabilities.ts";
import type { Contract } from "../../../domain/contract/contract.ts";
import { forbiddenTags, mayPropose } from "../../../domain/contract/contract-rules.ts";
import type { Identity } from "../../../domain/identity.ts";
import { type Intent, noteOf } from "../../../domain/intent/intent.ts";
import { keys } from "../../../domain/layout.ts";
import { isInFolder } from "../../../domain/note/note-name.ts";
import type { Action } from "../../../domain/proposal/action.ts";
import type { InboxEntry } from "../../../domain/proposal/inbox-entry.ts";
import { hasGrant } from "../../core/access/grant.ts";
import type { Garden } from "../../core/garden.ts";
import { type Agent, findAgent } from "../../records/agents/read-agent.ts";
import { visibleNotes } from "../../records/notes/visible-notes.ts";
import { ceilingOfRun, originOfRun } from "../../records/runs/run-origin.ts";
import { notePathRefusal } from "../effect/note-target.ts";
import {
  actionNotAllowed,
  agentNotActive,
  experimentStays,
  folderOfAnother,
  forbidden,
  notInSafeOutputs,
  outsideFolder,
  outsideZone,
  ownerOnly,
  ownLogic,
  tagsForbidden,
  unknownAgent,
  unknownRun,
} from "./failures.ts";

/** The first of the checks about permissions: each throws FORBIDDEN to refuse. */
export function checkMayAct({ entry }: { readonly entry: InboxEntry }, identity: Identity): void {
  const { action } = entry.intent;
  const { edits, reverts } = entry.metadata;
  const isOwners = identity.type === "owner" || identity.type === "gateway";
  if ((edits ?? reverts) !== undefined && !isOwners) throw ownerOnly();
  if (identity.type !== "webhook" && identity.type !== "guest") return;
  if (!identity.actions.includes(action)) throw actionNotAllowed(entry.source.identity, action);
}

/** The agent that asks: active, with a run on record and the action in its safe outputs. Undefined for other identities. */
export async function proposingAgent(
  { garden, entry, tried }: { readonly garden: Garden; readonly entry: InboxEntry; readonly tried?: Agent },
  identity: Identity,
): Promise<Agent | undefined> {
  if (identity.type !== "agent") return undefined;
  const agent = tried ?? (await activeAgentOf(garden, identity));
  if (!tried && identity.run !== undefined && entry.metadata.promoted_by === undefined) {
    const { isExperiment } = await originOfRun(garden.store, { slug: identity.slug, run: identity.run });
    if (isExperiment) throw experimentStays(identity.run);
  }
  const { action, payload } = entry.intent;
  if (!mayPropose(agent.contract, action, payload))
    throw notInSafeOutputs(agent.slug, action, agent.contract.safe_outputs);
  const { add, remove } = action === "propose-tag" ? tagsRefused(agent.contract, payload) : NO_TAGS;
  if (add.length > 0 || remove.length > 0) throw tagsForbidden(agent.slug, add, remove);
  return agent;
}

const NO_TAGS = { add: [], remove: [] } as const;

/** I-1: the tags that the contract refuses, or the ceiling of a sub-agent's run. */
function tagsRefused({ tags, ceiling }: Contract, payload: unknown): ReturnType<typeof forbiddenTags> {
  const refused = [tags, ...(ceiling?.tags ?? [])].map((limit) => forbiddenTags({ tags: limit }, payload));
  return { add: refused.flatMap(({ add }) => add), remove: refused.flatMap(({ remove }) => remove) };
}

async function activeAgentOf(garden: Garden, { slug, run }: Extract<Identity, { type: "agent" }>): Promise<Agent> {
  const agent = await findAgent(garden.store, slug);
  if (!agent) throw unknownAgent(slug);
  if (agent.contract.status !== "active") throw agentNotActive(agent.slug, agent.contract.status);
  if (run !== undefined && !(await isRun(garden, slug, run))) throw unknownRun(run);
  const ceiling = await ceilingOfRun(garden.store, { slug, run });
  return ceiling ? { ...agent, contract: contractWithin(agent.contract, ceiling) } : agent;
}

/** P-4a, the part that needs no garden: notes by folder, agents' folders by name. */
export async function checkMayTouch(
  { garden, config }: { readonly garden: Garden; readonly config: GardenConfig },
  identity: Identity,
  intent: Intent,
  agent: Agent | undefined,
): Promise<void> {
  const note = noteOf(intent, config.notes_root);
  const folder = agent?.contract.proposes === "folder" ? agent.contract.context.folder : undefined;
  if (agent && folder !== undefined && note !== undefined) {
    const { folders } = await visibleNotes(garden, identity);
    const isInside = folders === "all" || folders.some((one) => note === one || note.startsWith(`${one}/`));
    if (!isInside) throw outsideFolder(agent.slug, folder);
  }
  const ceiling = agent?.contract.ceiling;
  const writes = ceiling?.writes;
  if (agent && writes && note !== undefined && !writes.some((one) => coversFolder(one, note)))
    throw outsideFolder(agent.slug, writes.join(", "));
  if (identity.type === "guest") {
    const inside = note !== undefined && identity.folders.some((one) => isInFolder(note, one));
    if (!inside) throw outsideZone(identity.zone);
  }
  const isNew = intent.action === "propose-note" && intent.wish.path === undefined;
  if (note !== undefined && !isNew) {
    const refused = notePathRefusal({ garden: { ...garden, config } }, note);
    // The owner gets the reason. All others get FORBIDDEN whether or not such a file exists (P-4a).
    if (refused) throw identity.type === "owner" ? refused.failure : forbidden(refused.failure.text);
  }
  const named = "agent" in intent.wish ? intent.wish.agent : undefined;
  if (named !== undefined) checkMayTouchAgent(config, identity, intent.action, named, ceiling?.lineage);
}

/**
 * An agent may touch its own folders and those that the owner granted (`grants` in `garden.yaml`). Its own logic needs a grant
 * too: an agent must not judge itself unless the owner allows it (source 000 §4.2). A guest may touch none. A sub-agent has a grant only if
 * the agents of its lineage have it too.
 */
export function checkMayTouchAgent(
  config: GardenConfig,
  identity: Identity,
  action: Action,
  agent: string,
  lineage: readonly string[] = [],
): void {
  if (identity.type === "guest") throw outsideZone(identity.zone);
  if (identity.type !== "agent") return;
  const itself = identity.slug === agent;
  if (itself && action !== "logic-update" && action !== "logic-rollback") return;
  if ([identity.slug, ...lineage].every((slug) => hasGrant(config, slug, action, agent))) return;
  throw itself ? ownLogic(agent, action) : folderOfAnother(identity.slug, agent);
}

/** The token of a run is valid for that run, which exists if its request does. */
const isRun = async ({ store }: Garden, slug: string, run: string): Promise<boolean> =>
  /^[a-z0-9_-]{1,100}$/.test(run) && (await store.get(keys.runRequest(slug, run))) !== undefined;
