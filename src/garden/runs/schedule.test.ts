import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { contractKey, keys } from "../../domain/layout.ts";
import { everyKey } from "../../ports/store.ts";
import { agentTroubles } from "../agents/lifecycle/agent-troubles.ts";
import type { Garden } from "../core/garden.ts";
import { openRunIds, requestAt } from "./open-runs.ts";
import { MAX_MADE_UP, requestScheduledRuns } from "./schedule.ts";
import { type EngineGround, engineGround } from "./testing/engine-ground.ts";
import { endOf, flowOf, steps, until, withAgent } from "./testing/sample-flow.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A garden at 07:00 UTC with an agent of that schedule. */
async function ground(
  cron = '"0 8 * * *"',
  over: Readonly<Record<string, string>> = {},
  settings = "",
): Promise<EngineGround> {
  const made = await engineGround("2026-02-14T07:00:00Z");
  await withAgent(made.garden, "echo", { triggers: `{ cron: ${cron} }`, ...over });
  if (settings) {
    const file = join(made.dir, "garden.yaml");
    writeFileSync(file, `${readFileSync(file, "utf8").trimEnd()}\n${settings}\n`);
  }
  return made;
}

/** The slots that a look requested a run for. No engine works on them. */
const queued = async (garden: Garden): Promise<string[]> => {
  const { asked, failed } = await requestScheduledRuns(garden);
  expect(failed).toEqual([]);
  return await Promise.all(asked.map(async (place) => (await requestAt(garden.store, place))!.cause!.slice(5, 16)));
};

/** The same, and the runs end before the next look. */
const looked = async (garden: Garden): Promise<string[]> => {
  const slots = await queued(garden);
  for (const run of await openRunIds(garden.store)) await garden.store.delete(keys.openRun(run));
  return slots;
};

async function skippedIn(garden: Garden): Promise<{ count: number; waiting?: string }[]> {
  const told: { count: number; waiting?: string }[] = [];
  for await (const { key } of everyKey(garden.store, "audit/")) {
    const record = JSON.parse(Buffer.from((await garden.store.get(key))!.bytes).toString()) as {
      kind: string;
      details: { count: number; waiting?: string };
    };
    if (record.kind === "slots-skipped") told.push(record.details);
  }
  return told;
}

test("C-7 an agent whose contract broke is set to error at the look for its slot, and says why in the audit", async () => {
  const { garden, clock } = await ground();
  await looked(garden);
  const stored = (await garden.store.get(contractKey("echo")))!;
  const broken = Buffer.from(stored.bytes).toString().replace("tools:", "toolz:");
  await garden.store.swap(contractKey("echo"), stored.hash, Buffer.from(broken));
  await looked(garden);
  clock.jump(HOUR);
  expect(await looked(garden)).toEqual([]);
  const after = Buffer.from((await garden.store.get(contractKey("echo")))!.bytes).toString();
  expect([/^status: .*$/m.exec(after)?.[0], await agentTroubles(garden)]).toMatchObject([
    "status: error",
    [{ slug: "echo", why: { en: expect.stringContaining("toolz") as string } }],
  ]);
});

