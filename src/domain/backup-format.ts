import { z } from "zod";
import { repoPathProblem } from "./git/git-names.ts";
import { isReadableKey, type StoreKey } from "./store-key.ts";

/**
 * A backup is one `.tar.gz` that ordinary tools open:
 *
 *     store/<key>        every object of the store
 *     worktree/<path>    files that are not committed, as they lay there
 *     repo.bundle        every ref of the repository and all that it reaches; `git clone repo.bundle` works
 *     backup.json        what this is
 *     SHA256SUMS         last; `sha256sum -c SHA256SUMS` checks the rest
 *
 * If a name comes twice, the later entry counts, as it does for `tar`. Objects whose keys `backup.json` lists as `removed` are not
 * restored: they were removed from the garden after they had been written to the archive, which is a stream. Keys and secrets
 * (`.bloom/keys`) are not in it.
 */
export const BACKUP_VERSION = 1;
export const BACKUP_SUFFIX = ".bloom.tar.gz";
export const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;
export const MAX_SUMS_BYTES = 512 * 1024 * 1024;

export const backupNames = { bundle: "repo.bundle", manifest: "backup.json", sums: "SHA256SUMS" } as const;

export const backupManifest = z.object({
  format: z.literal("garden-bloom-backup"),
  version: z.int().positive(),
  name: z.string(),
  /** When it was made, UTC. */
  made_at: z.iso.datetime(),
  refs: z.record(z.string(), z.string()),
  counts: z.object({ objects: z.int(), files: z.int(), bytes: z.int() }),
  /** Files of the last commit that were not in the work tree. */
  deleted: z.array(z.string()),
  /** Keys of objects that are in the archive, but were removed from the garden while it was made. Absent in older backups. */
  removed: z.array(z.string()).default([]),
  /** Paths that could not be backed up. */
  left: z.array(z.string()),
});
export type BackupManifest = z.infer<typeof backupManifest>;

export type BackupEntry =
  | { readonly kind: "bundle" | "manifest" | "sums" }
  | { readonly kind: "object"; readonly key: StoreKey }
  | { readonly kind: "file"; readonly path: string };

export const storeEntry = (key: string): string => `store/${key}`;

/** The kind of an archive entry; undefined for any other name, in particular one that leads out of the folder. */
export function backupEntry(name: string): BackupEntry | undefined {
  for (const kind of ["bundle", "manifest", "sums"] as const) if (name === backupNames[kind]) return { kind };
  if (/[\n\r]/.test(name)) return undefined;
  const [, top, rest] = /^(store|worktree)\/(.+)$/s.exec(name) ?? [];
  if (top === "store" && isReadableKey(rest!)) return { kind: "object", key: rest! };
  if (top === "worktree" && repoPathProblem(rest!) === undefined) return { kind: "file", path: rest! };
  return undefined;
}

/** `rose-garden-20260214T080000Z.bloom.tar.gz` */
export function backupFileName(garden: string, at: number): string {
  const name = garden
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-+|-+$/g, "")
    .toLowerCase();
  const stamp = new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, "");
  return `${[...name].slice(0, 60).join("") || "garden"}-${stamp}${BACKUP_SUFFIX}`;
}

/** Lines in the format of `sha256sum`. */
export const sumsText = (sums: ReadonlyMap<string, string>): string =>
  [...sums].map(([name, hash]) => `${hash}  ${name}\n`).join("");

export function parseSums(text: string): ReadonlyMap<string, string> | undefined {
  const sums = new Map<string, string>();
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const match = /^([0-9a-f]{64}) [ *](.+)$/.exec(line);
    if (!match) return undefined;
    sums.set(match[2]!, match[1]!);
  }
  return sums;
}
