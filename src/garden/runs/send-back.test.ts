import { describe, expect, test } from "vitest";
import { type Script, scriptedModel } from "../../adapters/runtime/testing/scripted-model.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { keys } from "../../domain/layout.ts";
import type { Proposal } from "../../domain/proposal/proposal.ts";
import { changeAgentStatus } from "../agents/lifecycle/change-status.ts";
import { listPending } from "../changes/proposals/list-proposals.ts";
import { addRemark, remarksOn } from "../changes/proposals/remarks.ts";
import type { Garden } from "../core/garden.ts";
import { readProposal } from "../records/proposals/proposal-log.ts";
import { resumeRevisions, sendBack } from "./send-back.ts";
import { activeAgent, live, portsWith, requestedRun } from "./testing/agent-ground.ts";
import { oneGarden } from "./testing/one-garden.ts";

const shared = oneGarden();
let agents = 0;
const by = commandLineOwner;

const writing = (slug: string, version: string): Script => [
  {
    calls: [
      {
        tool: "create-proposal",
        input: { type: "propose-note", path: `notes/${slug}-${version}.md`, text: `# ${slug} ${version}\n` },
      },
    ],
  },
  { text: "One proposal." },
];

const onlyPending = async (garden: Garden, slug: string): Promise<Proposal> => {
  const { proposals } = await listPending(garden, { agent: slug });
  return readProposal(garden.store, proposals.at(-1)!.id);
};

/** An agent whose first run has proposed a note. */
async function proposed() {
  const garden = shared();
  const slug = `writer-${++agents}`;
  await activeAgent(garden, slug, { model: "claude-sonnet-4-5-20250929", max_steps: "6" });
  const place = await requestedRun(garden, slug, { about: "sage" });
  await live(garden, place, portsWith(scriptedModel(writing(slug, "first"))));
  return { garden, slug, proposal: await onlyPending(garden, slug) };
}

/** Carries out the run that revises, with a model that records its prompt. */
async function revise(garden: Garden, slug: string, sent: Proposal, version: string): Promise<string> {
  const model = scriptedModel(writing(slug, version));
  await live(garden, { slug, run: sent.approval!.revision_requested!.run }, portsWith(model));
  return JSON.stringify(model.seen);
}

describe("P-10c send back", () => {
  test("P-10c a proposal that is sent back is rejected, and a run with its remarks and input revises it", async () => {
    const { garden, slug, proposal } = await proposed();
    const place = { path: proposal.target, line: 1, side: "after", quote: "# writer" } as const;
    await addRemark(garden, { proposal: proposal.id, by, text: "Name the herb", place });
    const sent = await sendBack(garden, { proposal: proposal.id, digest: proposal.digest, by, note: "Shorter" });
    const prompt = await revise(garden, slug, sent, "second");
    const next = await onlyPending(garden, slug);
    expect({
      status: sent.status,
      note: sent.approval?.decision_note,
      told: ["Name the herb", "Shorter", "# writer", "sage"].filter((words) => prompt.includes(words)),
      revises: next.revises,
      mark: await garden.store.get(keys.openRevision(proposal.id)),
    }).toEqual({
      status: "rejected",
      note: "Shorter",
      told: ["Name the herb", "Shorter", "# writer", "sage"],
      revises: proposal.id,
      mark: undefined,
    });
  });

  test("P-10c the fourth revision in a row is refused, and the proposal stays pending", async () => {
    const { garden, slug, proposal } = await proposed();
    let at = proposal;
    for (const version of ["second", "third", "fourth"]) {
      const sent = await sendBack(garden, { proposal: at.id, digest: at.digest, by, note: "Again" });
      await revise(garden, slug, sent, version);
      at = await onlyPending(garden, slug);
    }
    await expect(sendBack(garden, { proposal: at.id, digest: at.digest, by, note: "Again" })).rejects.toMatchObject({
      code: "INVALID_TRANSITION",
    });
    expect((await readProposal(garden.store, at.id)).status).toBe("pending");
  });

  test.for([
    { name: "without a remark", act: async () => undefined, code: "VALIDATION_FAILED", note: "" },
    {
      name: "to a paused agent",
      act: (garden: Garden, slug: string) => changeAgentStatus(garden, { slug, to: "paused", by }),
      code: "INVALID_AGENT_TRANSITION",
      note: "Shorter",
    },
  ])("P-10c sending back $name is refused, and nothing is decided", async ({ act, code, note }) => {
    const { garden, slug, proposal } = await proposed();
    await act(garden, slug);
    await expect(sendBack(garden, { proposal: proposal.id, digest: proposal.digest, by, note })).rejects.toMatchObject({
      code,
    });
    expect((await readProposal(garden.store, proposal.id)).status).toBe("pending");
  });

  test("P-10c a revision that is the same change again is not proposed, and the agent says so at the proposal", async () => {
    const { garden, slug, proposal } = await proposed();
    const sent = await sendBack(garden, { proposal: proposal.id, digest: proposal.digest, by, note: "Shorter" });
    const { run } = sent.approval!.revision_requested!;
    await revise(garden, slug, sent, "first");
    const { proposals } = await listPending(garden, { agent: slug });
    const remarks = await remarksOn(garden.store, proposal.id);
    const manifest = await garden.store.get(keys.runManifest(slug, run));
    const { outcome } = JSON.parse(Buffer.from(manifest!.bytes).toString()) as { outcome: { kind: string } };
    expect({ pending: proposals.length, kind: outcome.kind, said: remarks.map(({ by: who }) => who) }).toEqual({
      pending: 0,
      kind: "noop",
      said: [slug],
    });
    expect(remarks[0]?.text).toContain("without what the comments ask for");
  });

  test("P-10c a run that a crash left out is requested at the next start, once", async () => {
    const { garden, slug, proposal } = await proposed();
    const sent = await sendBack(garden, { proposal: proposal.id, digest: proposal.digest, by, note: "Shorter" });
    const { run } = sent.approval!.revision_requested!;
    const request = keys.runRequest(slug, run);
    const first = (await garden.store.get(request))!.hash;
    await garden.store.put(keys.openRevision(proposal.id), Buffer.from("{}"));
    await resumeRevisions(garden);
    expect([(await garden.store.get(request))!.hash, await garden.store.get(keys.openRevision(proposal.id))]).toEqual([
      first,
      undefined,
    ]);
  });
});

test("P-10c a remark with the same key is recorded once, and decides nothing", async () => {
  const { garden, proposal } = await proposed();
  const said = { proposal: proposal.id, by, text: "Which herb?", key: "web-1" };
  const [first, second] = [await addRemark(garden, said), await addRemark(garden, said)];
  await Promise.all(["a", "b", "c"].map((text) => addRemark(garden, { proposal: proposal.id, by, text })));
  const remarks = await remarksOn(garden.store, proposal.id);
  const { status } = await readProposal(garden.store, proposal.id);
  expect({ same: second.number === first.number, numbers: remarks.map(({ number }) => number), status }).toEqual({
    same: true,
    numbers: [0, 1, 2, 3],
    status: "pending",
  });
});

test("P-10c an agent may not comment on a proposal of another", async () => {
  const { garden, proposal } = await proposed();
  const other = { type: "agent", slug: "somebody-else" } as const;
  await expect(addRemark(garden, { proposal: proposal.id, by: other as never, text: "Mine?" })).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
});
