import { crashPoint } from "../../../base/crash-point.ts";
import { isSlug, isTakenName } from "../../../domain/contract/slug.ts";
import { identityName } from "../../../domain/identity.ts";
import { contractKey, keys, MAIN_REF } from "../../../domain/layout.ts";
import { keyProblem } from "../../../domain/store-key.ts";
import { onlyOwner } from "../../core/access/only-owner.ts";
import { recordAudit } from "../../core/audit.ts";
import type { Garden } from "../../core/garden.ts";
import { type NewAgentChange, writeAgentFile } from "../../records/agents/agent-changes.ts";
import { commitAgentFiles } from "../../records/agents/commit-agent-files.ts";
import { type Agent, readAgent } from "../../records/agents/read-agent.ts";
import { refreshRegistry } from "../../records/agents/registry.ts";
import { findLogic } from "../../records/logic/logic-state.ts";
import { agentExists, fileExists, formerAgentHadDiagram, invalidSlug, reservedSlug } from "../failures.ts";
import { secondsOf } from "./change-status.ts";
import { fromFolder, fromPackage } from "./copied-files.ts";
import { finishDeletion } from "./delete-agent.ts";
import {
  type FirstFiles,
  fromDiagram,
  fromDrawing,
  fromGrant,
  fromProse,
  fromPseudocode,
  fromTemplate,
  type NewAgentWish,
} from "./first-files.ts";
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
  const at = secondsOf(garden.world.now());
  const files = await firstFiles(wish, at);
  await expectSameKind(garden, slug, files);
  const change = { slug, what: `create agent from ${wish.from.kind}`, by: identityName(by), at };
  for (const [key, bytes] of files.others) {
    if (!(await writeAgentFile(garden, change, { key, expected: undefined, bytes })))
      await replaceDerived(garden, change, key, bytes);
    crashPoint("agent.create.file");
  }
  const contract = {
    key: contractKey(slug),
    expected: undefined,
    bytes: Buffer.from(files.contract),
    first: true,
  } as const;
  if (!(await writeAgentFile(garden, change, contract))) throw agentExists(slug);
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
  await commitAgentFiles(garden, slug);
  await adoptFirstLogic(garden, slug, by);
  return await readAgent(store, slug);
}

/** Versions of a deleted agent of that name are continued: if they have a diagram, the new agent needs one too. */
async function expectSameKind({ repo }: Garden, slug: string, files: FirstFiles): Promise<void> {
  const head = await repo.resolve(MAIN_REF);
  const state = head === undefined ? undefined : await findLogic(repo, head, slug);
  const diagrams = keys.diagram(slug, "");
  if (state?.diagram === undefined || [...files.others.keys()].some((key) => key.startsWith(diagrams))) return;
  throw formerAgentHadDiagram(slug, state.meta.logicVersion);
}

async function firstFiles(wish: NewAgentWish, at: string): Promise<FirstFiles> {
  const { from } = wish;
  switch (from.kind) {
    case "template":
      return fromTemplate(wish, from.template, at);
    case "outside":
      return fromGrant(wish, from, at);
    case "drawing":
      return fromDrawing(wish, at);
    case "pseudocode":
      return fromPseudocode(wish, from.text, at);
    case "prose":
      return fromProse(wish, at);
    case "diagram":
      return fromDiagram(wish, from, at);
    case "folder":
      return fromFolder(wish, from.folder, at);
    case "file":
      return fromPackage(wish, from.text, at);
    case "import":
      return from.files;
  }
}

/** Replaces pseudocode, which is derived from the diagram. Throws for any other file. */
async function replaceDerived(garden: Ports, change: NewAgentChange, key: string, bytes: Uint8Array): Promise<void> {
  const there = await garden.store.get(key);
  const derived = key.endsWith("/pseudocode.md");
  if (there && derived && (await writeAgentFile(garden, change, { key, expected: there.hash, bytes }))) return;
  throw fileExists(key);
}
