import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { RivalAbsent } from "./rivals/installed.ts";
import { settle } from "./scratch.ts";

/**
 * Runs ours and its rivals side by side: in every round each works for the same time, one after the other, and each round
 * begins with another one. The ratio is taken round by round, so that a machine that is busy with something else slows
 * both sides of it.
 */
export interface Bench {
  /** Says what is measured, and whether an answered operation survives power loss. */
  readonly name: string;
  readonly unit: string;
  /** Operations in flight at once. */
  readonly workers: number;
  /** Counts the time of `rest` too: the rate until all work is done, not until it is answered. */
  readonly untilRest?: boolean;
  /** Measures how long one operation takes (the median, in ms) instead of how many are done in a second. */
  readonly latency?: boolean;
  /**
   * Measures the processor time of one operation in this process (the mean of a round, in ms), with that of the processes it ended.
   * Without those, a round and the warm-up last `roundMs` of processor time: on a slow disk, a round by the clock would have few
   * operations, and would measure how their code is compiled.
   */
  readonly cpu?: boolean | "with-children";
  readonly ours: Contender;
  readonly rivals: readonly Contender[];
}

export interface Contender {
  readonly name: string;
  /** Prepares the contender in an empty folder. */
  open(folder: string): Promise<Opened>;
}

export interface Opened {
  /** Lays in what operations use up, before each turn; not counted. */
  ready?(): Promise<void>;
  /** One operation. A worker begins its next one when the last has been answered; `spent` ends the turn. */
  once(worker: number): Promise<void | "spent">;
  /** Finishes deferred work, so that it is not measured as part of the next contender. */
  rest?(): Promise<void>;
  close(): Promise<void>;
}

export interface Pace {
  readonly rounds: number;
  readonly roundMs: number;
  /** Lets the disk come to rest before every turn. Not for a smoke test. */
  readonly settle: boolean;
}

/** Size of the work. */
export interface Size {
  readonly files: number;
  /** Workers of the benches with many of them. */
  readonly crowd: number;
  /** Proposals that were decided long ago. */
  readonly archived: number;
  /** Commits of the benches with a long history. */
  readonly commits: number;
  /** Runs that ended long ago. */
  readonly finished: number;
  /** Allows rival engines to be installed and started. */
  readonly install: boolean;
}

/** One comparison. A ratio above 1 means that ours is better. */
export interface Row {
  readonly name: string;
  readonly ours: number;
  readonly rival: string;
  readonly theirs: number;
  readonly ratio: number;
  readonly unit: string;
  /** Rounds that the medians were taken from. */
  readonly samples: number;
  /** Why there is no figure of the rival: it cannot be had on this machine. */
  readonly absent?: string;
}

export async function runBench(bench: Bench, pace: Pace, folder: string, tell: (line: string) => void): Promise<Row[]> {
  const contenders: Contender[] = [];
  const absent = new Map<Contender, string>();
  const opened: Opened[] = [];
  const rates: number[][] = [bench.ours, ...bench.rivals].map(() => []);
  try {
    for (const [i, contender] of [bench.ours, ...bench.rivals].entries()) {
      tell(`${bench.name}: preparing ${contender.name}`);
      const own = join(folder, String(i));
      await mkdir(own, { recursive: true });
      try {
        opened.push(await contender.open(own));
        contenders.push(contender);
      } catch (error) {
        if (!(error instanceof RivalAbsent)) throw error;
        absent.set(contender, error.message);
      }
    }
    const warmUp = { ...pace, roundMs: bench.cpu === true ? pace.roundMs : pace.roundMs / 4 };
    for (const each of opened) await measure(each, bench, warmUp, folder);
    for (let round = 0; round < pace.rounds; round++) {
      tell(`${bench.name}: round ${round + 1} of ${pace.rounds}`);
      for (const i of turns(contenders.length, round)) rates[i]!.push(await measure(opened[i]!, bench, pace, folder));
    }
  } finally {
    for (const each of opened) await each.close();
  }
  const common = { name: bench.name, ours: rounded(median(rates[0]!)), unit: bench.unit, samples: pace.rounds };
  return bench.rivals.map((rival) => {
    const why = absent.get(rival);
    if (why !== undefined) return { ...common, rival: rival.name, theirs: 0, ratio: 0, absent: why };
    const theirs = rates[contenders.indexOf(rival)]!;
    const ratio = median(rates[0]!.map((ours, round) => ratioOf(bench, ours, theirs[round]!)));
    return { ...common, rival: rival.name, theirs: rounded(median(theirs)), ratio: rounded(ratio) };
  });
}

const ratioOf = ({ latency, cpu }: Bench, ours: number, theirs: number): number =>
  latency || cpu ? theirs / ours : ours / theirs;

/** Operations per second of one contender in one round, or the median of how long they took. */
async function measure(opened: Opened, bench: Bench, pace: Pace, folder: string): Promise<number> {
  await opened.ready?.();
  if (pace.settle) await settle(folder);
  const used = processorMs(bench);
  const begin = performance.now();
  const clock = bench.cpu === true ? () => processorMs(bench) : () => performance.now();
  const end = clock() + pace.roundMs;
  let done = 0;
  const took: number[] = [];
  const work = async (worker: number): Promise<void> => {
    do {
      const from = performance.now();
      if ((await opened.once(worker)) === "spent") return;
      took.push(performance.now() - from);
      done++;
    } while (clock() < end);
  };
  await Promise.all(Array.from({ length: bench.workers }, (_, worker) => work(worker)));
  const answered = performance.now();
  await opened.rest?.();
  if (bench.cpu) return (processorMs(bench) - used) / done;
  if (bench.latency) return median(took);
  return (done * 1000) / ((bench.untilRest ? performance.now() : answered) - begin);
}

/** Linux alone tells the time of children that have ended, in hundredths of a second. */
function processorMs({ cpu }: Bench): number {
  const { user, system } = process.cpuUsage();
  if (cpu !== "with-children") return (user + system) / 1000;
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]!.split(" ");
  return (user + system) / 1000 + (Number(fields[13]) + Number(fields[14])) * 10;
}

/**
 * The order of contenders in a round: each is first in turn, and every second round is reversed, so that no contender always
 * follows the same one.
 */
export function turns(count: number, round: number): number[] {
  const order = Array.from({ length: count }, (_, i) => (i + count - (round % count)) % count);
  return round % 2 === 0 ? order : order.toReversed();
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

const rounded = (value: number): number => Number(value.toPrecision(3));
