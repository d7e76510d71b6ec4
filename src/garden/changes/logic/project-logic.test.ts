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

/** A store in which the owner does something between a read of the contract and the write that follows it. */
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

test("C-8 the registry follows a new version of the logic, which makes a new version of the contract", async () => {
  const { garden } = await withVersion();
  const { agents } = await readRegistry(garden);
  await applyProposal(garden, (await approved(garden, update("v001", "друге"))).id, "owner");
  const { version } = (await readAgent(garden.store, SLUG)).contract;
  const listed = (await storedRegistry(garden.store))?.agents[0]?.version;
  expect([listed, version !== agents[0]?.version]).toEqual([version, true]);
});

test("L-2 projecting what is there already writes nothing", async () => {
  const { garden } = await withVersion();
  const before = await projection(garden);
  expect(await projectLogic(garden, SLUG)).toEqual([]);
  expect(await projection(garden)).toEqual(before);
});

test("L-2 lost files are made again from git", async () => {
  const { garden } = await withVersion();
  const before = await projection(garden);
  for (const key of [keys.pseudocode(SLUG), keys.diagram(SLUG, "main-flow.drakon.json")])
    await garden.store.remove(key, (await garden.store.get(key))!.hash);
  expect(await projectLogic(garden, SLUG)).toHaveLength(2);
  expect(await projection(garden)).toEqual(before);
});

test("L-2 an owner's edit of the contract at the same moment is worked in, not lost", async () => {
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

test("L-2 after a crash between any two writes, resuming completes the three and the proposal", async () => {
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
    expect([diagram, pseudocode]).toEqual([drawn("друге"), procedure("друге")]);
    expect(contract).toContain("  друге\n");
    expect(contract!.match(/version: 1\.\d+\.0/)?.[0]).toBe("version: 1.2.0");
  }
  expect(new Set(seen).size).toBe(3);
});

test("L-2 two projections of different versions at once end with the newer one", async () => {
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

test("D-6a a body that says it was changed by hand is left alone by every other projection", async () => {
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

test("L-2 logic that somebody broke in git does not spread to the store", async () => {
  const { garden, dir } = await withVersion();
  const before = await projection(garden);
  files(dir, { "logic/archivist/current.drakon.json": "{" });
  git(dir, "commit", "-qam", "by hand");
  expect(await projectLogic(garden, SLUG)).toEqual([]);
  expect(await projection(garden)).toEqual(before);
});

test("C-1 without a contract there is nothing to project into", async () => {
  const { garden } = await withVersion();
  await garden.store.remove(contractKey(SLUG), (await garden.store.get(contractKey(SLUG)))!.hash);
  await garden.store.remove(keys.pseudocode(SLUG), (await garden.store.get(keys.pseudocode(SLUG)))!.hash);
  expect([await projectLogic(garden, SLUG), await stored(garden, keys.pseudocode(SLUG))]).toEqual([[], undefined]);
});