describe("O-4 a schedule", () => {
  test("a schedule requests a run when its slot comes, and returns the time of the next slot", async () => {
    const { garden, clock } = await ground();
    const early = await requestScheduledRuns(garden);
    clock.jump(HOUR);
    const slots = await looked(garden);
    expect(early.asked).toEqual([]);
    expect(new Date(early.next!).toISOString().slice(5, 16)).toBe("02-14T08:00");
    expect(slots).toEqual(["02-14T08:00"]);
  });

  test("a schedule requests one run per slot, also from several processes and after a crash", async () => {
    const { garden, clock } = await ground();
    await looked(garden);
    clock.jump(HOUR);
    const all = await Promise.all([1, 2, 3].map(() => requestScheduledRuns(garden)));
    await garden.store.delete(keys.schedule("echo"));
    all.push(await requestScheduledRuns(garden), await requestScheduledRuns(garden));
    expect(new Set(all.flatMap(({ asked }) => asked.map(({ run }) => run))).size).toBe(1);
  });

  test.each<[string, string, string[]]>([
    ["once", "", ["02-17T08:00"]],
    ["once, as written", "schedule: { missed: once }", ["02-17T08:00"]],
    ["all", "schedule: { missed: all }", ["02-15T08:00", "02-16T08:00", "02-17T08:00"]],
    ["skip", "schedule: { missed: skip }", []],
  ])("catches up on missed slots: %s", async (_, settings, expected) => {
    const { garden, clock } = await ground(undefined, {}, settings);
    await looked(garden);
    clock.jump(HOUR);
    const onTime = await looked(garden);
    clock.jump(3 * DAY + 5 * HOUR);
    expect({ onTime, missed: await looked(garden), again: await looked(garden) }).toEqual({
      onTime: ["02-14T08:00"],
      missed: expected,
      again: [],
    });
  });

  test("a schedule skips the slots of years in one look, and audits how many", async () => {
    const { garden, clock } = await ground('"* * * * *"', {}, "schedule: { missed: all }");
    await looked(garden);
    clock.jump(10 * DAY);
    const slots = await looked(garden);
    expect(slots).toHaveLength(MAX_MADE_UP);
    expect(slots.at(-1)).toBe("02-24T07:00");
    expect((await skippedIn(garden)).map(({ count }) => count)).toEqual([10 * 1440 - MAX_MADE_UP]);
  });

  test.each<[string, string[][], (number | string)[][]]>([
    ["skip", [["02-14T08:00"], [], ["02-14T10:00"]], [[1, "waits"]]],
    ["once", [["02-14T08:00"], [], ["02-14T10:00"]], [[1, "waits"]]],
    ["all", [["02-14T08:00"], ["02-14T09:00"], ["02-14T10:00"]], []],
  ])("adds no run while one is waiting: %s", async (missed, expected, skipped) => {
    const { garden, clock } = await ground('"0 8-20 * * *"', {}, `schedule: { missed: ${missed} }`);
    await queued(garden);
    clock.jump(HOUR);
    const slots = [await queued(garden)];
    const [waiting] = await openRunIds(garden.store);
    clock.jump(HOUR);
    slots.push(await queued(garden));
    expect(await queued(garden)).toEqual([]); // the next look does not request skipped slots
    // The waiting run begins: the next slot has a run again.
    await garden.store.create(keys.runStep("echo", waiting!, 1, "load-context"), Buffer.from("{}"));
    clock.jump(HOUR);
    slots.push(await queued(garden));
    expect(slots).toEqual(expected);
    expect((await skippedIn(garden)).map(({ count, waiting: run }) => [count, run === waiting ? "waits" : ""])).toEqual(
      skipped,
    );
  });

  test("with `all` at most MAX_MADE_UP runs wait, however long no engine works", async () => {
    const { garden, clock } = await ground('"* 8-20 * * *"', {}, "schedule: { missed: all }");
    await queued(garden);
    clock.jump(2 * HOUR);
    const first = await queued(garden);
    clock.jump(2 * HOUR);
    const second = await queued(garden);
    expect({ first: first.length, second: second.length }).toEqual({ first: 61, second: 39 });
    expect(await openRunIds(garden.store)).toHaveLength(MAX_MADE_UP);
    expect((await skippedIn(garden)).map(({ count }) => count)).toEqual([81]);
  });

  test("a schedule uses the contract's time zone, else the garden's", async () => {
    const { garden, clock } = await ground('"0 10 * * *"', {}, "schedule: { timezone: Europe/Kyiv }");
    await withAgent(garden, "far", { triggers: '{ cron: "0 17 * * *" }', timezone: "Asia/Tokyo" });
    await looked(garden);
    clock.jump(HOUR);
    expect(await looked(garden)).toEqual(["02-14T08:00", "02-14T08:00"]);
  });

  test("the schedule of an inactive agent is skipped, and its slots are not caught up on later", async () => {
    const { garden, clock } = await ground(undefined, { status: "paused" }, "schedule: { missed: all }");
    await looked(garden);
    clock.jump(2 * DAY);
    const paused = await looked(garden);
    await withAgent(garden, "echo", { triggers: '{ cron: "0 8 * * *" }', updated_at: '"2026-02-16T07:00:00Z"' });
    clock.jump(HOUR);
    expect(paused).toEqual([]);
    expect(await looked(garden)).toEqual(["02-16T08:00"]);
  });

  test("a schedule that is added, changed or removed is noticed without a restart", async () => {
    const { garden, clock } = await ground("null");
    const none = await looked(garden);
    await withAgent(garden, "echo", { triggers: '{ cron: "30 7 * * *" }', updated_at: '"2026-02-14T07:00:00Z"' });
    await looked(garden);
    clock.jump(HOUR / 2);
    const appeared = await looked(garden);
    await withAgent(garden, "echo", { triggers: '{ cron: "45 7 * * *" }', updated_at: '"2026-02-14T07:40:00Z"' });
    clock.jump(HOUR / 4);
    const changed = await looked(garden);
    await withAgent(garden, "echo", { triggers: "{ cron: null }" });
    clock.jump(DAY);
    expect({ none, appeared, changed }).toEqual({ none: [], appeared: ["02-14T07:30"], changed: ["02-14T07:45"] });
    expect(await looked(garden)).toEqual([]);
  });

  test("a schedule continues after the clock was set back, and requests no slot twice", async () => {
    const { garden, clock } = await ground();
    await looked(garden);
    clock.jump(HOUR);
    const first = await looked(garden);
    clock.jump(10 * DAY);
    const ahead = await looked(garden);
    clock.jump(-10 * DAY - HOUR / 2);
    const back = await looked(garden);
    clock.jump(HOUR);
    const again = await requestScheduledRuns(garden);
    const runs = new Set(again.asked.map(({ run }) => run));
    clock.jump(DAY);
    expect({ first, ahead, back }).toEqual({ first: ["02-14T08:00"], ahead: ["02-24T08:00"], back: [] });
    expect(runs.size).toBeLessThanOrEqual(1);
    expect(await looked(garden)).toEqual(["02-15T08:00"]);
    let requests = 0;
    for await (const { key } of everyKey(garden.store, keys.runs("echo")))
      if (key.endsWith("00-request.json")) requests++;
    expect(requests).toBe(3);
  });

  test("an invalid contract does not delay other schedules", async () => {
    const { garden, clock } = await ground();
    await garden.store.create("agents/broken/_agent.md", Buffer.from("---\nname: [\n---\n"));
    await looked(garden);
    clock.jump(HOUR);
    expect(await looked(garden)).toEqual(["02-14T08:00"]);
  });

  test("the engine requests slots that were missed while it was stopped, and slots on time while it runs", async () => {
    const { garden, clock, engine } = await ground();
    const flow = flowOf(steps(1));
    const first = await engine(flow);
    await clock.pass(100);
    await first.settled();
    await first.close();
    clock.jump(DAY);
    const second = await engine(flow);
    await clock.pass(100);
    await until(async () => (await ended(garden)).length === 1);
    clock.jump(DAY - 2 * HOUR);
    await clock.pass(3 * HOUR);
    await until(async () => (await ended(garden)).length === 2);
    await second.close();
    expect(await ended(garden)).toEqual(["02-14T08:00", "02-15T08:00"]);
  });
});

async function ended(garden: Garden): Promise<string[]> {
  const slots: string[] = [];
  for await (const { key } of everyKey(garden.store, keys.runs("echo"))) {
    const run = /\/(run_[^/]+)\/manifest\.json$/.exec(key)?.[1];
    if (run === undefined) continue;
    const place = { slug: "echo", run };
    if (await endOf(garden, place)) slots.push((await requestAt(garden.store, place))!.cause!.slice(5, 16));
  }
  return slots;
}
