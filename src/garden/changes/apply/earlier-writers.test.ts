import { expect, test } from "vitest";
import { FAULTS, faultyStore } from "../../../adapters/store/testing/faulty-store.ts";
import { MAIN_REF } from "../../../domain/layout.ts";
import type { Operation } from "../../../domain/proposal/operation.ts";
import { closeGarden, type Garden, openGarden } from "../../core/garden.ts";
import { readProposal } from "../../records/proposals/proposal-log.ts";
import { closed, gardenWith, git, testPorts } from "../../testing/scratch.ts";
import { applyProposal, resumeApplying } from "./apply-proposal.ts";
import { runChild } from "./testing/crash-matrix.ts";
import { approved, note } from "./testing/proposals.ts";

const commitsOf = (dir: string, id: string): number =>
  git(dir, "log", "main", "--format=%H", `--grep=^Proposal: ${id}$`).split("\n").filter(Boolean).length;

const comment: Operation = { action: "propose-comment", payload: { note: "notes/a.md", text: "Why?" } };

test.each<[string, (number: number) => Operation]>([
  ["a new note", (number) => note(`notes/n${number}.md`, "N\n")],
  ["a comment", (number) => ({ action: "propose-comment", payload: { note: "notes/a.md", text: `${number}` } })],
])("P-7 a store failure at any write of %s loses and duplicates nothing", async (_, operation) => {
  const { garden, dir } = await gardenWith();
  const found: string[] = [];
  let number = 0;
  for (const fault of FAULTS) {
    for (let at = 1, reached = true; reached; at++) {
      const { id } = await approved(garden, operation(number++));
      const store = faultyStore(garden.store, { seed: at });
      store.faults.failAt(at, fault);
      await applyProposal({ ...garden, store }, id, "owner").catch(() => undefined);
      reached = store.faults.counts[fault] > 0;
      await resumeApplying(garden);
      const { status, apply_result: result } = await readProposal(garden.store, id);
      const { git_commit: commit, object_path: path } = result!;
      const there = commit === undefined ? (await garden.store.get(path!)) !== undefined : commitsOf(dir, id) === 1;
      if (status !== "applied" || !there) found.push(`${fault} at ${at}: ${status}`);
    }
  }
  expect({ found, failedOften: number > 20 }).toEqual({ found: [], failedOften: true });
});

test("P-7 many proposals at once on a randomly failing store are all applied in the end", async () => {
  const { garden, dir } = await gardenWith();
  const ids: string[] = [];
  for (let index = 0; index < 24; index++)
    ids.push((await approved(garden, note(`notes/n${index}.md`, `${index}\n`))).id);
  const store = faultyStore(garden.store, { seed: 7, chance: 0.15, readChance: 0.02, delays: true });
  const failing = { ...garden, store };
  await Promise.allSettled(ids.map((id) => applyProposal(failing, id, "owner")));
  await resumeApplying(failing).catch(() => undefined);
  store.faults.off();
  await resumeApplying(garden);
  const ends = await Promise.all(
    ids.map(async (id) => `${(await readProposal(garden.store, id)).status} ${commitsOf(dir, id)}`),
  );
  expect({
    ends: new Set(ends),
    failedOften: store.faults.counts.before + store.faults.counts.lost + store.faults.counts.after > 10,
  }).toEqual({ ends: new Set(["applied 1"]), failedOften: true });
});

const prepared = async (): Promise<{ dir: string; ids: string[]; ground: { garden: Garden; dir: string } }> => {
  const ground = await gardenWith();
  const ids: string[] = [];
  for (let index = 0; index < 6; index++)
    ids.push((await approved(ground.garden, note(`notes/n${index}.md`, `${index}\n`))).id);
  ids.push((await approved(ground.garden, comment)).id);
  return { dir: ground.dir, ids, ground };
};

test("P-7 two processes that apply the same proposals at once, in opposite order, apply each of them once", async () => {
  const { dir, ids, ground } = await prepared();
  await closed(ground);
  await Promise.all([
    runChild(dir, "apply", ids),
    runChild(dir, "apply", ids.toReversed()),
    runChild(dir, "resume", []),
  ]);
  const garden = await openGarden(testPorts(), dir);
  const ends = await Promise.all(ids.map(async (id) => (await readProposal(garden.store, id)).status));
  const head = await garden.repo.resolve(MAIN_REF);
  await closeGarden(garden);
  expect({
    ends: new Set(ends),
    commits: ids.map((id) => commitsOf(dir, id)),
    count: git(dir, "rev-list", "--count", head!),
  }).toEqual({ ends: new Set(["applied"]), commits: [1, 1, 1, 1, 1, 1, 0], count: "7" });
});
