import { describe, expect, test } from "vitest";
import { Failure } from "../../../base/failure.ts";
import { contractKey, keys } from "../../../domain/layout.ts";
import type { Collector, TelemetrySignal } from "../../../ports/collector.ts";
import type { Pause } from "../../core/flow/pause.ts";
import { sampleRun } from "../../core/flow/testing/sample-run.ts";
import { gardenWith } from "../../testing/scratch.ts";
import { exportTelemetry } from "./export-telemetry.ts";

const SLUG = "archivist";
const CONTRACT = "---\nname: archivist\n---\n";
const refusal = (status: number): Failure =>
  new Failure("VALIDATION_FAILED", { en: "refused", uk: "відхилено", details: { status } });
const outage = (): Failure => new Failure("UPSTREAM_UNAVAILABLE", { en: "away", uk: "немає" });

type Answer = (signal: TelemetrySignal, runs: readonly string[]) => Promise<void>;

/** A garden with ended runs, whose telemetry goes to a collector that answers as `answer` says. */
async function exporting(
  count: number,
  { pause, damaged }: { readonly pause?: Pause; readonly damaged?: number } = {},
) {
  const { garden } = await gardenWith();
  await garden.store.create(contractKey(SLUG), Buffer.from(CONTRACT));
  const runs: string[] = [];
  for (let at = 0; at < count; at++) {
    const run = `run_2026-02-14_07580${at}_bbbbb${at}`;
    await sampleRun(garden, { slug: SLUG, run, contract: CONTRACT, complete: at !== damaged });
    if (at === damaged) await garden.store.create(keys.runManifest(SLUG, run), Buffer.from("{"));
    runs.push(run);
  }
  const asked: { readonly signal: TelemetrySignal; readonly runs: readonly string[] }[] = [];
  const accepted: string[] = [];
  const reports: Failure[] = [];
  const set: { answer: Answer } = { answer: async () => undefined };
  const collector: Collector = {
    async send(signal, document) {
      const text = JSON.stringify(document);
      const named = runs.filter((run) => text.includes(run));
      asked.push({ signal, runs: named });
      await set.answer(signal, named);
      accepted.push(...named);
    },
  };
  const begin = () => {
    const telemetry = exportTelemetry(garden, {
      collector,
      source: { role: "all", version: "1", instance: "one" },
      everySeconds: 0.01,
      report: (failure) => void reports.push(failure),
      ...(pause && { pause }),
    });
    for (const run of runs) {
      const record = { kind: "run-finished", at: "2026-02-14T08:00:00Z", by: "gateway", subject: run } as const;
      garden.signals.publish({ key: `audit/${run}`, record: record as never });
    }
    return telemetry;
  };
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  return { runs, asked, accepted, reports, set, begin, until };
}

describe("telemetry of a process", () => {
  test("R-7 metrics and traces are sent at once, and a shutdown waits 10 s at most for a collector that does not answer", async () => {
    const paused: number[] = [];
    let endPause = (): void => undefined;
    const pause: Pause = (ms) => {
      paused.push(ms);
      return new Promise((resolve) => (endPause = resolve));
    };
    const { asked, set, begin, until } = await exporting(1, { pause });
    set.answer = () => new Promise(() => undefined);
    const telemetry = begin();
    await until(() => asked.length === 2);
    const closed = telemetry.close();
    await until(() => paused.length > 0);
    endPause();
    await closed;
    expect({ signals: asked.map(({ signal }) => signal).toSorted(), paused }).toEqual({
      signals: ["metrics", "traces"],
      paused: [10_000],
    });
  });

  test("R-7 what a turn under way could not send is not sent again at a shutdown, and the rest is", async () => {
    const { asked, set, begin, until } = await exporting(1);
    let answerAll = (): void => undefined;
    const all = new Promise<void>((resolve) => (answerAll = resolve));
    set.answer = async (signal) => {
      await all;
      if (signal === "traces") throw outage();
    };
    const telemetry = begin();
    await until(() => asked.length === 2);
    const closed = telemetry.close();
    answerAll();
    await closed;
    expect(asked.map(({ signal }) => signal).toSorted()).toEqual(["metrics", "metrics", "traces"]);
  });

  test("R-7 a shutdown sends the last metrics and the spans of runs that were not sent yet", async () => {
    const { runs, accepted, begin } = await exporting(2);
    await begin().close();
    expect(accepted.toSorted()).toEqual(runs);
  });

  test("R-7 a run whose journal is damaged is dropped and told once, and the other runs are sent", async () => {
    const { runs, asked, accepted, reports, set, begin, until } = await exporting(3, { damaged: 1 });
    let isAway = true;
    set.answer = async () => {
      if (isAway) throw outage();
    };
    const telemetry = begin();
    await until(() => asked.filter(({ signal }) => signal === "traces").length > 2);
    isAway = false;
    await until(() => accepted.length > 1);
    await telemetry.close();
    expect({
      accepted: accepted.toSorted(),
      told: reports.filter(({ code }) => code === "INTERNAL_ERROR").map(({ details }) => details["key"]),
    }).toEqual({ accepted: [runs[0], runs[2]], told: [keys.runManifest(SLUG, runs[1]!)] });
  });

  test("R-7 the accepted half of a document that was too large is not sent again after an outage in the other half", async () => {
    const { runs, accepted, set, begin, until } = await exporting(4);
    let asked = 0;
    set.answer = async (signal, sent) => {
      if (signal === "metrics") return;
      if (sent.length > 2) throw refusal(413);
      if (sent.includes(runs[3]!) && asked++ === 0) throw outage();
    };
    const telemetry = begin();
    await until(() => accepted.includes(runs[3]!));
    await telemetry.close();
    expect({ accepted, asked }).toEqual({ accepted: runs, asked: 2 });
  });
});
