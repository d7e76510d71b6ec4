import { lineEndOf } from "../note/markdown-lines.ts";
import { withAppendedText } from "./memory-section.ts";

/** One change of memory, for the changelog, timeline and run files. */
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
  /** ISO time of the observations; the change is made later, when it is approved. */
  readonly observedAt: string;
  /** M-2: evicted facts, and loops that became decisions, each on one line. */
  readonly evicted: readonly string[];
  readonly frozen: readonly string[];
  /** Commits by people since the last proposal, oldest first: each is a version (G-5). */
  readonly byHand: readonly { readonly commit: string; readonly at: string; readonly author: string }[];
}

/** `changelog.md`: one line per version, oldest first. */
export const memoryChangelog = (text: string | undefined, event: MemoryEvent): string =>
  withLines(text ?? `# Memory Changelog: ${event.agentId}\n\n`, [
    ...event.byHand.map(
      ({ commit, at, author }, index) =>
        `- v${event.version - event.byHand.length + index} ${at} ${commit.slice(0, 12)} (by hand: ${oneLine(author)})`,
    ),
    `- v${event.version} ${event.at} ${event.proposal} (${event.run ?? event.by}): ${event.changes.join(", ") || "—"}`,
  ]);

/** `timeline/YYYY-MM-DD.md`: observations and changes of a day. */
export const memoryTimeline = (text: string | undefined, event: MemoryEvent): string =>
  withLines(text ?? `# ${event.at.slice(0, 10)}: ${event.agentId}\n\n`, storyOf(event));

/** `runs/run_<id>.md`: the changes that a run made to memory. */
export const memoryRun = (text: string | undefined, event: MemoryEvent): string =>
  withLines(text ?? `# ${event.run}: ${event.agentId}\n\n`, storyOf(event));

const storyOf = (event: MemoryEvent): string[] => {
  const time = event.at.slice(11, 16);
  const who = event.run ?? event.by;
  return [
    ...event.observations.map((text) => `- ${observedTime(event)} ${who}: ${oneLine(text)}`),
    ...(event.changes.length > 0 ? [`- ${time} ${who} → v${event.version}: ${event.changes.join(", ")}`] : []),
    ...gone(time, "evicted", event.evicted),
    ...gone(time, "frozen", event.frozen),
  ];
};

/** With the day, if it is not the day of the change. */
const observedTime = ({ at, observedAt }: MemoryEvent): string =>
  observedAt.slice(0, 10) === at.slice(0, 10) ? observedAt.slice(11, 16) : observedAt.slice(0, 16).replace("T", " ");

/** One observation in a timeline. */
export interface TimelineObservation {
  /** `2026-02-14 08:02` */
  readonly at: string;
  /** The run, or the identity of another proposer. */
  readonly by: string;
  readonly text: string;
}

/** The observations in the timeline of a day, oldest first: the lines that `memoryTimeline` wrote for them. */
export const observationsIn = (timeline: string, day: string): TimelineObservation[] =>
  timeline.split(/\r?\n/).flatMap((line): TimelineObservation[] => {
    const [, own, time, by, text] = /^- (?:(\d{4}-\d\d-\d\d) )?(\d\d:\d\d) (\S+): (.+)$/.exec(line) ?? [];
    if (by === undefined || by === "evicted" || by === "frozen") return [];
    return [{ at: `${own ?? day} ${time}`, by, text: text! }];
  });

/** Maximum number of evicted entries listed in a timeline; git has all of them. */
const MOST_GONE = 50;
const MOST_LENGTH = 300;
const gone = (time: string, word: string, texts: readonly string[]): string[] => [
  ...texts
    .slice(0, MOST_GONE)
    .map(
      (text) =>
        `- ${time} ${word}: ${text.length > MOST_LENGTH ? `${text.slice(0, MOST_LENGTH).toWellFormed()}…` : text}`,
    ),
  ...(texts.length > MOST_GONE ? [`- ${time} ${word}: … ${texts.length - MOST_GONE} more`] : []),
];

const withLines = (text: string, lines: readonly string[]): string =>
  lines.length === 0 ? text : withAppendedText(text, undefined, lines.join(lineEndOf(text)));

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** A line of `observations.jsonl` (source 001 §6.4): these fields, in this order. */
export const observationLine = (ts: string, run: string, observation: string): string =>
  JSON.stringify({ ts, run, observation });

/** A line of `decisions.jsonl` (source 001 §1: decisions and their context), built the same way. */
export const decisionLine = (ts: string, run: string, decision: string): string =>
  JSON.stringify({ ts, run, decision });

/** Adds the lines that the file does not have yet, with multiplicity. Idempotent. */
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
