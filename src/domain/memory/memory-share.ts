import { layerOneFiles } from "./memory-limits.ts";
import type { MemoryFiles } from "./memory-meta.ts";

/** A change that takes away less than this is small, whatever its share: a young memory is rewritten often. */
const SMALL = 1000;

export interface Replaced {
  /** Characters of layer 1 that are there no more, and how much of it that is, from 0 to 1. */
  readonly characters: number;
  readonly share: number;
}

/** How much of layer 1 an update replaces or removes. Lines that only move, from file to file too, stay. */
export function replacedShare(before: MemoryFiles, after: MemoryFiles): Replaced {
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

/** Whether an update takes away so much that a person has to see it, whatever rules say. */
export const isLargeChange = ({ characters, share }: Replaced, mostPercent: number): boolean =>
  characters >= SMALL && share * 100 > mostPercent;

const linesOf = (files: MemoryFiles): string[] =>
  layerOneFiles.flatMap((file) =>
    (files[file] ?? "")
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== ""),
  );
