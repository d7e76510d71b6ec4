import { createHash } from "node:crypto";
import { availableParallelism, loadavg } from "node:os";

/** The time that the reference machine (two quiet cores) takes to hash `SAMPLE`. */
const REFERENCE_MS = 12;
const SAMPLE = Buffer.alloc(16 * 1024 * 1024);
/** A machine that is slower than this by load is stuck. */
const MOST = 20;

let hashMs: number | undefined;

/**
 * How many times slower than the reference machine this one is now: its speed, measured once, times the processes that wait for
 * each of its cores.
 */
export function slowness(): number {
  hashMs ??= timed(() => createHash("sha256").update(SAMPLE).digest());
  const speed = Math.max(1, hashMs / REFERENCE_MS);
  const load = Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());
  return Math.min(MOST, speed * load);
}

/** A time limit for something that takes far less on a quiet machine: it grows with `slowness`. */
export const patient = (ms: number): number => Math.ceil(ms * slowness());

/**
 * Calls `late` when `ms` have passed, extended while the machine is slow: load that comes after the start counts too. Returns the
 * function that ends the wait.
 */
export function patientTimer(ms: number, late: (seconds: number) => void): () => void {
  const began = performance.now();
  const look = (): void => {
    const left = patient(ms) - (performance.now() - began);
    if (left > 0) timer = setTimeout(look, left);
    else late(Math.round((performance.now() - began) / 1000));
  };
  let timer = setTimeout(look, ms);
  return () => clearTimeout(timer);
}

function timed(work: () => unknown): number {
  const began = performance.now();
  work();
  return performance.now() - began;
}
