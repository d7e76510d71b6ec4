import { expect, test } from "vitest";
import { scriptedModel } from "../../adapters/runtime/testing/scripted-model.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import { contractKey, keys } from "../../domain/layout.ts";
import type { Proposal } from "../../domain/proposal/proposal.ts";
import { everyKey } from "../../ports/store.ts";
import { decide } from "../changes/proposals/decide.ts";
import { expireDue } from "../changes/proposals/expire.ts";
import type { RunPlace } from "../core/flow/journal.ts";
import { closeFound, findGarden, type Garden } from "../core/garden.ts";
import { ensureLogicReport } from "../insight/learning/logic-report.ts";
import { verifyGarden } from "../insight/verify/verify.ts";
import { driftIn } from "../records/agents/agent-diagrams.ts";
import { readAgent } from "../records/agents/read-agent.ts";
import { drawn } from "../records/logic/testing/agent.ts";
import { readProposal } from "../records/proposals/proposal-log.ts";
import { listRuns } from "../runs/read-runs.ts";
import { live, manifestOf, portsWith, requestedRun, stepsOf } from "../runs/testing/agent-ground.ts";
import { closed, gardensLike, gardenWith, testPorts } from "../testing/scratch.ts";
import { changeAgentStatus } from "./lifecycle/change-status.ts";
import { createAgent } from "./lifecycle/create-agent.ts";

const SLUG = "archivist";
const MAIN = keys.diagram(SLUG, "main-flow.drakon.json");

const { open: withAgent } = gardensLike(async () => {
  const made = await gardenWith({ "notes/a.md": "# A\n" });
  const by = commandLineOwner;
  await createAgent(made.garden, { slug: SLUG, by, language: "en", from: { kind: "template" } });
  await changeAgentStatus(made.garden, { slug: SLUG, to: "active", by });
  return made;
});

const text = async ({ store }: Garden, key: string): Promise<string> =>
  Buffer.from((await store.get(key))!.bytes).toString();

async function edit(garden: Garden, key: string, change: (text: string) => string): Promise<void> {
  const before = await text(garden, key);
  const after = change(before);
  expect(after).not.toBe(before);
  const { hash } = (await garden.store.get(key))!;
  await garden.store.swap(key, hash, Buffer.from(after));
}

async function run(garden: Garden): Promise<RunPlace> {
  const place = await requestedRun(garden, SLUG);
  await live(garden, place, portsWith(scriptedModel([])));
  return place;
}

async function exportsIn(garden: Garden): Promise<Proposal[]> {
  const ids: string[] = [];
  for await (const { key } of everyKey(garden.store, "proposals/log/"))
    if (key.endsWith("/0000.json")) ids.push(key.split("/")[2]!);
  const found = await Promise.all(ids.map((id) => readProposal(garden.store, id)));
  return found.filter(({ source }) => source.type === "gateway");
}

const anotherLine = (body: string): string => body.replace(/^BEGIN .*$/m, "$&\n  look once more");
const drifts: readonly [
  name: string,
  key: string,
  change: (text: string) => string,
  kinds: readonly string[],
  version: string,
][] = [
  ["an edited body", contractKey(SLUG), anotherLine, ["body"], "v001"],
  ["edited pseudocode", keys.pseudocode(SLUG), anotherLine, ["pseudocode"], "v001"],
  [
    "a body that says it was edited",
    contractKey(SLUG),
    (body) => anotherLine(body).replace('"main-flow.drakon.json"', '"main-flow.drakon.json # modified manually"'),
    ["by-hand"],
    "v001",
  ],
  ["a new diagram", MAIN, () => drawn("x ← read-notes()"), ["pseudocode", "body"], "v002"],
];

