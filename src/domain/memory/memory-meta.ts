import { z } from "zod";
import { blobId, canonicalId } from "../../base/canonical.ts";
import { listItems } from "./memory-entries.ts";
import { openLoops } from "./memory-loops.ts";

/** Files that operations change, and that a version therefore stands for. */
export const versionedFiles = ["snapshot.md", "facts.md", "open_loops.md", "decisions.md", "values.json"] as const;
export type VersionedFile = (typeof versionedFiles)[number];
/** What there is of them; a file that is missing is left out. */
export type MemoryFiles = Readonly<Partial<Record<VersionedFile, string>>>;

/** `meta.json` (M-1). */
export const memoryMeta = z.strictObject({
  /** Counts every change: who proposes one names the version that they read. */
  version: z.int().nonnegative(),
  counts: z.strictObject({
    facts: z.int().nonnegative(),
    openLoops: z.int().nonnegative(),
    decisions: z.int().nonnegative(),
    values: z.int().nonnegative(),
  }),
  /** Of the files that this version stands for: by it, an edit by hand is told, which changes no version. */
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

/** Over names and bytes. */
export const contentsId = (files: MemoryFiles): string =>
  canonicalId(
    versionedFiles.flatMap((name) => {
      const text = files[name];
      return text === undefined ? [] : [[name, blobId(Buffer.from(text))]];
    }),
  );

const values = z.record(z.string(), z.json());
export type MemoryValues = z.infer<typeof values>;

/** Named values of `write-memory`. Undefined if somebody made something else of the file; no file is no value. */
export function readValues(text: string | undefined): MemoryValues | undefined {
  if (text === undefined || text.trim() === "") return {};
  try {
    return values.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** In order of names, so that two who set different ones change different lines. */
export const valuesText = (of: MemoryValues): string =>
  `${JSON.stringify(Object.fromEntries(Object.entries(of).toSorted(([a], [b]) => (a < b ? -1 : 1))), null, 2)}\n`;
