import { describe, expect, it } from "vitest";
import { prove } from "../../../base/testing/prove.ts";
import { crashAt, type KillReport, race, randomKills } from "./testing/kills.ts";

const publish = (suite: string, report: KillReport): void => {
  prove({ kills: report.kills, races: suite.includes("race") ? 1 : 0, losses: report.wrong.length });
  console.log(
    `${suite}: ${report.kills} kills, ${report.created} creates, ${report.counted} swaps and ${report.removed} removals answered, ` +
      `${report.unknown} answers lost and settled, ${report.gaveUp} waited in vain, ${report.wrong.length} losses`,
  );
};

describe("G-6 the store after kill -9", () => {
  it("a process killed at random moments loses no acknowledged write", async () => {
    const report = await randomKills(1, 20);
    publish("store kill suite", report);
    expect({ wrong: report.wrong.slice(0, 5), someCreated: report.created > 0 }).toEqual({
      wrong: [],
      someCreated: true,
    });
  });

  it("eight concurrent processes, whose owner is killed repeatedly, lose no acknowledged write", async () => {
    const report = await race(2, 8, 8);
    publish("store race", report);
    expect({ wrong: report.wrong.slice(0, 5), someCreated: report.created > 0 }).toEqual({
      wrong: [],
      someCreated: true,
    });
  });

  it.each([
    ["store.log.before-write", 7],
    ["store.log.after-sync", 7],
    ["store.files.before-rename", 5],
    ["store.files.after-rename", 5],
    ["store.checkpoint.before-sync", 1],
    ["store.checkpoint.before-remove", 1],
    ["store.checkpoint.after-remove", 1],
  ])("a crash at %s (passing %i) loses no acknowledged write", async (point, nth) => {
    const report = await crashAt(point, nth);
    prove({ kills: report.kills, losses: report.wrong.length });
    expect({ wrong: report.wrong.slice(0, 5), someCreated: report.created > 0 }).toEqual({
      wrong: [],
      someCreated: true,
    });
  });
});
