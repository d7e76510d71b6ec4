import { z } from "zod";
import { blobId, canonicalId } from "../../base/canonical.ts";
import { listItems } from "./memory-entries.ts";
import { openLoops } from "./memory-loops.ts";

/** Files that operations change; the memory version covers them. */
export const versionedFiles = ["snapshot.md", "facts.md", "open_loops.md", "decisions.md", "values.json"] as const;
export type VersionedFile = (typeof versionedFiles)[number];
/** Their texts; missing files are omitted. */
export type MemoryFiles = Readonly<Partial<Record<VersionedFile, string>>>;

/** `meta.json` (M-1). */
export const memoryMeta = z.strictObject({
  /** Incremented by every change; a proposal names the version that its author read. */
  version: z.int().nonnegative(),
  counts: z.strictObject({
    facts: z.int().nonnegative(),
    openLoops: z.int().nonnegative(),
    decisions: z.int().nonnegative(),
    values: z.int().nonnegative(),
  }),
  /** Id of the versioned files: detects edits by hand, which do not change the version. */
  contents: z.string().regex(/^[0-9a-f]{40}$/),
  schemaVersion: z.literal("1.0"),
});
export type MemoryMeta = z.infer<typeof memoryMeta>;

export const metaOf = (version: number, files: MemoryFiles): MemoryMeta => ({
  version,
  counts: {
    facts: listItems(files["facts.md"] ?? ""),
    openLoops: openLoops(files["open_loops.md"] ?? "").length,
    decisions: listItems(files["decisions.md"] ?? ""),
    values: Object.keys(readValues(files["values.json"]) ?? {}).length,
  },
  contents: contentsId(files),
  schemaVersion: "1.0",
});

export const memoryMetaText = (meta: MemoryMeta): string => `${JSON.stringify(memoryMeta.parse(meta), null, 2)}\n`;

export function readMemoryMeta(text: string | undefined): MemoryMeta | undefined {
  try {
    return memoryMeta.parse(JSON.parse(text ?? ""));
  } catch {
    return undefined;
  }
}

/** Covers names and bytes. */
export const contentsId = (files: MemoryFiles): string =>
  canonicalId(
    versionedFiles.flatMap((name) => {
      const text = files[name];
      return text === undefined ? [] : [[name, blobId(Buffer.from(text))]];
    }),
  );

const values = z.record(z.string(), z.json());
export type MemoryValues = z.infer<typeof values>;

/** Named values of `write-memory`. Undefined if the file is not a JSON object of values; a missing file has no values. */
export function readValues(text: string | undefined): MemoryValues | undefined {
  if (text === undefined || text.trim() === "") return {};
  try {
    return values.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Sorted by name, so that writers of different values change different lines. */
export const valuesText = (of: MemoryValues): string =>
  `${JSON.stringify(Object.fromEntries(Object.entries(of).toSorted(([a], [b]) => (a < b ? -1 : 1))), null, 2)}\n`;
