let last = { ms: Number.NaN, text: "" };

/** ISO 8601, UTC. The last text is kept: a step writes its times several times within one millisecond. */
export function isoTime(ms: number): string {
  if (ms !== last.ms) last = { ms, text: new Date(ms).toISOString() };
  return last.text;
}
