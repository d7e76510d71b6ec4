import { layerOneFiles } from "./memory-limits.ts";
import type { MemoryFiles } from "./memory-meta.ts";

/** A removal below this size is never a large change: a young memory is rewritten often. */
const SMALL = 1000;

export interface ReplacedShare {
  /** Removed characters of layer 1, and their share from 0 to 1. */
  readonly characters: number;
  readonly share: number;
}

/** Measures how much of layer 1 an update replaces or removes. Lines that only move, also between files, are not counted. */
export function replacedShare(before: MemoryFiles, after: MemoryFiles): ReplacedShare {
  const there = new Map<string, number>();
  for (const line of linesOf(after)) there.set(line, (there.get(line) ?? 0) + 1);
  let [gone, all] = [0, 0];
  for (const line of linesOf(before)) {
    all += line.length;
    const left = there.get(line) ?? 0;
    if (left === 0) gone += line.length;
    else there.set(line, left - 1);
  }
  return { characters: gone, share: all === 0 ? 0 : gone / all };
}

/** True if an update removes so much that a person must approve it, regardless of rules. */
export const isLargeChange = ({ characters, share }: ReplacedShare, mostPercent: number): boolean =>
  characters >= SMALL && share * 100 > mostPercent;

const linesOf = (files: MemoryFiles): string[] =>
  layerOneFiles.flatMap((file) =>
    (files[file] ?? "")
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== ""),
  );
