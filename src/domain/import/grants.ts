import type { Text } from "../../base/text.ts";
import { joined, verbatim } from "../../base/text.ts";
import { coversHost } from "../contract/capabilities.ts";
import type { Contract } from "../contract/contract.ts";
import type { Tool } from "../contract/tool.ts";
import type { Action } from "../proposal/action.ts";
import type { GrantRow } from "./import-report.ts";

/**
 * Everything that a source allowed, in terms of a contract. It is read from the source's permissions, never from the contract that was
 * made from it, so that `widenings` compares two independent readings.
 */
export interface SourceGrants {
  readonly tools: readonly Tool[];
  readonly outputs: readonly Action[];
  /** The most changes in one run; undefined: the source had no limit. */
  readonly proposals: number | undefined;
  /** The longest run in seconds; undefined: no limit. */
  readonly seconds: number | undefined;
  readonly turns: number | undefined;
  /** `api.example.com`, `*.example.com`. */
  readonly hosts: readonly string[];
  readonly mcp: readonly { readonly name: string; readonly url: string; readonly tools: readonly string[] }[];
  /** Schedules in UTC. */
  readonly crons: readonly string[];
  /** The tags that it may add and remove; `any`: all; undefined: none. */
  readonly tags: { readonly add?: TagGrant; readonly remove?: TagGrant };
}

export type TagGrant = "any" | readonly string[];

export const NO_GRANTS: SourceGrants = {
  tools: [],
  outputs: [],
  proposals: undefined,
  seconds: undefined,
  turns: undefined,
  hosts: [],
  mcp: [],
  crons: [],
  tags: {},
};

type Granted = Pick<
  Contract,
  | "tools"
  | "safe_outputs"
  | "budget"
  | "timeouts"
  | "max_steps"
  | "network"
  | "mcp"
  | "triggers"
  | "timezone"
  | "reads_memory_of"
  | "proposes"
  | "tags"
  | "workspace"
  | "status"
>;

/** Each ability of a contract that its source did not have; empty: the permissions shrank or stayed (I-1). */
export function widenings(source: SourceGrants, contract: Granted): Text[] {
  const found: Text[] = [];
  const wider = (field: string, value: unknown): number =>
    found.push({
      en: `${field}: ${String(value)} is more than the source allowed`,
      uk: `${field}: ${String(value)} — більше, ніж дозволяло джерело`,
    });
  for (const tool of contract.tools) if (!source.tools.includes(tool)) wider("tools", tool);
  for (const output of contract.safe_outputs) if (!source.outputs.includes(output)) wider("safe_outputs", output);
  if (isAbove(contract.budget.proposals, source.proposals)) wider("budget.proposals", contract.budget.proposals ?? "∞");
  if (isAbove(contract.timeouts.run_s, source.seconds)) wider("timeouts.run_s", contract.timeouts.run_s ?? "∞");
  if (isAbove(contract.max_steps, source.turns)) wider("max_steps", contract.max_steps);
  for (const host of contract.network.allow)
    if (!source.hosts.some((one) => coversHost(one, host))) wider("network.allow", host);
  for (const server of contract.mcp) {
    const before = source.mcp.find(({ name, url }) => name === server.name && url === server.url);
    if (!before) wider("mcp", `${server.name} ${server.url}`);
    for (const tool of server.tools) if (before && !before.tools.includes(tool)) wider(`mcp.${server.name}`, tool);
  }
  const { cron, events } = contract.triggers;
  if (cron !== null && !source.crons.includes(cron)) wider("triggers.cron", cron);
  if (cron !== null && contract.timezone !== "UTC") wider("timezone", contract.timezone ?? "–");
  for (const event of events ?? []) wider("triggers.events", event);
  for (const agent of contract.reads_memory_of) wider("reads_memory_of", agent);
  if (contract.workspace === "session" && !source.outputs.includes("propose-merge"))
    wider("workspace", contract.workspace);
  if (contract.proposes !== "folder") wider("proposes", contract.proposes);
  if (contract.safe_outputs.includes("propose-tag") && source.outputs.includes("propose-tag"))
    for (const way of ["add", "remove"] as const)
      for (const tag of widerTags(source.tags[way], contract.tags, way)) wider(`tags.${way}`, tag);
  if (contract.status !== "draft") wider("status", contract.status);
  return found;
}

/** The tags that a contract may add or remove and its source might not; `*`: any tag. */
function widerTags(before: TagGrant | undefined, after: Granted["tags"], way: "add" | "remove"): readonly string[] {
  const { change, only } = after ?? { change: "both" };
  if ((change !== "both" && change !== way) || before === "any") return [];
  return only ? only.filter((tag) => !before?.includes(tag)) : ["*"];
}

/** A missing limit is above every limit. */
const isAbove = (after: number | undefined, before: number | undefined): boolean =>
  before !== undefined && (after === undefined || after > before);

/** The permissions before and after, for people. `taken` are those of the source without any counterpart. */
export function grantRows(source: SourceGrants, contract: Granted, taken: readonly string[]): GrantRow[] {
  const rows: GrantRow[] = [];
  const row = (what: Text, before: readonly string[], after: readonly string[]): void => {
    if (before.length > 0 || after.length > 0) rows.push({ what, before: listText(before), after: listText(after) });
  };
  row({ en: "Tools", uk: "Інструменти" }, source.tools, contract.tools);
  row({ en: "May propose", uk: "Може пропонувати" }, source.outputs, contract.safe_outputs);
  row({ en: "Tags", uk: "Теги" }, tagGrants(source.tags), tagGrants(grantedTags(contract)));
  row({ en: "Changes in one run", uk: "Змін за запуск" }, limit(source.proposals), limit(contract.budget.proposals));
  row({ en: "Seconds in one run", uk: "Секунд на запуск" }, limit(source.seconds), limit(contract.timeouts.run_s));
  row({ en: "Hosts", uk: "Вузли" }, source.hosts, contract.network.allow);
  row(
    { en: "MCP tools", uk: "Інструменти MCP" },
    source.mcp.flatMap(({ name, tools }) => tools.map((tool) => `${name}/${tool}`)),
    contract.mcp.flatMap(({ name, tools }) => tools.map((tool) => `${name}/${tool}`)),
  );
  for (const one of taken) rows.push({ what: verbatim(one), before: ALLOWED, after: NONE });
  return rows;
}

const tagGrants = ({ add, remove }: SourceGrants["tags"]): string[] => [...signed("+", add), ...signed("−", remove)];
const signed = (sign: string, grant: TagGrant | undefined): string[] =>
  grant === undefined ? [] : grant === "any" ? [`${sign}*`] : grant.map((tag) => `${sign}${tag}`);
function grantedTags({ safe_outputs, tags }: Granted): SourceGrants["tags"] {
  if (!safe_outputs.includes("propose-tag")) return {};
  const { change, only = "any" } = tags ?? { change: "both" };
  return { ...(change !== "remove" && { add: only }), ...(change !== "add" && { remove: only }) };
}

const ALLOWED: Text = { en: "allowed", uk: "дозволено" };
const NONE: Text = { en: "none", uk: "немає" };
const listText = (items: readonly string[]): Text => (items.length === 0 ? NONE : joined(items.map(verbatim), ", "));
const limit = (most: number | undefined): string[] => (most === undefined ? [] : [String(most)]);
