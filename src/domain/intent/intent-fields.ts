import { z } from "zod";
import { isSlug } from "../contract/slug.ts";

/** Fields that wishes share. */
export const line = z.string("line").regex(/^[^\u0000-\u001f\u007f]{1,200}$/, "line");
export const text = z.string("text").refine((value) => value.isWellFormed() && !value.includes("\0"), "text");
export const slug = z.string("slug").refine(isSlug, "slug");
export const oid = (error: "commit" | "hash") => z.string({ error }).regex(/^[0-9a-f]{40}$/, { error });

/** The source documents name an agent in three ways; any one of them is accepted. */
export const agentNames = { agent: slug.optional(), agentId: slug.optional(), targetAgentId: slug.optional() };

interface AgentNames {
  readonly agent?: string | undefined;
  readonly agentId?: string | undefined;
  readonly targetAgentId?: string | undefined;
}

const namesIn = ({ agent, agentId, targetAgentId }: AgentNames): Set<string> =>
  new Set([agent, agentId, targetAgentId].filter((name) => name !== undefined));

/**
 * A check across fields that runs even if single fields are invalid, so that all problems are reported at once.
 * `test` gets the raw fields and must not assume anything about them.
 */
export const across = (
  test: (fields: Readonly<Record<string, unknown>>) => boolean,
  error: string,
  field: string,
): [test: (value: unknown) => boolean, how: { error: string; path: string[]; when: typeof isGroup }] => [
  (value) => test(value as Readonly<Record<string, unknown>>),
  { error, path: [field], when: isGroup },
];

const isGroup = ({ value }: { value: unknown }): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Exactly one of these fields. */
export const oneOf = (names: readonly [string, ...string[]], error: string) =>
  across((fields) => names.filter((name) => fields[name] !== undefined).length === 1, error, names[0]);
export const either = (one: string, other: string, error: string) => oneOf([one, other], error);

export const theAgent = {
  once: across((fields) => namesIn(fields).size <= 1, "one-agent", "agent"),
  /** Replaces the three names by one `agent`; undefined if the sender omitted it and is an agent itself. */
  take: <T extends AgentNames>({ agent, agentId, targetAgentId, ...rest }: T) => ({
    ...rest,
    agent: [...namesIn({ agent, agentId, targetAgentId })][0],
  }),
};
