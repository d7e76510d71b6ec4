import { assert } from "../../base/assert.ts";
import { canonicalId } from "../../base/canonical.ts";
import type { Capabilities } from "./ceiling.ts";
import type { Contract } from "./contract.ts";

/** The capabilities that a contract grants, within its ceiling. `folderOf` completes the folder of the contract with the notes root. */
export function capabilitiesOf(contract: Contract, folderOf: (folder: string) => string): Capabilities {
  const { context, budget, sub_agents, ceiling } = contract;
  const own = context.folder === undefined ? undefined : [folderOf(context.folder)];
  const reads = commonFolders(own, ceiling?.reads);
  const writes = commonFolders(contract.proposes === "folder" ? own : undefined, ceiling?.writes);
  return {
    tools: [...contract.tools],
    safe_outputs: [...contract.safe_outputs],
    ...(reads && { reads }),
    ...(writes && { writes }),
    hosts: [...contract.network.allow],
    mcp: contract.mcp.map((server) => ({ ...server, tools: [...server.tools] })),
    memories: [...contract.reads_memory_of],
    ...(budget.tokens !== undefined && { tokens: budget.tokens }),
    ...(budget.calls !== undefined && { calls: budget.calls }),
    depth: sub_agents.depth,
    agents: sub_agents.most,
    tags: [...(contract.tags ? [contract.tags] : []), ...(ceiling?.tags ?? [])],
    lineage: [...new Set([contract.slug, ...(ceiling?.lineage ?? [])])],
  };
}

/** The capabilities that both have. The result is within each of the two (`grantsNoMore`). */
export function commonCapabilities(a: Capabilities, b: Capabilities): Capabilities {
  const reads = commonFolders(a.reads, b.reads);
  const writes = commonFolders(a.writes, b.writes);
  const tokens = smaller(a.tokens, b.tokens);
  const calls = smaller(a.calls, b.calls);
  return {
    tools: inBoth(a.tools, b.tools),
    safe_outputs: inBoth(a.safe_outputs, b.safe_outputs),
    ...(reads && { reads }),
    ...(writes && { writes }),
    hosts: deeper(a.hosts, b.hosts, coversHost),
    mcp: a.mcp.flatMap(({ name, url, tools }) => {
      const same = b.mcp.find((other) => other.name === name && other.url === url);
      return same ? [{ name, url, tools: inBoth(tools, same.tools) }] : [];
    }),
    memories: inBoth(a.memories, b.memories),
    ...(tokens !== undefined && { tokens }),
    ...(calls !== undefined && { calls }),
    depth: Math.min(a.depth, b.depth),
    agents: Math.min(a.agents, b.agents),
    tags: [...a.tags, ...b.tags.filter((limit) => !hasLimit(a.tags, limit))],
    lineage: [...new Set([...a.lineage, ...b.lineage])],
  };
}

/** True if `inner` allows nothing that `outer` does not. */
export const grantsNoMore = (inner: Capabilities, outer: Capabilities): boolean =>
  isSubset(inner.tools, outer.tools) &&
  isSubset(inner.safe_outputs, outer.safe_outputs) &&
  areCovered(inner.reads, outer.reads) &&
  areCovered(inner.writes, outer.writes) &&
  inner.hosts.every((host) => outer.hosts.some((one) => coversHost(one, host))) &&
  inner.mcp.every(({ name, url, tools }) =>
    outer.mcp.some((other) => other.name === name && other.url === url && isSubset(tools, other.tools)),
  ) &&
  isSubset(inner.memories, outer.memories) &&
  !isAbove(inner.tokens, outer.tokens) &&
  !isAbove(inner.calls, outer.calls) &&
  inner.depth <= outer.depth &&
  inner.agents <= outer.agents &&
  outer.tags.every((limit) => hasLimit(inner.tags, limit)) &&
  isSubset(outer.lineage, inner.lineage);

/** The contract of a run with a ceiling: what both allow. It carries the ceiling, for the folders and for sub-agents of its own. */
export function contractWithin(contract: Contract, ceiling: Capabilities | undefined): Contract {
  if (!ceiling) return contract;
  const common = commonCapabilities(capabilitiesOf(contract, String), ceiling);
  assert(grantsNoMore(common, ceiling), "a sub-agent may do no more than the run that asked for it");
  const { tokens, calls } = common;
  const isKept = (name: string, kept: readonly string[]): boolean => kept.includes(name);
  return {
    ...contract,
    tools: contract.tools.filter((tool) => isKept(tool, common.tools)),
    safe_outputs: contract.safe_outputs.filter((output) => isKept(output, common.safe_outputs)),
    network: { allow: common.hosts },
    mcp: common.mcp,
    reads_memory_of: common.memories,
    budget: { ...contract.budget, ...(tokens !== undefined && { tokens }), ...(calls !== undefined && { calls }) },
    sub_agents: { depth: common.depth, most: common.agents },
    ceiling,
  };
}

/** The folders that lie in both lists; undefined: all notes. An empty list: none. */
export function commonFolders(
  a: readonly string[] | undefined,
  b: readonly string[] | undefined,
): string[] | undefined {
  if (!a || !b) return a || b ? [...(a ?? b)!] : undefined;
  return deeper(a, b, coversFolder);
}

export const coversFolder = (outer: string, inner: string): boolean =>
  inner === outer || outer === "." || inner.startsWith(`${outer}/`);

/** `*.example.com` covers the hosts below example.com, and itself. */
export function coversHost(outer: string, inner: string): boolean {
  if (outer === inner) return true;
  return outer.startsWith("*.") && inner.replace(/^\*\./, "").endsWith(outer.slice(1));
}

/** The one of each pair that the other covers. */
function deeper(
  a: readonly string[],
  b: readonly string[],
  covers: (outer: string, inner: string) => boolean,
): string[] {
  const inB = a.filter((one) => b.some((other) => covers(other, one)));
  const inA = b.filter((one) => a.some((other) => covers(other, one)));
  return [...new Set([...inB, ...inA])];
}

type TagLimit = Capabilities["tags"][number];
const hasLimit = (limits: readonly TagLimit[], limit: TagLimit): boolean =>
  limits.some((one) => canonicalId(one) === canonicalId(limit));

const inBoth = (a: readonly string[], b: readonly string[]): string[] => a.filter((one) => b.includes(one));
const isSubset = (inner: readonly string[], outer: readonly string[]): boolean =>
  inner.every((one) => outer.includes(one));
const areCovered = (inner: readonly string[] | undefined, outer: readonly string[] | undefined): boolean =>
  outer === undefined || (inner?.every((one) => outer.some((other) => coversFolder(other, one))) ?? false);
const smaller = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
const isAbove = (inner: number | undefined, outer: number | undefined): boolean =>
  outer !== undefined && (inner === undefined || inner > outer);
