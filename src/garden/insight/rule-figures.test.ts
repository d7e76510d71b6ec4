import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { patient } from "../../base/testing/patience.ts";
import { commandLineOwner as by, type Identity } from "../../domain/identity.ts";
import { contractKey } from "../../domain/layout.ts";
import type { Proposal } from "../../domain/proposal/proposal.ts";
import { contractText } from "../agents/testing/contract-text.ts";
import { proposeRevert } from "../changes/apply/propose-revert.ts";
import { decide } from "../changes/proposals/decide.ts";
import { sampleRun } from "../core/flow/testing/sample-run.ts";
import type { Garden } from "../core/garden.ts";
import { gardenWith } from "../testing/scratch.ts";
import { approved, wished } from "../testing/tended-garden.ts";
import { ruleFigures } from "./rule-figures.ts";

const RUN = "run_2026-02-14_075900_aaaaaa";
const tagger: Identity = { type: "agent", slug: "tagger", run: RUN };

async function ground(rules = "[]") {
  const made = await gardenWith({ "notes/a.md": "# A\n" });
  const { garden, dir } = made;
  writeFileSync(
    join(dir, "garden.yaml"),
    `version: 2\nname: Rose\nauto_approve: ${rules}\nlimits: { agent_per_minute: 1000 }\n`,
  );
  await garden.settings.reload();
  const text = contractText("tagger", { status: "active" });
  await garden.store.create(contractKey("tagger"), Buffer.from(text));
  await sampleRun(garden, { slug: "tagger", run: RUN, complete: false });
  return garden;
}

const note = (garden: Garden, name: string): Promise<Proposal> =>
  wished(garden, "propose-note", { path: `notes/shelf/${name}.md`, text: `# ${name}\n` }, tagger);

async function takenBack(garden: Garden, { id }: Proposal): Promise<void> {
  const received = await proposeRevert(garden, { proposal: id, by });
  if (received.kind === "refused") throw received.failure;
  await approved(garden, received.proposal);
}

test(
  "P-9 twenty alike changes that the owner approved suggest a rule of their folder, until one is rejected or taken back",
  async () => {
    const garden = await ground();
    const proposals: Proposal[] = [];
    for (let count = 0; count < 19; count++) proposals.push(await approved(garden, await note(garden, `n${count}`)));
    expect((await ruleFigures(garden)).suggestions).toEqual([]);
    proposals.push(await approved(garden, await note(garden, "n19")));
    const { suggestions, read } = await ruleFigures(garden);
    expect(suggestions).toEqual([
      {
        identity: "tagger",
        action: "propose-note",
        folder: "notes/shelf",
        approved: 20,
        examples: proposals
          .toReversed()
          .slice(0, 5)
          .map(({ id }) => id),
      },
    ]);
    expect(read).toBe(20);
    const { id, digest } = await note(garden, "n20");
    await decide(garden, { proposal: id, verdict: "reject", digest, by, note: "no" });
    expect((await ruleFigures(garden)).suggestions).toEqual([]);
  },
  patient(60_000),
);

test("P-9 the regret of a rule is the share of its approvals that were taken back; its number may change", async () => {
  const rule = "{ source: agent, identity: tagger, actions: [propose-note] }";
  const garden = await ground(`[${rule}]`);
  const [first] = [await note(garden, "a"), await note(garden, "b"), await note(garden, "c")];
  await takenBack(garden, first);
  const { rules } = await ruleFigures(garden);
  expect(rules).toEqual([
    { name: "rule:1", approved: 3, undone: [first.id], low: expect.closeTo(0.06, 1), high: expect.closeTo(0.79, 1) },
  ]);
  const other = "{ name: own, source: agent, identity: none, actions: [propose-tag] }";
  writeFileSync(join(garden.dir, "garden.yaml"), `version: 2\nname: Rose\nauto_approve: [${other}, ${rule}]\n`);
  await garden.settings.reload();
  expect((await ruleFigures(garden)).rules.map(({ name, approved: count }) => `${name} ${count}`)).toEqual([
    "rule:own 0",
    "rule:2 3",
  ]);
});
