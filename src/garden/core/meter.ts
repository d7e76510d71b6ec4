/** Counters, sums and histograms of one process, for `GET /metrics` and for an OTLP collector. They hold numbers and fixed labels. */
export interface Meter {
  add(name: MetricName, labels?: Labels, amount?: number): void;
  /** Seconds of one occurrence, into a histogram. */
  observe(name: HistogramName, seconds: number): void;
  read(): MeterReading;
}

export type Labels = Readonly<Record<string, string>>;

export const metricNames = {
  bloom_runs_total: "Runs that this process ended, by status and outcome",
  bloom_steps_total: "Steps that this process recorded, by kind and result",
  bloom_tokens_total: "Tokens of model calls of this process, by direction",
  bloom_cost_total: "Cost of the runs that this process ended, by currency, where the owner has set prices",
  bloom_applies_total: "Proposals that this process applied, by result",
  bloom_lease_steals_total: "Leases that this process took from a holder whose time was over",
  bloom_http_requests_total: "HTTP requests, by method, route and status",
} as const;
export type MetricName = keyof typeof metricNames;

export const histogramNames = {
  bloom_apply_seconds: "Time from the order to apply a proposal to its result",
  bloom_http_request_seconds: "Time to answer an HTTP request; streams are left out",
} as const;
export type HistogramName = keyof typeof histogramNames;

/** Upper bounds in seconds. */
export const BUCKETS: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export interface MeterReading {
  readonly counters: readonly { readonly name: MetricName; readonly labels: Labels; readonly value: number }[];
  readonly histograms: readonly HistogramReading[];
}

export interface HistogramReading {
  readonly name: HistogramName;
  /** One more than the bounds: the last counts everything above. */
  readonly counts: readonly number[];
  readonly sum: number;
}

/** Distinct labels of one counter; further ones are counted without labels, so that a meter cannot grow without bound. */
const MOST_SERIES = 2000;

export function newMeter(): Meter {
  const counters = new Map<MetricName, Map<string, { readonly labels: Labels; value: number }>>();
  const histograms = new Map<HistogramName, { readonly counts: number[]; sum: number }>();
  return {
    add(name, labels = {}, amount = 1) {
      const series = counters.get(name) ?? new Map<string, { labels: Labels; value: number }>();
      counters.set(name, series);
      const full = series.size >= MOST_SERIES && !series.has(JSON.stringify(labels));
      const kept = full ? {} : labels;
      const key = JSON.stringify(kept);
      const one = series.get(key) ?? { labels: kept, value: 0 };
      series.set(key, one);
      one.value += amount;
    },
    observe(name, seconds) {
      const one = histograms.get(name) ?? { counts: BUCKETS.map(() => 0).concat(0), sum: 0 };
      histograms.set(name, one);
      const at = BUCKETS.findIndex((bound) => seconds <= bound);
      one.counts[at < 0 ? BUCKETS.length : at]! += 1;
      one.sum += seconds;
    },
    read: () => ({
      counters: [...counters].flatMap(([name, series]) => [...series.values()].map((one) => ({ name, ...one }))),
      histograms: [...histograms].map(([name, one]) => ({ name, counts: [...one.counts], sum: one.sum })),
    }),
  };
}
