import { createHash } from "node:crypto";
import type { RunRequest } from "../../../domain/run/run.ts";
import type { RunManifest } from "../../../domain/run/run-manifest.ts";
import type { StepRecord } from "../../../domain/run/run-step.ts";
import { BUCKETS, histogramNames, type Labels, type MeterReading, metricNames } from "../../core/meter.ts";
import type { Gauge } from "./garden-gauges.ts";

/** The process that sends. */
export interface TelemetrySource {
  readonly role: string;
  readonly version: string;
  /** Differs for each process. */
  readonly instance: string;
}

/** A run that is over, as its records tell it. */
export interface EndedRun {
  readonly request: RunRequest;
  readonly records: readonly StepRecord[];
  readonly manifest: RunManifest;
}

type Value = string | number;

/** The metrics as one OTLP document. Counters are cumulative since `startMs`. */
export function metricsDocument(
  source: TelemetrySource,
  { counters, histograms }: MeterReading,
  gauges: readonly Gauge[],
  { startMs, nowMs }: { readonly startMs: number; readonly nowMs: number },
): object {
  const times = { startTimeUnixNano: nanos(startMs), timeUnixNano: nanos(nowMs) };
  const point = ({ labels, value }: { readonly labels: Labels; readonly value: number }): object => ({
    ...times,
    attributes: attributes(labels),
    asDouble: value,
  });
  const metrics = [
    ...Object.entries(metricNames).map(([name, description]) => ({
      name,
      description,
      sum: {
        aggregationTemporality: CUMULATIVE,
        isMonotonic: true,
        dataPoints: counters.filter((one) => one.name === name).map(point),
      },
    })),
    ...histograms.map(({ name, counts, sum }) => ({
      name,
      description: histogramNames[name],
      unit: "s",
      histogram: {
        aggregationTemporality: CUMULATIVE,
        dataPoints: [
          {
            ...times,
            attributes: [],
            count: String(counts.reduce((total, count) => total + count, 0)),
            sum,
            bucketCounts: counts.map(String),
            explicitBounds: BUCKETS,
          },
        ],
      },
    })),
    ...gauges.map(({ name, help, values }) => ({ name, description: help, gauge: { dataPoints: values.map(point) } })),
  ];
  return { resourceMetrics: [{ resource: resourceOf(source), scopeMetrics: [{ scope: SCOPE, metrics }] }] };
}

/**
 * Runs as one OTLP document: a span for each run with a child for each step. The ids are derived from the run's id, so a run that is
 * sent twice is one trace. Spans hold names, times, results and numbers, never inputs, outputs or the content of notes.
 */
export function tracesDocument(source: TelemetrySource, runs: readonly EndedRun[]): object {
  const spans = runs.flatMap(spansOf);
  return { resourceSpans: [{ resource: resourceOf(source), scopeSpans: [{ scope: SCOPE, spans }] }] };
}

function spansOf({ request, records, manifest }: EndedRun): object[] {
  const { run_id: run, agent_slug: agent } = request;
  const traceId = idOf(run, 32);
  const root = {
    traceId,
    spanId: idOf(`${run}/run`, 16),
    name: "run",
    kind: INTERNAL,
    startTimeUnixNano: nanos(Date.parse(request.requested_at)),
    endTimeUnixNano: nanos(Math.max(...[manifest.finished_at, request.requested_at].map((at) => Date.parse(at)))),
    attributes: attributes({
      "bloom.run": run,
      "bloom.agent": agent,
      "bloom.trigger": request.trigger,
      "bloom.status": manifest.status,
      "bloom.outcome": manifest.outcome?.kind ?? "",
      "bloom.engine": manifest.engine,
      "bloom.steps": records.length,
    }),
    status: { code: manifest.status === "failed" ? ERROR : OK },
  };
  return [root, ...records.map((record) => stepSpan(traceId, root.spanId, run, record))];
}

const stepSpan = (traceId: string, parentSpanId: string, run: string, record: StepRecord): object => ({
  traceId,
  parentSpanId,
  spanId: idOf(`${run}/${record.position}`, 16),
  name: record.name,
  kind: INTERNAL,
  startTimeUnixNano: nanos(Date.parse(record.started_at)),
  endTimeUnixNano: nanos(Date.parse(record.finished_at)),
  attributes: attributes({
    "bloom.position": record.position,
    "bloom.kind": record.kind,
    "bloom.attempt": record.attempt,
    "bloom.proposals": record.proposals.length,
    ...(record.tokens && { "bloom.tokens.input": record.tokens.input, "bloom.tokens.output": record.tokens.output }),
    ...(record.failure && { "bloom.failure": record.failure.code }),
  }),
  status: { code: record.failure ? ERROR : OK },
});

const SCOPE = { name: "garden-bloom" };
/** Values of the enumerations of OTLP. */
const [CUMULATIVE, INTERNAL, OK, ERROR] = [2, 1, 1, 2];

const resourceOf = ({ role, version, instance }: TelemetrySource): object => ({
  attributes: attributes({
    "service.name": "garden-bloom",
    "service.version": version,
    "service.instance.id": instance,
    "bloom.role": role,
  }),
});

const attributes = (values: Readonly<Record<string, Value>>): readonly object[] =>
  Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === "number" ? { intValue: String(value) } : { stringValue: value },
  }));

const nanos = (ms: number): string => `${Math.round(ms)}000000`;

const idOf = (name: string, digits: number): string => createHash("sha256").update(name).digest("hex").slice(0, digits);
