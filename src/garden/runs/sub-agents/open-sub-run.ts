import { assert } from "../../../base/assert.ts";
import { canonicalId, type Json } from "../../../base/canonical.ts";
import { crashPoint } from "../../../base/crash-point.ts";
import { capabilitiesOf, commonFolders, coversFolder, grantsNoMore } from "../../../domain/contract/capabilities.ts";
import type { Capabilities } from "../../../domain/contract/ceiling.ts";
import { keys } from "../../../domain/layout.ts";
import { isExperiment, MAX_CHAIN } from "../../../domain/run/run.ts";
import { childRunId, SPAWN_AGENT, type SubRun, subRun, subRunIdOf } from "../../../domain/run/sub-run.ts";
import { createRecord } from "../../core/flow/create-record.ts";
import { decisionNeeded } from "../../core/flow/decision-needed.ts";
import { readJournal } from "../../core/flow/journal.ts";
import { realPause } from "../../core/flow/pause.ts";
import { jsonBytes, readJson } from "../../core/json-record.ts";
import { readAgent } from "../../records/agents/read-agent.ts";
import { folderInNotes } from "../../records/notes/visible-notes.ts";
import { operationMark } from "../../records/proposals/operation-mark.ts";
import { agentNotRunnable } from "../failures.ts";
import { requestAt } from "../open-runs.ts";
import { requestRun } from "../request-run.ts";
import type { ToolContext } from "../tools/tool.ts";
import type { Workspace } from "../tools/workspace.ts";
import { capabilitiesLeft, usedIn } from "./budget.ts";
import { budgetForSubAgent, foldersNotGranted, noBranchForSubAgent, tooDeep, tooManySubAgents } from "./failures.ts";
import { childPlace, subRunAt } from "./sub-runs.ts";

export interface SubAgentWish {
  readonly agent: string;
  readonly goal: string;
  readonly input?: Json | undefined;
  /** Narrows the folders that the sub-agent sees and writes. */
  readonly folders?: readonly string[] | undefined;
}

/**
 * Asks for the run of a sub-agent (E3, E6). Idempotent: the record is created once under an id that the run and the number of the call
 * give, and the id of the sub-agent's run is derived from it. A process that dies in between leaves a record without a run: the next
 * attempt requests that run. Throws FORBIDDEN, NOT_FOUND or INVALID_AGENT_TRANSITION if the run may not have this sub-agent.
 */
export async function openSubRun(
  context: ToolContext & { readonly workspace: Workspace },
  number: number,
  wish: SubAgentWish,
): Promise<SubRun> {
  const { garden, slug, run } = context;
  const place = { slug, run };
  const id = subRunIdOf(run, number);
  const asked = canonicalId(JSON.parse(JSON.stringify(wish)) as Json);
  const known = await subRunAt(garden.store, place, id);
  if (known && known.asked !== asked)
    throw decisionNeeded(
      "changed",
      { run, position: number, name: SPAWN_AGENT, hash: asked },
      { name: SPAWN_AGENT, input_hash: known.asked },
    );
  // The run exists: whatever has changed since, it is waited for.
  if (known && (await requestAt(garden.store, childPlace(known)))) return known;
  const ceiling = await ceilingFor(context, wish);
  const record = known ?? (await recordSubRun(context, { id, asked, agent: wish.agent }));
  crashPoint("sub-run.recorded");
  const request = await requestAt(garden.store, place);
  await requestRun(garden, {
    slug: record.child.agent,
    id: record.child.run,
    trigger: "agent",
    cause: run,
    by: slug,
    input: { ...membersOf(wish.input), goal: wish.goal },
    chain: [...new Set([...(request?.chain ?? []), slug])].slice(-MAX_CHAIN),
    spawned_by: { run, agent: slug, request: id, session: record.session, at: record.at },
    ceiling,
    experiment: request !== undefined && isExperiment(request),
  });
  crashPoint("sub-run.requested");
  return record;
}

const membersOf = (input: Json | undefined): { readonly [name: string]: Json } =>
  typeof input === "object" && input !== null && !Array.isArray(input)
    ? (input as { readonly [name: string]: Json })
    : input === undefined
      ? {}
      : { input };

async function recordSubRun(
  { garden, slug, run, workspace }: ToolContext & { readonly workspace: Workspace },
  { id, asked, agent }: { readonly id: string; readonly asked: string; readonly agent: string },
): Promise<SubRun> {
  await workspace.refresh();
  const asked_at = new Date(garden.world.now()).toISOString();
  const draft = subRun.parse({
    id,
    run_id: run,
    agent_slug: slug,
    child: { agent, run: childRunId(id, asked_at) },
    asked,
    session: workspace.session,
    at: workspace.head,
    asked_at,
    op: operationMark(garden.world),
  });
  const key = keys.subRun(slug, run, id);
  const { bytes } = await createRecord({ store: garden.store, pause: realPause }, key, jsonBytes(draft));
  return readJson(key, bytes, subRun);
}

/** The most that the sub-agent may do: what this run may do itself, less what it has used. Throws if that leaves no room for one. */
async function ceilingFor({ garden, slug, run, contract }: ToolContext, wish: SubAgentWish): Promise<Capabilities> {
  const { notes_root: root } = garden.config;
  const own = capabilitiesOf(contract, (folder) => folderInNotes(folder, root));
  const used = usedIn((await readJournal(garden.store, { slug, run }))?.records ?? []);
  const left = capabilitiesLeft({ ...own, memories: [...new Set([slug, ...own.memories])] }, used);
  if (left.depth < 1) throw tooDeep(slug);
  if (left.agents < 1) throw tooManySubAgents(slug, used.agents);
  if (left.tokens === 0) throw budgetForSubAgent(slug, "tokens");
  if (left.calls === 0) throw budgetForSubAgent(slug, "calls");
  const { contract: asked } = await readAgent(garden.store, wish.agent);
  if (asked.status !== "active") throw agentNotRunnable(wish.agent, asked.status);
  if (asked.workspace !== "session") throw noBranchForSubAgent(wish.agent);
  const folders = wish.folders?.map((folder) => folderInNotes(folder.replace(/\/+$/, ""), root));
  const outside = folders?.filter((one) => left.reads && !left.reads.some((other) => coversFolder(other, one))) ?? [];
  if (outside.length > 0) throw foldersNotGranted(slug, outside);
  const [reads, writes] = [commonFolders(left.reads, folders), commonFolders(left.writes, folders)];
  const ceiling: Capabilities = {
    ...left,
    ...(reads && { reads }),
    ...(writes && { writes }),
    depth: left.depth - 1,
    agents: left.agents - 1,
  };
  assert(grantsNoMore(ceiling, left), "a ceiling is within the capabilities of the run that asks");
  return ceiling;
}
