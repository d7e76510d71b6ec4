import { asFailure, type Failure, type FailureCode, isFailure } from "../../../base/failure.ts";
import type { Collector, TelemetrySignal } from "../../../ports/collector.ts";
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
/** HTTP status for a document that is too large; a part of it may be accepted. */
const TOO_LARGE = 413;

/**
 * sends the metrics of this process and the spans of the runs that it ended to the collector that the owner has configured.
 * Nothing waits for it. Metrics and spans do not depend on each other: a collector may take one of them only. A failure of one is
 * reported once until its next success. Spans that were not accepted are sent with the next interval; those of a run that are refused
 * for good are dropped, because they would block those of all later runs.
 */
export function exportTelemetry(
  garden: Garden,
  { collector, source, everySeconds, report }: TelemetryOptions,
): TelemetryExport {
  const startMs = garden.world.now();
  let ended: string[] = [];
  const told = new Map<TelemetrySignal, FailureCode>();
  let isOpen = true;
  let timer: NodeJS.Timeout | undefined;
  const unsubscribe = garden.signals.subscribe(({ record: { kind, subject } }) => {
    if (kind === "run-finished" && subject !== undefined) ended = [...ended, subject].slice(-MOST_KEPT);
  });
  const tell = (signal: TelemetrySignal, error: unknown): void => {
    const failure = asFailure(error);
    if (told.get(signal) !== failure.code) report(failure);
    told.set(signal, failure.code);
  };
  const send = async (signal: TelemetrySignal, document: object): Promise<void> => {
    await collector.send(signal, document);
    told.delete(signal);
  };
  const sendMetrics = async (): Promise<void> => {
    const times = { startMs, nowMs: garden.world.now() };
    const gauges = await gardenGauges(garden, source.role);
    await send("metrics", metricsDocument(source, garden.meter.read(), gauges, times));
  };
  const sendRuns = async (runs: readonly EndedRun[]): Promise<void> => {
    try {
      if (runs.length > 0) await send("traces", tracesDocument(source, runs));
    } catch (error) {
      if (!isFailure(error, "VALIDATION_FAILED")) throw error;
      const half = Math.ceil(runs.length / 2);
      if (error.details["status"] !== TOO_LARGE || half === runs.length) return tell("traces", error);
      await sendRuns(runs.slice(0, half));
      await sendRuns(runs.slice(half));
    }
  };
  const sendTraces = async (): Promise<void> => {
    while (ended.length > 0) {
      const runs = ended.slice(0, MOST_SENT);
      const found = await Promise.all(runs.map((run) => endedRun(garden, run)));
      await sendRuns(found.filter((run) => run !== undefined));
      ended = ended.filter((run) => !runs.includes(run));
    }
  };
  const turn = async (): Promise<void> => {
    await sendMetrics().catch((error: unknown) => tell("metrics", error));
    await sendTraces().catch((error: unknown) => tell("traces", error));
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
