import { isSlug } from "../../../domain/contract/slug.ts";
import { type Identity, identityName } from "../../../domain/identity.ts";
import type { Action } from "../../../domain/proposal/action.ts";
import type { Garden } from "../../core/garden.ts";
import { findAgent } from "../../records/agents/read-agent.ts";
import { grantIsContract, invalidSlug } from "../failures.ts";
import { changeAgentStatus } from "../lifecycle/change-status.ts";
import { createAgent } from "../lifecycle/create-agent.ts";
import type { OutsideGrant } from "../templates/outside-agent.ts";
import { issueAgentToken } from "./agent-tokens.ts";
import type { MadeToken } from "./tokens.ts";

/** Actions of an outside agent if its owner names none: changes of notes, one file each. */
export const USUAL_ACTIONS: readonly Action[] = ["propose-note", "propose-edit", "propose-tag", "propose-comment"];

export interface ConnectWish {
  /** Slug of the agent. */
  readonly agent: string;
  readonly by: Identity;
  /** Name of the token. */
  readonly name: string;
  readonly grant?: Partial<OutsideGrant> | undefined;
  /** Other agents whose runs it may start. */
  readonly starts?: readonly string[] | undefined;
  readonly days?: number | undefined;
}

export interface Connected extends MadeToken {
  readonly agent: string;
  readonly name: string;
  readonly created: boolean;
}

/**
 * Connects a program outside of the garden: creates an agent for it whose contract is its grant, activates it and makes a token. An
 * agent that exists gets one more token and keeps its contract. After a crash a repetition continues where it stopped.
 */
export async function connectAgent(garden: Garden, wish: ConnectWish): Promise<Connected> {
  const { agent: slug, by, name, starts = [], days } = wish;
  const created = await ensureOutsideAgent(garden, wish);
  // Its own procedure asks a person.
  const may = [...new Set([slug, ...starts])];
  const made = await issueAgentToken(garden, { slug, name, days, starts: may, by: identityName(by) });
  return { agent: slug, created, ...made };
}

/** Creates the agent of a program and activates it; returns whether it was created. An agent that exists keeps its contract. */
export async function ensureOutsideAgent(
  garden: Garden,
  { agent: slug, by, grant }: Pick<ConnectWish, "agent" | "by" | "grant">,
): Promise<boolean> {
  if (!isSlug(slug)) throw invalidSlug(slug);
  const known = await findAgent(garden.store, slug);
  if (known && grant && known.contract.status !== "draft") throw grantIsContract(slug);
  if (!known) {
    const from = { kind: "outside", ...grant, actions: grant?.actions ?? USUAL_ACTIONS } as const;
    await createAgent(garden, { slug, by, language: garden.config.language ?? "en", name: slug, from });
  }
  if ((known?.contract.status ?? "draft") === "draft") await changeAgentStatus(garden, { slug, to: "active", by });
  return known === undefined;
}

/** The parts of a grant that the owner named; undefined if there is none. */
export function grantIn(
  named: {
    readonly [Part in keyof OutsideGrant]?: OutsideGrant[Part] | undefined;
  },
): Partial<OutsideGrant> | undefined {
  const given = Object.entries(named).filter(([, value]) => value !== undefined);
  return given.length === 0 ? undefined : Object.fromEntries(given);
}
