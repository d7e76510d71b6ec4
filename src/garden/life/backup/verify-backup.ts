import { createHash } from "node:crypto";
import { z } from "zod";
import { Failure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import {
  BACKUP_VERSION,
  type BackupManifest,
  backupEntry,
  backupManifest,
  backupNames,
  MAX_MANIFEST_BYTES,
  MAX_SUMS_BYTES,
  parseSums,
  storeEntry,
} from "../../../domain/backup-format.ts";
import { newerFormat } from "../../../domain/config/failures.ts";
import { type ArchiveEntry, eachEntry } from "./archive.ts";

export interface VerifiedBackup {
  readonly manifest: BackupManifest;
  /**
   * Entries by name, without the list of sums and removed objects: SHA-256 and position in the archive. Of equal names the last one
   * counts.
   */
  readonly entries: ReadonlyMap<string, { readonly hash: string; readonly position: number }>;
}

/** Reads and verifies a whole backup; writes nothing. Throws VALIDATION_FAILED for any damage. */
export async function verifyBackup(archive: AsyncIterable<Uint8Array>): Promise<VerifiedBackup> {
  const entries = new Map<string, { hash: string; position: number }>();
  const texts = new Map<string, string>();
  let stray: string | undefined;
  let last: string | undefined;
  let position = 0;
  await readBackup(archive, async (entry) => {
    last = entry.name;
    const kind = backupEntry(entry.name)?.kind;
    if (!entry.isFile || kind === undefined) stray ??= entry.name;
    const limit = kind === "manifest" ? MAX_MANIFEST_BYTES : kind === "sums" ? MAX_SUMS_BYTES : 0;
    if (limit > 0 && entry.size > limit) throw damagedBackup();
    const { hash, text } = await drain(entry, limit > 0);
    entries.set(entry.name, { hash, position: position++ });
    if (limit > 0) texts.set(entry.name, text);
  });
  const manifest = parseManifest(texts.get(backupNames.manifest));
  if (stray !== undefined) throw strayEntry(stray);
  const sums = parseSums(texts.get(backupNames.sums) ?? "");
  if (last !== backupNames.sums || !sums || !sums.has(backupNames.bundle)) throw damagedBackup();
  entries.delete(backupNames.sums);
  for (const [name, hash] of sums) if (entries.get(name)?.hash !== hash) throw damagedBackup(name);
  for (const name of entries.keys()) if (!sums.has(name)) throw damagedBackup(name);
  for (const key of manifest.removed) entries.delete(storeEntry(key));
  return { manifest, entries };
}

/** Visits the entries of a backup. Errors of gzip and tar become our failures. */
export async function readBackup(
  archive: AsyncIterable<Uint8Array>,
  visit: (entry: ArchiveEntry) => Promise<void>,
): Promise<void> {
  try {
    await eachEntry(archive, visit);
  } catch (error) {
    if (error instanceof Failure) throw error;
    const said = saidBy(error);
    if (/incorrect header check/.test(said)) throw notABackup(error);
    if (/unexpected end of file|truncated/i.test(said)) throw cutOff(error);
    throw damagedBackup(undefined, error);
  }
}

/** Streams wrap the error of zlib as `cause`. */
const saidBy = (error: unknown): string =>
  error instanceof Error ? `${error.message} ${error.cause === undefined ? "" : saidBy(error.cause)}` : "";

async function drain(entry: ArchiveEntry, keep: boolean): Promise<{ hash: string; text: string }> {
  const hash = createHash("sha256");
  const chunks: Uint8Array[] = [];
  for await (const chunk of entry.bytes) {
    hash.update(chunk);
    if (keep) chunks.push(chunk);
  }
  return { hash: hash.digest("hex"), text: Buffer.concat(chunks).toString() };
}

function parseManifest(text: string | undefined): BackupManifest {
  if (text === undefined) throw notABackup();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw damagedBackup(backupNames.manifest, error);
  }
  const mark = z.object({ format: z.literal("garden-bloom-backup"), version: z.number() }).safeParse(value);
  if (!mark.success) throw notABackup();
  if (mark.data.version > BACKUP_VERSION) throw newerFormat("backup", mark.data.version);
  const checked = backupManifest.safeParse(value);
  if (!checked.success) throw damagedBackup(backupNames.manifest, checked.error);
  return checked.data;
}

const OTHER_COPY: Text = {
  en: "Nothing was restored. Take another copy of the backup.",
  uk: "Нічого не відновлено. Візьміть інший примірник резервної копії.",
};

const refusal = (text: Text, cause?: unknown, details?: Record<string, unknown>): Failure =>
  new Failure("VALIDATION_FAILED", {
    ...text,
    hint: OTHER_COPY,
    cause,
    ...(details && { details }),
  });

const notABackup = (cause?: unknown): Failure =>
  refusal({ en: "this file is not a backup of a garden", uk: "цей файл — не резервна копія саду" }, cause);

const cutOff = (cause: unknown): Failure =>
  refusal(
    { en: "this backup is truncated: its end is missing", uk: "ця резервна копія обірвана: бракує її кінця" },
    cause,
  );

export const damagedBackup = (entry?: string, cause?: unknown): Failure =>
  refusal(
    {
      en: `this backup is damaged${entry === undefined ? "" : `: the hash of ${entry} does not match`}`,
      uk: `цю резервну копію пошкоджено${entry === undefined ? "" : `: ${entry} має не той хеш`}`,
    },
    cause,
    entry === undefined ? undefined : { entry },
  );

const strayEntry = (name: string): Failure =>
  refusal(
    {
      en: `this backup has an unknown entry: ${JSON.stringify(name)}`,
      uk: `у цій резервній копії є запис, якого в копіях не буває: ${JSON.stringify(name)}`,
    },
    undefined,
    { entry: name },
  );
