import { type AgentState, isAgentState } from "../../domain/contract/agent-state.ts";
import type { Contract } from "../../domain/contract/contract.ts";
import { contractFile, frontFields } from "../../domain/contract/contract-file.ts";
import type { Hash } from "../../ports/store.ts";
import type { Garden } from "../core/garden.ts";
import { noAgent, readAgentFile } from "../records/agents/read-agent.ts";
import { type ActivationReport, activationReport } from "./lifecycle/activation.ts";

/** A contract for the editor: the file, its problems by line, and the activation checks. */
export interface ContractReport extends Pick<ActivationReport, "slug" | "ready" | "checks" | "problems"> {
  readonly hash: Hash;
  readonly text: string;
  /** Undefined if the file has no readable status. */
  readonly status: AgentState | undefined;
  /** Undefined while there are problems. */
  readonly contract: Contract | undefined;
}

/** Also works for an invalid contract. Throws NOT_FOUND without one. */
export async function contractReport(garden: Garden, slug: string): Promise<ContractReport> {
  const seen = await readAgentFile(garden.store, slug);
  if (seen.kind === "absent") throw noAgent(slug);
  const { ready, checks, problems } = await activationReport(garden, slug, seen);
  if (seen.kind === "agent") {
    const { contract, text, hash } = seen.agent;
    return { slug, hash, text, status: contract.status, contract, ready, checks, problems };
  }
  // Invalid UTF-8 is shown with replacement characters.
  const text = new TextDecoder("utf-8").decode(seen.bytes);
  const file = contractFile(text);
  const written = file && frontFields(file)?.["status"];
  const status = isAgentState(written) ? written : undefined;
  return { slug, hash: seen.hash, text, status, contract: undefined, ready, checks, problems };
}
