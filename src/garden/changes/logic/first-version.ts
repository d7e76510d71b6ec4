import { Failure } from "../../../base/failure.ts";
import { contractFile } from "../../../domain/contract/contract-file.ts";
import type { Identity } from "../../../domain/identity.ts";
import { contractKey, MAIN_REF } from "../../../domain/layout.ts";
import type { Rationale } from "../../../domain/proposal/operation.ts";
import type { Garden } from "../../core/garden.ts";
import { noAgent } from "../../records/agents/read-agent.ts";
import { contractOrigin, mainFileOf } from "../../records/logic/contract-origin.ts";
import { bodyOf } from "../../records/logic/exported-contract.ts";
import { findLogic } from "../../records/logic/logic-state.ts";
import { storedProgram } from "../../records/logic/stored-program.ts";
import { receive } from "../inbox/receive.ts";
import type { Received } from "../inbox/wish.ts";

export interface FirstVersion {
  readonly slug: string;
  readonly by: Identity;
  /** The text of the diagram; default: the one that the contract names, or the contract's body. */
  readonly diagram?: string | undefined;
  /** The rendered diagram, in the language that it is to have. */
  readonly pseudocode?: string | undefined;
  readonly rationale?: Rationale | undefined;
  /** The correlation id of the request that creates the agent, so that repeating it after a crash is idempotent. */
  readonly correlation_id?: string | undefined;
}

/**
 * Proposes v001 of an agent that was created or exported: an ordinary pending proposal, whose report says "no recordings"
 * (L-6). While it is pending, an identical one is refused as a duplicate.
 */
export async function proposeFirstVersion(garden: Garden, wish: FirstVersion): Promise<Received> {
  const { slug, by } = wish;
  const stored = await garden.store.get(contractKey(slug));
  const contract = stored && Buffer.from(stored.bytes).toString();
  if (contract === undefined || !contractFile(contract)) throw noAgent(slug);
  const head = await garden.repo.resolve(MAIN_REF);
  const state = head === undefined ? undefined : await findLogic(garden.repo, head, slug);
  if (state) throw hasOne(slug, state.meta.logicVersion);
  const diagram = wish.diagram ?? (await namedDiagram(garden, slug, contract));
  const rendered = wish.pseudocode === undefined ? {} : { pseudocode: wish.pseudocode };
  const logic = diagram === undefined ? { pseudocode: bodyOf(contract) } : { diagram, ...rendered };
  return receive(garden, {
    identity: by,
    action: "logic-update",
    payload: {
      agent: slug,
      ...logic,
      rationale: wish.rationale ?? FIRST_RATIONALE[garden.config.language ?? "uk"],
      requiresHumanReview: true,
    },
    summary: FIRST_SUMMARY[garden.config.language ?? "uk"],
    ...(wish.correlation_id !== undefined && { correlation_id: wish.correlation_id }),
  });
}

/** The diagram that the contract says it comes from. */
async function namedDiagram(garden: Garden, slug: string, contract: string): Promise<string | undefined> {
  if (contractOrigin(contract).file === undefined) return undefined;
  return storedProgram(garden.store, slug, mainFileOf(contract));
}

const FIRST_SUMMARY = { uk: "Перша версія логіки", en: "First version of the logic" } as const;
const FIRST_RATIONALE = {
  uk: { problem: "Перша версія: агента створено.", evidenceRuns: [] },
  en: { problem: "First version: the agent was created.", evidenceRuns: [] },
} as const;

const hasOne = (slug: string, version: string): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: `the logic of ${slug} is at ${version} already`,
    uk: `логіка ${slug} уже має версію ${version}`,
    details: { agent: slug, version },
  });