test.each(drifts)(
  "D-6a after a run with %s, an export of the diagram is pending, and approving it removes the drift",
  async (_name, key, change, kinds, version) => {
    const made = await withAgent();
    const { garden } = made;
    await edit(garden, key, change);
    const edited = await text(garden, contractKey(SLUG));
    const place = await run(garden);
    const [loaded] = await stepsOf(garden, place);
    expect((loaded!.output as { drift: string[] }).drift).toEqual(kinds);
    const manifest = await manifestOf(garden, place);
    const listed = (await listRuns(garden)).runs.find(({ run_id }) => run_id === place.run);
    expect({ status: manifest.status, drift: manifest.drift, listed: listed?.drift }).toEqual({
      status: expect.not.stringMatching("cancelled") as string,
      drift: kinds,
      listed: kinds,
    });

    const [proposal, ...others] = await exportsIn(garden);
    expect(others).toEqual([]);
    expect(proposal).toMatchObject({
      action: "logic-update",
      status: "pending",
      operation: { payload: { agent: SLUG, rationale: { evidenceRuns: [place.run] } } },
    });
    await run(garden); // the same files: no second proposal
    expect(await exportsIn(garden)).toHaveLength(1);

    await ensureLogicReport(garden, proposal!);
    const { id, digest } = proposal!;
    const done = await decide(garden, { proposal: id, verdict: "approve", digest, by: commandLineOwner });
    expect(done.status).toBe("applied");
    const { text: now, contract } = await readAgent(garden.store, SLUG);
    expect(await driftIn(garden.store, { slug: SLUG, text: now, generatedFrom: contract.generated_from })).toEqual([]);
    expect(contract.logic_version).toBe(version);
    // The hand-written text is not lost.
    if (now !== edited && version === "v001") {
      const { entries } = await garden.store.list("audit/", { limit: 1000 });
      const replaced = entries.filter((entry) => entry.key.includes("body-replaced"));
      const kept = JSON.parse(await text(garden, replaced[0]!.key)) as { details: { replaced: string } };
      expect(kept.details.replaced).toBe(edited);
    }
    await closed(made);
    const found = await findGarden(testPorts(), made.dir);
    const findings = (await verifyGarden(found)).map(({ check, where }) => `${check} ${where}`);
    await closeFound(found);
    expect(findings).toEqual([]);
  },
);

test("D-6a after an expired export, any number of runs leave one pending export", async () => {
  const { garden } = await withAgent();
  await edit(garden, contractKey(SLUG), anotherLine);
  await run(garden);
  const [{ id }] = (await exportsIn(garden)) as [Proposal];
  const { expires_at } = await readProposal(garden.store, id);
  const later = { ...garden, world: { ...garden.world, now: () => Date.parse(expires_at) + 1 } };
  await expireDue(later);
  for (let runs = 0; runs < 3; runs++) await run(garden);
  expect((await exportsIn(garden)).map(({ status }) => status).toSorted()).toEqual(["expired", "pending"]);
});

test("D-6a a rejected export is not proposed again until one of the files changes", async () => {
  const { garden } = await withAgent();
  await edit(garden, contractKey(SLUG), anotherLine);
  await run(garden);
  const [{ id, digest }] = (await exportsIn(garden)) as [Proposal];
  await decide(garden, { proposal: id, verdict: "reject", digest, by: commandLineOwner, note: "mine" });
  await run(garden);
  expect(await exportsIn(garden)).toHaveLength(1);
  await edit(garden, contractKey(SLUG), anotherLine);
  await run(garden);
  expect((await exportsIn(garden)).map(({ status }) => status).toSorted()).toEqual(["pending", "rejected"]);
});

test("D-6a an export of a diagram with errors is refused with its reason, and the run still completes", async () => {
  const { garden } = await withAgent();
  await edit(garden, MAIN, () => "{}");
  const place = await run(garden);
  expect((await manifestOf(garden, place)).status).not.toBe("cancelled");
  expect(await exportsIn(garden)).toEqual([]);
  const { entries } = await garden.store.list("inbox/rejected/", { limit: 10 });
  expect(entries).toHaveLength(1);
});
