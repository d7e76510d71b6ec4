import { crashPoint } from "../../../base/crash-point.ts";
import { isLostAnswer } from "../../../base/failure.ts";
import { isSlug, isTakenName } from "../../../domain/contract/slug.ts";
import { identityName } from "../../../domain/identity.ts";
import { contractKey, MAIN_REF } from "../../../domain/layout.ts";
import { keyProblem } from "../../../domain/store-key.ts";
import { onlyOwner } from "../../core/access/only-owner.ts";
import { recordAudit } from "../../core/audit.ts";
import { createOrFind } from "../../core/flow/create-record.ts";
import type { Garden } from "../../core/garden.ts";
import { type Agent, readAgent } from "../../records/agents/read-agent.ts";
import { refreshRegistry } from "../../records/agents/registry.ts";
import { findLogic } from "../../records/logic/logic-state.ts";
import { agentExists, fileExists, formerAgentHadDiagram, invalidSlug, reservedSlug } from "../failures.ts";
import { secondsOf } from "./change-status.ts";
import { finishDeletion } from "./delete-agent.ts";
import { type FirstFiles, fromDiagram, fromFolder, fromProse, fromTemplate, type NewAgentWish } from "./first-files.ts";
import { adoptFirstLogic } from "./first-logic.ts";

type Ports = Pick<Garden, "store">;

/**
 * Creates an agent as a draft. The contract is written last, and a folder without a contract is no agent (C-1): after a crash there is
 * a complete agent or none, and a retry completes it. Existing files with other content are never overwritten. Then its logic becomes
 * v001 (L-6); after a crash before that, the activation does it.
 */
export async function createAgent(garden: Garden, wish: NewAgentWish): Promise<Agent> {
  const { slug, by } = wish;
  const { store } = garden;
  if (by.type !== "owner") throw onlyOwner(by, { en: "create an agent", uk: "створити агента" });
  if (!isSlug(slug) || keyProblem(slug) !== undefined) throw invalidSlug(slug);
  if (isTakenName(slug)) throw reservedSlug(slug);
  if (await store.get(contractKey(slug))) throw agentExists(slug);
  await finishDeletion(garden, slug);
  const files = await firstFiles(wish, secondsOf(garden.world.now()));
  await expectSameKind(garden, slug, files);
  for (const [key, bytes] of files.others) {
    const made = await store.create(key, bytes);
    if (made.kind === "taken" && !(await holds(garden, key, bytes))) await replaceDerived(garden, key, bytes);
    crashPoint("agent.create.file");
  }
  if (!(await createContract(garden, slug, Buffer.from(files.contract)))) throw agentExists(slug);
  crashPoint("agent.create.contract");
  const agent = await readAgent(store, slug);
  await recordAudit(garden, `${slug}-created-${agent.hash.slice(0, 8)}`, {
    kind: "agent-created",
    at: agent.contract.created_at,
    by: identityName(by),
    subject: slug,
    details: { from: wish.from.kind, version: agent.contract.version, hash: agent.hash },
  });
  await refreshRegistry(garden);
  await adoptFirstLogic(garden, slug, by);
  return await readAgent(store, slug);
}

/** Versions of a deleted agent of that name are continued: if they have a diagram, the new agent needs one too. */
async function expectSameKind({ repo }: Garden, slug: string, files: FirstFiles): Promise<void> {
  const head = await repo.resolve(MAIN_REF);
  const state = head === undefined ? undefined : await findLogic(repo, head, slug);
  if (state?.diagram === undefined || files.others.size > 0) return;
  throw formerAgentHadDiagram(slug, state.meta.logicVersion);
}

function firstFiles(wish: NewAgentWish, at: string): Promise<FirstFiles> {
  const { from } = wish;
  switch (from.kind) {
    case "template":
      return Promise.resolve(fromTemplate(wish, at));
    case "prose":
      return Promise.resolve(fromProse(wish, at));
    case "diagram":
      return Promise.resolve(fromDiagram(wish, from, at));
    case "folder":
      return fromFolder(wish, from.folder, at);
  }
}

/** False if the contract exists already. */
async function createContract({ store }: Ports, slug: string, bytes: Uint8Array): Promise<boolean> {
  const key = contractKey(slug);
  try {
    return (await store.create(key, bytes)).kind === "created";
  } catch (error) {
    if (isLostAnswer(error)) return (await createOrFind(store, key, bytes)).first;
    throw error;
  }
}

const holds = async ({ store }: Ports, key: string, bytes: Uint8Array): Promise<boolean> => {
  const there = await store.get(key);
  return there !== undefined && Buffer.from(there.bytes).equals(bytes);
};

/** Replaces pseudocode, which is derived from the diagram. Throws for any other file. */
async function replaceDerived({ store }: Ports, key: string, bytes: Uint8Array): Promise<void> {
  const there = await store.get(key);
  const derived = key.endsWith("/pseudocode.md");
  if (there && derived && (await store.swap(key, there.hash, bytes)).kind === "swapped") return;
  throw fileExists(key);
}
