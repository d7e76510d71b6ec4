const RECORD_BYTES = 2048;
const PER_FOLDER = 100;

/** A record of 2 KB that differs from every other one. */
export function record(n: number): Uint8Array {
  const bytes = Buffer.alloc(RECORD_BYTES, `{"n":${n},"text":"${"a step of a run, as text ".repeat(8)}"}\n`);
  bytes[RECORD_BYTES - 1] = 0x0a;
  return bytes;
}

/** The key of a step record, as runs write them: a hundred to a folder. */
export const recordKey = (n: number): string =>
  `agents/bench/runs/run-${String(Math.floor(n / PER_FOLDER)).padStart(6, "0")}/steps/${String(n % PER_FOLDER).padStart(2, "0")}-step.json`;
