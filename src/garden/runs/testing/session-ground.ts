import type { Script } from "../../../adapters/runtime/testing/scripted-model.ts";
import { scriptedModel } from "../../../adapters/runtime/testing/scripted-model.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { RunPlace } from "../../core/flow/journal.ts";
import type { Garden } from "../../core/garden.ts";
import { readProposal } from "../../records/proposals/proposal-log.ts";
import { type RunSession, runSessionOf } from "../../sessions/run-session.ts";
import { testPorts } from "../../testing/scratch.ts";
import { live, manifestOf, portsWith, requestedRun } from "./agent-ground.ts";
import { plant } from "./planted-agent.ts";

/** The contract of an agent that works on a branch. */
export const onBranch = {
  tools: "[read-notes, read-context, write-note, move-note, delete-note, create-proposal, ask-human]",
  safe_outputs: "[propose-merge]",
  workspace: "session",
  max_steps: "20",
} as const;

/** The body of an agent that the follower walks icon by icon. */
const procedureOf = (...lines: string[]): string => `BEGIN "Tidy"\n  ${lines.join("\n  ")}\nEND\n`;

/** An active agent; with `lines`, its procedure and diagram. */
export const planted = (
  garden: Garden,
  slug: string,
  contract: Readonly<Record<string, string>>,
  lines?: readonly string[],
): Promise<void> => plant(testPorts(), garden, { slug, contract, ...(lines && { procedure: procedureOf(...lines) }) });

export interface SessionRun {
  readonly place: RunPlace;
  readonly session: RunSession;
  readonly proposal: Proposal;
}

/** A run of an agent that works on a branch, to its end, with the proposal that it made. */
export async function sessionRun(
  garden: Garden,
  slug: string,
  how: { readonly lines: readonly string[] } | { readonly script: Script },
  over: Readonly<Record<string, string>> = {},
): Promise<SessionRun> {
  const flow = "lines" in how;
  const mode = flow ? { model: "bloom/follower", execution: "flow" } : { model: "claude-sonnet-4-5-20250929" };
  await planted(garden, slug, { ...onBranch, ...mode, ...over }, flow ? how.lines : undefined);
  const place = await requestedRun(garden, slug);
  await live(garden, place, portsWith(scriptedModel(flow ? [] : how.script)));
  const { outcome } = await manifestOf(garden, place);
  const [id] = (outcome as { readonly proposals?: readonly string[] }).proposals ?? [];
  if (id === undefined) throw new Error(JSON.stringify(await manifestOf(garden, place)));
  return { place, session: (await runSessionOf(garden.repo, place))!, proposal: await readProposal(garden.store, id) };
}
