import { describe, expect, test } from "vitest";
import { contractKey, keys } from "../../domain/layout.ts";
import type { Store } from "../../ports/store.ts";
import { contractText } from "../agents/testing/contract-text.ts";
import type { Garden } from "../core/garden.ts";
import { finishedRun, storeWith } from "../records/logic/testing/agent.ts";
import { gardenWith, testPorts } from "../testing/scratch.ts";
import { listRuns, type RunFilter } from "./read-runs.ts";
import { requestRun } from "./request-run.ts";
import { activeAgent } from "./testing/agent-ground.ts";

/** Seconds since midnight of a day, as ids have them. */
const idAt = (day: string, second: number, mark: string): string => {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  return `run_${day}_${two(second / 3600)}${two((second / 60) % 60)}${two(second % 60)}_${mark}`;
};

/** Two agents: one had a busy day, a run every few seconds; the other one a run every other day for months. */
async function archive(busy: number, days: number): Promise<{ garden: Garden; ids: readonly string[] }> {
  const { garden } = await gardenWith({});
  const runs: [slug: string, run: string][] = [];
  for (let index = 0; index < busy; index++) runs.push(["bee", idAt("2026-01-20", index * 7, "bbbbbb")]);
  for (let index = 0; index < days; index++) {
    const day = new Date(Date.UTC(2025, 5, 1) + index * 2 * 86_400_000).toISOString().slice(0, 10);
    runs.push(["snail", idAt(day, index, "ssssss")]);
  }
  for (const slug of ["bee", "snail"]) await garden.store.create(contractKey(slug), Buffer.from(contractText(slug)));
  await Promise.all(runs.map(([slug, run]) => finishedRun(garden, slug, run)));
  return {
    garden,
    ids: runs
      .map(([, run]) => run)
      .toSorted()
      .toReversed(),
  };
}

function counting(store: Store): { readonly store: Store; readonly calls: () => number } {
  let calls = 0;
  const counted = storeWith(store, {
    get: (key) => (calls++, store.get(key)),
    list: (prefix, page) => (calls++, store.list(prefix, page)),
  });
  return { store: counted, calls: () => calls };
}

/** The ids of all runs, read page by page. */
async function inPages(garden: Garden, limit: number): Promise<string[]> {
  const seen: string[] = [];
  for (let after: string | undefined; ; ) {
    const page = await listRuns(garden, { limit, after });
    seen.push(...page.runs.map(({ run_id }) => run_id));
    if (page.next === undefined) return seen;
    after = page.next;
  }
}

describe("U-2 lists of runs", () => {
  test.each([9, 100])("pages of %i have all runs, newest first, each once", async (limit) => {
    const { garden, ids } = await archive(70, 40);
    const seen = await inPages(garden, limit);
    expect(seen).toEqual(ids);
  });

  test.each([1, 2, 5])("in pages of %i keep the order of requests for runs of one second", async (limit) => {
    let now = Date.parse("2026-02-14T08:00:00.100Z");
    const drawn = [9, 1, 5, 7, 3];
    let count = 0;
    const world = { now: () => now, random: (size: number) => new Uint8Array(size).fill(drawn[count % 5]!) };
    const { garden } = await gardenWith({}, testPorts(world));
    const asked: string[] = [];
    for (const slug of ["ant", "bee", "ant", "bee", "ant"]) {
      if (asked.length < 2) await activeAgent(garden, slug);
      asked.push((await requestRun(garden, { slug, trigger: "manual", by: "owner" })).run_id);
      now += 100;
      count++;
    }
    const seen = await inPages(garden, limit);
    expect(seen).toEqual(asked.toReversed());
    expect(seen).not.toEqual(asked.toSorted().toReversed());
  });

  test("the cost of a page does not grow with the archive, neither of the first page nor of a late one", async () => {
    const cost = async (busy: number): Promise<readonly number[]> => {
      const { garden, ids } = await archive(busy, 30);
      const first = counting(garden.store);
      await listRuns({ store: first.store }, { limit: 20 });
      const late = counting(garden.store);
      await listRuns({ store: late.store }, { limit: 20, after: `${ids[busy - 40]}/bee` });
      return [first.calls(), late.calls()];
    };
    const [small, large] = [await cost(150), await cost(600)];
    for (const calls of [...small, ...large]) expect(calls).toBeLessThan(400);
  });

  test("the filters of version, outcome, trigger and text keep the order and leave the rest out", async () => {
    const { garden } = await gardenWith({});
    await activeAgent(garden, "ant");
    for (const [index, failed] of [false, true, false].entries())
      await finishedRun(garden, "ant", idAt("2026-01-20", index, "aaaaaa"), { logic: `v00${index + 1}`, failed });
    await requestRun(garden, {
      slug: "ant",
      trigger: "manual",
      by: "owner",
      input: { question: "When does it bloom?" },
    });
    const seen = async (wanted: RunFilter) =>
      (await listRuns(garden, wanted)).runs.map(({ about, logic_version }) => about ?? logic_version);
    expect({
      version: await seen({ version: "v002" }),
      failed: await seen({ outcome: "failed" }),
      noop: await seen({ outcome: "noop" }),
      cron: await seen({ trigger: "cron" }),
      input: await seen({ text: "BLOOM" }),
      reason: await seen({ text: "nothing new" }),
    }).toEqual({
      version: ["v002"],
      failed: ["v002"],
      noop: ["v003", "v001"],
      cron: [],
      input: ["When does it bloom?"],
      reason: ["v003", "v001"],
    });
  });

  test("a call for a rare kind stops after a thousand runs, and the next one goes on from there", async () => {
    const { garden } = await archive(1100, 1);
    await finishedRun(garden, "snail", idAt("2025-01-01", 1, "ffffff"), { failed: true });
    const first = await listRuns(garden, { state: "failed" });
    const second = await listRuns(garden, { state: "failed", after: first.next });
    expect([first.runs.length, second.runs.map(({ run_id }) => run_id), second.next]).toEqual([
      0,
      [idAt("2025-01-01", 1, "ffffff")],
      undefined,
    ]);
  });

  test("a list of an open state reads open runs only, and all runs only if the view is not whole", async () => {
    const { garden } = await archive(300, 10);
    await activeAgent(garden, "ant");
    for (let index = 0; index < 5; index++) await requestRun(garden, { slug: "ant", trigger: "manual", by: "owner" });
    const open = async (): Promise<[number, number]> => {
      const { store, calls } = counting(garden.store);
      const { runs } = await listRuns({ store }, { state: "requested" });
      return [runs.length, calls()];
    };
    const [found, dear] = await open();
    await garden.store.put(keys.openRunsWhole, Buffer.from("{}"));
    const [same, cheap] = await open();
    expect({ found, same }).toEqual({ found: 5, same: 5 });
    expect(cheap).toBeLessThan(40);
    expect(dear).toBeGreaterThan(600);
  });
});
