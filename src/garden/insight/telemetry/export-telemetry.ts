import { asFailure, type Failure } from "../../../base/failure.ts";
import type { Collector } from "../../../ports/collector.ts";
import { readJournal } from "../../core/flow/journal.ts";
import type { Garden } from "../../core/garden.ts";
import { findRun } from "../../runs/read-runs.ts";
import { gardenGauges } from "./garden-gauges.ts";
import { type EndedRun, metricsDocument, type TelemetrySource, tracesDocument } from "./otlp-documents.ts";

export interface TelemetryOptions {
  readonly collector: Collector;
  readonly source: TelemetrySource;
  readonly everySeconds: number;
  readonly report: (failure: Failure) => void;
}

export interface TelemetryExport {
  /** Sends what is left, once, and stops. Never throws. */
  close(): Promise<void>;
}

/** While the collector is away, the newest runs are kept up to this number; metrics are cumulative and lose nothing. */
const MOST_KEPT = 1000;
/** Runs in one document. */
const MOST_SENT = 100;

/**
 * sends the metrics of this process and the spans of the runs that it ended to the collector that the owner has configured.
 * Nothing waits for it: a failure is reported once until the next success, and the spans are sent with the next interval.
 */
export function exportTelemetry(
  garden: Garden,
  { collector, source, everySeconds, report }: TelemetryOptions,
): TelemetryExport {
  const startMs = garden.world.now();
  let ended: string[] = [];
  let isAway = false;
  let isOpen = true;
  let timer: NodeJS.Timeout | undefined;
  const unsubscribe = garden.signals.subscribe(({ record: { kind, subject } }) => {
    if (kind === "run-finished" && subject !== undefined) ended = [...ended, subject].slice(-MOST_KEPT);
  });
  const send = async (): Promise<void> => {
    const times = { startMs, nowMs: garden.world.now() };
    const gauges = await gardenGauges(garden, source.role);
    await collector.send("metrics", metricsDocument(source, garden.meter.read(), gauges, times));
    while (ended.length > 0) {
      const runs = ended.slice(0, MOST_SENT);
      const found = (await Promise.all(runs.map((run) => endedRun(garden, run)))).filter((run) => run !== undefined);
      if (found.length > 0) await collector.send("traces", tracesDocument(source, found));
      ended = ended.filter((run) => !runs.includes(run));
    }
  };
  const turn = async (): Promise<void> => {
    try {
      await send();
      isAway = false;
    } catch (error) {
      if (!isAway) report(asFailure(error));
      isAway = true;
    }
  };
  let sending: Promise<void> = Promise.resolve();
  const later = (): void => {
    timer = setTimeout(() => {
      sending = turn().finally(() => {
        if (isOpen) later();
      });
    }, everySeconds * 1000).unref();
  };
  later();
  return {
    async close() {
      isOpen = false;
      clearTimeout(timer);
      unsubscribe();
      await sending;
      await turn();
    },
  };
}

/** Undefined if the run was deleted with its agent meanwhile. */
async function endedRun(garden: Garden, run: string): Promise<EndedRun | undefined> {
  const place = await findRun(garden, run).catch(() => undefined);
  const journal = place && (await readJournal(garden.store, place));
  if (!journal?.request || !journal.manifest) return undefined;
  return { request: journal.request, records: journal.records, manifest: journal.manifest };
}
