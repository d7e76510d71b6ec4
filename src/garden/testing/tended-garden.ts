import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { fixedWorld } from "../../base/testing/fixed-world.ts";
import { commandLineOwner, type Identity } from "../../domain/identity.ts";
import { MAIN_REF } from "../../domain/layout.ts";
import type { Proposal } from "../../domain/proposal/proposal.ts";
import { readDiagram } from "../../drakon/diagram/diagram.ts";
import { changeAgentStatus } from "../agents/lifecycle/change-status.ts";
import { createAgent } from "../agents/lifecycle/create-agent.ts";
import { reviewProposal } from "../changes/effect/review.ts";
import { receive } from "../changes/inbox/receive.ts";
import { decide } from "../changes/proposals/decide.ts";
import { expireDue } from "../changes/proposals/expire.ts";
import { type SampleRun, sampleRun } from "../core/flow/testing/sample-run.ts";
import type { Garden } from "../core/garden.ts";
import { readAgent } from "../records/agents/read-agent.ts";
import { findLogic } from "../records/logic/logic-state.ts";
import { readProposal } from "../records/proposals/proposal-log.ts";
import { closed, files, gardenWith, scratch, testPorts } from "./scratch.ts";

/** A garden in which everything has happened once, through the verbs themselves. */
export interface TendedGarden {
  readonly garden: Garden;
  readonly dir: string;
  readonly agent: string;
  readonly run: SampleRun;
  /** The icon of the step that made the agent's proposal. */
  readonly icon: string;
  readonly proposals: Readonly<Record<Happened, Proposal>>;
}

type Happened =
  | "note"
  | "edit"
  | "tag"
  | "comment"
  | "memory"
  | "byAgent"
  | "rejected"
  | "failed"
  | "expired"
  | "pending";

/** One such garden for a whole file of tests, made once and closed; each test takes a copy of its folder. */
export function tendedCopies(): { readonly tended: Omit<TendedGarden, "garden" | "dir">; readonly copy: () => string } {
  let made: TendedGarden | undefined;
  let kept: string | undefined;
  beforeAll(async () => {
    made = await tendedGarden();
    await closed(made);
    kept = mkdtempSync(join(tmpdir(), "tended-"));
    cpSync(made.dir, join(kept, "rose"), { recursive: true });
  });
  afterAll(() => {
    if (kept !== undefined) rmSync(kept, { recursive: true, force: true });
  });
  return {
    get tended() {
      return made!;
    },
    copy() {
      const dir = join(scratch(), "rose");
      cpSync(join(kept!, "rose"), dir, { recursive: true });
      return dir;
    },
  };
}

export async function tendedGarden(): Promise<TendedGarden> {
  const world = jumpingWorld();
  const { garden, dir } = await gardenWith(
    { "notes/a.md": "# A\n\nfirst\n\nlast\n", "notes/б.md": "# Б\n" },
    testPorts(world),
  );
  const agent = "archivist";
  await createAgent(garden, { slug: agent, by: commandLineOwner, language: "en", from: { kind: "template" } });
  await changeAgentStatus(garden, { slug: agent, to: "active", by: commandLineOwner });

  const note = await approved(garden, await wished(garden, "propose-note", { path: "notes/new.md", text: "# New\n" }));
  const edit = await approved(
    garden,
    await wished(garden, "propose-edit", { path: "notes/a.md", text: "# A\n\nfirst\n\nlast one\n" }),
  );
  const tag = await approved(garden, await wished(garden, "propose-tag", { path: "notes/new.md", add: ["green"] }));
  const comment = await approved(
    garden,
    await wished(garden, "propose-comment", { note: "notes/a.md", text: "Which one?" }),
  );
  const memory = await approved(
    garden,
    await wished(garden, "memory-update", {
      agent,
      operations: [{ op: "append", file: "facts.md", text: "- The lime tree is old." }],
      expectedVersion: 0,
      priority: "normal",
    }),
  );
  const { asked, run, icon } = await askedByAgent(garden, agent);
  const byAgent = await approved(garden, asked);
  const rejected = await decided(
    garden,
    await wished(garden, "propose-note", { path: "notes/no.md", text: "no\n" }),
    "reject",
  );
  const expiring = await wished(garden, "propose-note", { path: "notes/late.md", text: "late\n" }, commandLineOwner, 1);
  world.jump(2 * 3_600_000);
  await expireDue(garden);
  const pending = await wished(garden, "propose-note", { path: "notes/soon.md", text: "soon\n" });
  const failing = await wished(garden, "propose-edit", { path: "notes/б.md", text: "# Б\n\nbetter\n" });
  files(dir, { "notes/б.md": "# Б\n\nby hand\n" });
  const failed = await approved(garden, failing);
  files(dir, { "notes/б.md": "# Б\n" });
  const expired = await readProposal(garden.store, expiring.id);
  const proposals = { note, edit, tag, comment, memory, byAgent, rejected, failed, expired, pending };
  return { garden, dir, agent, run, icon, proposals };
}

/** A proposal of an agent in a run. */
async function askedByAgent(garden: Garden, agent: string): Promise<{ asked: Proposal; run: SampleRun; icon: string }> {
  const head = (await garden.repo.resolve(MAIN_REF))!;
  const logic = (await findLogic(garden.repo, head, agent))!;
  const { contract } = await readAgent(garden.store, agent);
  const icons = [...readDiagram(logic.diagram!).diagram.icons.values()].filter(({ text }) => text !== "");
  const icon = icons.at(-1)!.id;
  let asked: Proposal | undefined;
  const run = await sampleRun(garden, {
    slug: agent,
    version: contract.version,
    logic: logic.meta.logicVersion,
    icons: [icons[0]!.id, icons[0]!.id, icon],
    proposals: async (id) => {
      const payload = { path: "notes/a.md", add: ["sorted"] };
      asked = await wished(garden, "propose-tag", payload, { type: "agent", slug: agent, run: id });
      return [asked.id];
    },
  });
  return { asked: asked!, run, icon };
}

export async function wished(
  garden: Garden,
  action: string,
  payload: object,
  identity: Identity = commandLineOwner,
  ttl_hours = 72,
): Promise<Proposal> {
  const received = await receive(garden, { identity, action, payload, ttl_hours, summary: `Try ${action}` });
  if (received.kind === "refused") throw received.failure;
  return received.proposal;
}

export const approved = (garden: Garden, proposal: Proposal): Promise<Proposal> => decided(garden, proposal, "approve");

async function decided(garden: Garden, proposal: Proposal, verdict: "approve" | "reject"): Promise<Proposal> {
  const { digest } = await reviewProposal(garden, proposal);
  return decide(garden, { proposal: proposal.id, verdict, digest, by: commandLineOwner, note: "because" });
}

/** A clock that advances one second per reading, and by what a test skips. */
function jumpingWorld(): { now(): number; random(count: number): Uint8Array; jump(ms: number): void } {
  const steady = fixedWorld("2026-02-14T08:00:00Z", 1000);
  let skipped = 0;
  return {
    now: () => steady.now() + skipped,
    random: (count) => steady.random(count),
    jump: (ms) => void (skipped += ms),
  };
}
