import { lineEndOf } from "./markdown-lines.ts";
import { appended } from "./memory-section.ts";

/** One change of memory, as the files that tell its story hold it. */
export interface MemoryEvent {
  readonly agentId: string;
  readonly version: number;
  /** ISO time without fractions. */
  readonly at: string;
  readonly proposal: string;
  readonly by: string;
  readonly run: string | undefined;
  /** `facts.md +1 −0, open_loops.md +0 −1` */
  readonly changes: readonly string[];
  readonly observations: readonly string[];
}

/** `changelog.md`: one line per version, oldest first. */
export const memoryChangelog = (text: string | undefined, event: MemoryEvent): string =>
  withLines(text ?? `# Memory Changelog: ${event.agentId}\n\n`, [
    `- v${event.version} ${event.at} ${event.proposal} (${event.run ?? event.by}): ${event.changes.join(", ") || "—"}`,
  ]);

/** `timeline/YYYY-MM-DD.md`: what was noticed and done on a day. */
export const memoryTimeline = (text: string | undefined, event: MemoryEvent): string =>
  withLines(text ?? `# ${event.at.slice(0, 10)}: ${event.agentId}\n\n`, storyOf(event));

/** `runs/run_<id>.md`: what a run left in memory. */
export const memoryRun = (text: string | undefined, event: MemoryEvent): string =>
  withLines(text ?? `# ${event.run}: ${event.agentId}\n\n`, storyOf(event));

const storyOf = (event: MemoryEvent): string[] => {
  const time = event.at.slice(11, 16);
  const who = event.run ?? event.by;
  return [
    ...event.observations.map((text) => `- ${time} ${who}: ${oneLine(text)}`),
    ...(event.changes.length > 0 ? [`- ${time} ${who} → v${event.version}: ${event.changes.join(", ")}`] : []),
  ];
};

const withLines = (text: string, lines: readonly string[]): string =>
  lines.length === 0 ? text : appended(text, undefined, lines.join(lineEndOf(text)));

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** A line of `observations.jsonl` (source 001 §6.4): these fields, in this order. */
export const observationLine = (ts: string, run: string, observation: string): string =>
  JSON.stringify({ ts, run, observation });

/** A line of `decisions.jsonl` (source 001 §1: decisions and their context), built the same way. */
export const decisionLine = (ts: string, run: string, decision: string): string =>
  JSON.stringify({ ts, run, decision });

/** The file with the lines that it does not hold yet, each as often as it is asked for: adding twice is adding once. */
export function withLinesOnce(file: string, lines: readonly string[]): string {
  const there = new Map<string, number>();
  for (const line of file.split(/\r?\n/)) there.set(line, (there.get(line) ?? 0) + 1);
  const missing = lines.filter((line) => {
    const left = there.get(line) ?? 0;
    there.set(line, left - 1);
    return left <= 0;
  });
  if (missing.length === 0) return file;
  const whole = file === "" || file.endsWith("\n") ? file : `${file}\n`;
  return `${whole}${missing.join("\n")}\n`;
}
