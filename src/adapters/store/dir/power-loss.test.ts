import { expect, it } from "vitest";
import { prove } from "../../../base/testing/prove.ts";
import { isThorough } from "../../../base/testing/tries.ts";
import { type PowerLossReport, powerLossSuite } from "./testing/power-loss.ts";

it("after a power cut at any call, every object is whole or absent, and no acknowledged write is lost", async () => {
  const reports: PowerLossReport[] = [];
  for (const seed of isThorough ? [1, 2, 3] : [1]) reports.push(await powerLossSuite(seed, 40));
  const sum = (pick: (report: PowerLossReport) => number): number =>
    reports.reduce((total, report) => total + pick(report), 0);
  prove({ powerCuts: sum((r) => r.cuts), losses: sum((r) => r.wrong.length) });
  console.log(
    `power-loss suite: ${sum((r) => r.cuts)} cuts over ${sum((r) => r.writes)} writes, ${sum((r) => r.wrong.length)} losses`,
  );
  expect(reports.flatMap((report) => report.wrong).slice(0, 5)).toEqual([]);
});
