import { BUCKETS, histogramNames, type Labels, type MeterReading, metricNames } from "../garden/core/meter.ts";
import type { Gauge } from "../garden/insight/telemetry/garden-gauges.ts";

/** The text format of Prometheus, version 0.0.4. */
export function prometheusText({ counters, histograms }: MeterReading, gauges: readonly Gauge[]): string {
  const lines: string[] = [];
  for (const [name, help] of Object.entries(metricNames)) {
    lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} counter`);
    for (const one of counters) if (one.name === name) lines.push(`${name}${labelText(one.labels)} ${one.value}`);
  }
  for (const [name, help] of Object.entries(histogramNames)) {
    lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} histogram`);
    const one = histograms.find((each) => each.name === name);
    if (!one) continue;
    let total = 0;
    for (const [i, count] of one.counts.entries()) {
      total += count;
      lines.push(`${name}_bucket${labelText({ le: String(BUCKETS[i] ?? "+Inf") })} ${total}`);
    }
    lines.push(`${name}_sum ${one.sum}`, `${name}_count ${total}`);
  }
  for (const { name, help, values } of gauges) {
    lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} gauge`);
    for (const { labels, value } of values) lines.push(`${name}${labelText(labels)} ${value}`);
  }
  return `${lines.join("\n")}\n`;
}

function labelText(labels: Labels): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return parts.length === 0 ? "" : `{${parts.join(",")}}`;
}

const escaped = (value: string): string =>
  value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
