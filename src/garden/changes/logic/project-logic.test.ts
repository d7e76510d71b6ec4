import { expect, test } from "vitest";
import { Failure } from "../../../base/failure.ts";
import { contractKey, keys } from "../../../domain/layout.ts";
import type { Operation } from "../../../domain/proposal/operation.ts";
import type { Store } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { readAgent } from "../../records/agents/read-agent.ts";
import { readRegistry, storedRegistry } from "../../records/agents/registry.ts";
import { agent, drawn, procedure, stored, storeWith } from "../../records/logic/testing/agent.ts";
import { files, gardensLike, gardenWith, git } from "../../testing/scratch.ts";
import { applyProposal, resumeApplying } from "../apply/apply-proposal.ts";
import { approved } from "../apply/testing/proposals.ts";
import { projectLogic } from "./project-logic.ts";

const SLUG = "archivist";
const update = (currentVersion: string | undefined, ...lines: string[]): Operation => ({
  action: "logic-update",
  payload: {
    agent: SLUG,
    ...(currentVersion !== undefined && { currentVersion }),
    diagram: drawn(...lines),
    pseudocode: procedure(...lines),
    rationale: { problem: "x", evidenceRuns: [] },
    requiresHumanReview: true,
  },
});

const { open: withVersion } = gardensLike(async () => {
  const made = await gardenWith();
  await agent(made.garden);
  const { id } = await approved(made.garden, update(undefined, "перше"));
  await applyProposal(made.garden, id, "owner");
  return made;
});

const projection = async (garden: Garden): Promise<(string | undefined)[]> =>
  Promise.all(
    [keys.diagram(SLUG, "main-flow.drakon.json"), keys.pseudocode(SLUG), contractKey(SLUG)].map((key) =>
      stored(garden, key),
    ),
  );

/** A store in which the owner acts between a read of the contract and the next write. */
function meddled(store: Store, meddle: () => Promise<unknown>): Store {
  let done = false;
  return storeWith(store, {
    async swap(key, hash, bytes) {
      if (!done && key === contractKey(SLUG)) {
        done = true;
        await meddle();
      }
      return store.swap(key, hash, bytes);
    },
  });
}

test("C-8 the registry shows the new contract version that comes with a new logic version", async () => {
  const { garden } = await withVersion();
  const { agents } = await readRegistry(garden);
  await applyProposal(garden, (await approved(garden, update("v001", "друге"))).id, "owner");
  const { version } = (await readAgent(garden.store, SLUG)).contract;
  const listed = (await storedRegistry(garden.store))?.agents[0]?.version;
  expect({ listed, isNew: version !== agents[0]?.version }).toEqual({ listed: version, isNew: true });
});

test("L-2 a repeated projection writes nothing", async () => {
  const { garden } = await withVersion();
  const before = await projection(garden);
  expect(await projectLogic(garden, SLUG)).toEqual([]);
  expect(await projection(garden)).toEqual(before);
});

test("L-2 lost files are restored from git", async () => {
  const { garden } = await withVersion();
  const before = await projection(garden);
  for (const key of [keys.pseudocode(SLUG), keys.diagram(SLUG, "main-flow.drakon.json")])
    await garden.store.remove(key, (await garden.store.get(key))!.hash);
  expect(await projectLogic(garden, SLUG)).toHaveLength(2);
  expect(await projection(garden)).toEqual(before);
});

test("L-2 a concurrent edit of the contract by the owner is merged, not lost", async () => {
  const { garden } = await withVersion();
  const { id } = await approved(garden, update("v001", "друге"));
  const edit = async (): Promise<void> => {
    const now = (await garden.store.get(contractKey(SLUG)))!;
    const text = Buffer.from(now.bytes)
      .toString()
      .replace("status: draft", "status: draft # моє")
      .replace("Ти —", "Ви —");
    await garden.store.swap(contractKey(SLUG), now.hash, Buffer.from(text));
  };
  await applyProposal({ ...garden, store: meddled(garden.store, edit) }, id, "owner");
  const contract = await stored(garden, contractKey(SLUG));
  for (const part of ["status: draft # моє", "Ви — архіваріус", 'logic_version: "v002"', "  друге\n"])
    expect(contract).toContain(part);
});

