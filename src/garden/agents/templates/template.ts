import type { Text } from "../../../base/text.ts";
import type { Contract } from "../../../domain/contract/contract.ts";
import type { Tool } from "../../../domain/contract/tool.ts";
import type { Action } from "../../../domain/proposal/action.ts";

export const templateGroups = ["tidy", "summarise", "answer", "watch", "write"] as const;
export type TemplateGroup = (typeof templateGroups)[number];

/**
 * An agent that a person can plant as it is: its contract and its procedure in both languages. The diagram is drawn from the
 * procedure when the agent is created.
 */
export interface AgentTemplate {
  /** The slug of the agent if the owner names no other. */
  readonly id: string;
  readonly group: TemplateGroup;
  readonly name: Text;
  /** One sentence; the description in the contract. */
  readonly purpose: Text;
  /** The notes that it reads, in a few words. */
  readonly reads: Text;
  /** The owner does this before the first run; absent if nothing is needed. */
  readonly needs?: Text;
  readonly model: string;
  /** Tokens of an ordinary run; absent for a model without a price. */
  readonly tokens?: { readonly input: number; readonly output: number };
  readonly tools: readonly Tool[];
  readonly safe_outputs: readonly Action[];
  readonly settings: TemplateSettings;
  /** Prose of the body. */
  readonly role: Text;
  readonly procedure: Text;
}

/** Fields of the contract that have other values than the defaults of a new one. */
export interface TemplateSettings
  extends Partial<Pick<Contract, "max_steps" | "execution" | "proposes" | "budget" | "temperature">> {
  readonly cron?: string;
  readonly events?: readonly string[];
  readonly max_sources?: number;
  readonly folder?: string;
}
