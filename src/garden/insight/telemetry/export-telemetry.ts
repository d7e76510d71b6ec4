import { asFailure, type Failure, type FailureCode, isFailure } from "../../../base/failure.ts";
import type { Collector, TelemetrySignal } from "../../../ports/collector.ts";
import { readJournal } from "../../core/flow/journal.ts";
import { afterPause, type Pause, realPause } from "../../core/flow/pause.ts";
import type { Garden } from "../../core/garden.ts";
import { isDamagedRecord } from "../../core/json-record.ts";
import { findRun } from "../../runs/read-runs.ts";
import { gardenGauges } from "./garden-gauges.ts";
import { type EndedRun, metricsDocument, type TelemetrySource, tracesDocument } from "./otlp-documents.ts";

export interface TelemetryOptions {
  readonly collector: Collector;
  readonly source: TelemetrySource;
  readonly everySeconds: number;
  readonly report: (failure: Failure) => void;
  readonly pause?: Pause;
}

export interface TelemetryExport {
  /**
   * Sends what is left, once, and stops: within `CLOSE_MS`, whatever the collector does. What a turn under way could not send is not sent
   * again. Never throws.
   */
  close(): Promise<void>;
}

/** While the collector is away, the newest runs are kept up to this number; metrics are cumulative and lose nothing. */
const MOST_KEPT = 1000;
/** Runs in one document. */
const MOST_SENT = 100;
/** The time that a shutdown waits for telemetry. systemd kills 30 s after the request to stop, and other parts need time too. */
const CLOSE_MS = 10_000;
const SIGNALS: readonly TelemetrySignal[] = ["metrics", "traces"];
/** HTTP status for a document that is too large; a part of it may be accepted. */
const TOO_LARGE = 413;

/**
 * sends the metrics of this process and the spans of the runs that it ended to the collector that the owner has configured.
 * Nothing waits for it. Metrics and spans do not depend on each other: a collector may take one of them only. A failure of one is
 * reported once until its next success. Spans that were not accepted are sent with the next interval. Those of a run that are refused
 * for good, or whose journal is damaged, are dropped, because they would block those of all later runs.
 */
export function exportTelemetry(
  garden: Garden,
  { collector, source, everySeconds, report, pause = realPause }: TelemetryOptions,
): TelemetryExport {
  const startMs = garden.world.now();
  const told = new Map<TelemetrySignal, FailureCode>();
  let isOpen = true;
  let timer: NodeJS.Timeout | undefined;
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
  /** Aborted when a shutdown has waited for long enough. */
  const late = new AbortController();
  const runs = runQueue(garden, { source, send, tell, report, late: late.signal });
  const unsubscribe = garden.signals.subscribe(({ record: { kind, subject } }) => {
    if (kind === "run-finished" && subject !== undefined) runs.add(subject);
  });
  const work: Readonly<Record<TelemetrySignal, () => Promise<void>>> = { metrics: sendMetrics, traces: runs.sendAll };
  /** Sends both at once: a collector that does not answer costs the time of one. Returns what succeeded. */
  const turn = async (signals: readonly TelemetrySignal[]): Promise<readonly TelemetrySignal[]> => {
    const sent = signals.map(async (signal) => {
      try {
        await work[signal]();
        return [signal];
      } catch (error) {
        tell(signal, error);
        return [];
      }
    });
    return (await Promise.all(sent)).flat();
  };
  let underWay: ReturnType<typeof turn> | undefined;
  const later = (): void => {
    timer = setTimeout(() => {
      underWay = turn(SIGNALS).finally(() => {
        underWay = undefined;
        if (isOpen) later();
      });
    }, everySeconds * 1000).unref();
  };
  later();
  const sendLast = async (): Promise<void> => {
    const left = underWay ? await underWay : SIGNALS;
    if (!late.signal.aborted) await turn(left);
  };
  return {
    async close() {
      isOpen = false;
      clearTimeout(timer);
      unsubscribe();
      await new Promise<void>((resolve) => {
        const cancel = afterPause(pause, CLOSE_MS, () => {
          late.abort();
          resolve();
        });
        void sendLast().finally(() => {
          cancel();
          resolve();
        });
      });
    },
  };
}

interface FoundRun {
  readonly run: string;
  readonly found: EndedRun;
}

interface QueueWork {
  readonly source: TelemetrySource;
  readonly send: (signal: TelemetrySignal, document: object) => Promise<void>;
  readonly tell: (signal: TelemetrySignal, error: unknown) => void;
  readonly report: TelemetryOptions["report"];
  readonly late: AbortSignal;
}

/** The ended runs whose spans were not accepted yet. `sendAll` throws for an outage and keeps them; after `late` it sends nothing more. */
function runQueue(garden: Garden, { source, send, tell, report, late }: QueueWork) {
  let ended: readonly string[] = [];
  const forget = (runs: readonly string[]): void => void (ended = ended.filter((run) => !runs.includes(run)));
  /** Forgets each part as soon as it was accepted: a failure of the next part must not send it again. */
  const sendRuns = async (runs: readonly FoundRun[]): Promise<void> => {
    try {
      if (runs.length > 0)
        await send(
          "traces",
          tracesDocument(
            source,
            runs.map(({ found }) => found),
          ),
        );
    } catch (error) {
      if (!isFailure(error, "VALIDATION_FAILED")) throw error;
      const half = Math.ceil(runs.length / 2);
      if (error.details["status"] === TOO_LARGE && half < runs.length) {
        await sendRuns(runs.slice(0, half));
        return await sendRuns(runs.slice(half));
      }
      tell("traces", error);
    }
    forget(runs.map(({ run }) => run));
  };
  const foundRun = async (run: string): Promise<FoundRun[]> => {
    try {
      const found = await endedRun(garden, run);
      if (found) return [{ run, found }];
    } catch (error) {
      if (!isDamagedRecord(error)) throw error;
      report(asFailure(error)); // each such run is told: it is dropped, so once
    }
    forget([run]);
    return [];
  };
  const sendAll = async (): Promise<void> => {
    while (ended.length > 0 && !late.aborted) {
      const found = await Promise.all(ended.slice(0, MOST_SENT).map(foundRun));
      await sendRuns(found.flat());
    }
  };
  return {
    add: (run: string): void => void (ended = [...ended, run].slice(-MOST_KEPT)),
    sendAll,
  };
}

/** Undefined if the run was deleted with its agent meanwhile. Throws for a damaged record. */
async function endedRun(garden: Garden, run: string): Promise<EndedRun | undefined> {
  const place = await findRun(garden, run).catch(() => undefined);
  const journal = place && (await readJournal(garden.store, place));
  if (!journal?.request || !journal.manifest) return undefined;
  return { request: journal.request, records: journal.records, manifest: journal.manifest };
}
