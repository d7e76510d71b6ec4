import { join } from "node:path";
import { followerModel } from "../../../../adapters/runtime/follower/follower-model.ts";
import type { Json } from "../../../../base/canonical.ts";
import { commandLineOwner } from "../../../../domain/identity.ts";
import type { Proposal } from "../../../../domain/proposal/proposal.ts";
import type { RunManifest } from "../../../../domain/run/run-manifest.ts";
import { diagramFromTree } from "../../../../drakon/from-tree/diagram-from-tree.ts";
import { parsePseudocode } from "../../../../drakon/text/parse.ts";
import { changeAgentStatus } from "../../../agents/lifecycle/change-status.ts";
import { createAgent } from "../../../agents/lifecycle/create-agent.ts";
import { reviewProposal } from "../../../changes/effect/review.ts";
import { decide } from "../../../changes/proposals/decide.ts";
import type { Garden } from "../../../core/garden.ts";
import { readProposal } from "../../../records/proposals/proposal-log.ts";
import { live, manifestOf, portsWith, requestedRun } from "../../../runs/testing/agent-ground.ts";
import { testPorts } from "../../../testing/scratch.ts";
import { proposalsOf } from "../proposal-fates.ts";

/** Logic with a missing check: it comments on empty notes, which the owner rejects. */
const TELLING = `BEGIN "Tell about a note"
  PARAMETERS: note

  text ← read-context(note)
  create-proposal(type: "propose-comment", note: note, content: "This note says: " + text)

END
`;

/** Seven notes, three of them empty. */
export const notesToTell = (): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: 7 }, (_, index) => [
      `notes/n${index}.md`,
      index < 4 ? `# Note ${index}\n\nIt has ${index + 1} lines.\n` : "",
    ]),
  );

export async function activeTeller(garden: Garden, slug: string, procedure = TELLING): Promise<void> {
  const bytes = Buffer.from(diagramFromTree(parsePseudocode(procedure).tree!).source.text);
  const from = { kind: "diagram", file: "main-flow.drakon.json", bytes } as const;
  await createAgent(garden, { slug, by: commandLineOwner, language: "en", from });
  await changeAgentStatus(garden, { slug, to: "active", by: commandLineOwner });
}

/** The optimizer of the examples. */
export async function activeOptimizer(garden: Garden, slug = "optimizer", language: "uk" | "en" = "en"): Promise<void> {
  const dir = join(import.meta.dirname, "../../../../../examples/demo-agents", language, "optimizer");
  const folder = testPorts().folders.at(dir);
  await createAgent(garden, { slug, by: commandLineOwner, language, from: { kind: "folder", folder } });
  await changeAgentStatus(garden, { slug, to: "active", by: commandLineOwner });
}

/** Runs an agent with the follower to the end. */
export async function ran(garden: Garden, slug: string, input?: Json): Promise<RunManifest> {
  const place = await requestedRun(garden, slug, input);
  await live(garden, place, portsWith(followerModel()));
  return manifestOf(garden, place);
}

/** Decides all proposals of a run. */
export async function judged(
  garden: Garden,
  manifest: RunManifest,
  verdict: (proposal: Proposal) => "approve" | "reject",
  note = "There is nothing in it",
): Promise<readonly Proposal[]> {
  const decided: Proposal[] = [];
  for (const id of await proposalsOf(garden.store, manifest)) {
    const proposal = await readProposal(garden.store, id);
    const { digest } = await reviewProposal(garden, proposal);
    decided.push(
      await decide(garden, { proposal: id, verdict: verdict(proposal), digest, by: commandLineOwner, note }),
    );
  }
  return decided;
}

/** `count` decided runs of a teller: comments on empty notes are rejected. */
export async function toldAndJudged(garden: Garden, slug: string, count: number): Promise<readonly RunManifest[]> {
  const runs: RunManifest[] = [];
  for (let index = 0; index < count; index++) {
    const manifest = await ran(garden, slug, { note: `notes/n${index % 7}.md` });
    await judged(garden, manifest, ({ operation }) =>
      operation.action === "propose-comment" && operation.payload.text.trim() === "This note says:"
        ? "reject"
        : "approve",
    );
    runs.push(manifest);
  }
  return runs;
}