test("L-2 after a crash between any two writes, resuming completes all three files and the proposal", async () => {
  const seen: string[] = [];
  for (let survives = 0; survives < 4; survives++) {
    const { garden } = await withVersion();
    const { id } = await approved(garden, update("v001", "друге"));
    let left = survives;
    const dying = async <T>(key: string, write: () => Promise<T>): Promise<T> => {
      if (key.startsWith("agents/") && left-- <= 0) {
        seen.push(key);
        throw new Failure("UPSTREAM_UNAVAILABLE", { en: "power cut", uk: "світло зникло" });
      }
      return write();
    };
    const { store } = garden;
    const broken = storeWith(store, {
      create: (key, bytes) => dying(key, () => store.create(key, bytes)),
      swap: (key, hash, bytes) => dying(key, () => store.swap(key, hash, bytes)),
    });
    await applyProposal({ ...garden, store: broken }, id, "owner").catch(() => undefined);
    await resumeApplying(garden);
    const [diagram, pseudocode, contract] = await projection(garden);
    expect({ diagram, pseudocode }).toEqual({ diagram: drawn("друге"), pseudocode: procedure("друге") });
    expect(contract).toContain("  друге\n");
    expect(contract!.match(/version: 1\.\d+\.0/)?.[0]).toBe("version: 1.2.0");
  }
  expect(new Set(seen).size).toBe(3);
});

test("L-2 two concurrent projections end with the newer version", async () => {
  const { garden } = await withVersion();
  const first = (await approved(garden, update("v001", "друге"))).id;
  await applyProposal(garden, first, "owner");
  const second = (await approved(garden, update("v002", "третє"))).id;
  await Promise.all([applyProposal(garden, second, "owner"), projectLogic(garden, SLUG), projectLogic(garden, SLUG)]);
  await projectLogic(garden, SLUG);
  const [diagram, , contract] = await projection(garden);
  expect(diagram).toBe(drawn("третє"));
  expect(contract).toContain('logic_version: "v003"');
});

test("D-6a a body marked as changed by hand is kept by every other projection", async () => {
  const { garden } = await withVersion();
  const now = (await garden.store.get(contractKey(SLUG)))!;
  const byHand = Buffer.from(now.bytes)
    .toString()
    .replace('"main-flow.drakon.json"', '"main-flow.drakon.json # modified manually"')
    .replace("  перше\n", "  моє\n");
  await garden.store.swap(contractKey(SLUG), now.hash, Buffer.from(byHand));
  expect(await projectLogic(garden, SLUG)).toEqual([]);
  expect(await stored(garden, contractKey(SLUG))).toBe(byHand);
});

test("L-2 broken logic in git is not projected into the store", async () => {
  const { garden, dir } = await withVersion();
  const before = await projection(garden);
  files(dir, { "logic/archivist/current.drakon.json": "{" });
  git(dir, "commit", "-qam", "by hand");
  expect(await projectLogic(garden, SLUG)).toEqual([]);
  expect(await projection(garden)).toEqual(before);
});

test("C-1 a projection without a contract writes nothing", async () => {
  const { garden } = await withVersion();
  await garden.store.remove(contractKey(SLUG), (await garden.store.get(contractKey(SLUG)))!.hash);
  await garden.store.remove(keys.pseudocode(SLUG), (await garden.store.get(keys.pseudocode(SLUG)))!.hash);
  expect({
    projected: await projectLogic(garden, SLUG),
    pseudocode: await stored(garden, keys.pseudocode(SLUG)),
  }).toEqual({ projected: [], pseudocode: undefined });
});
