import { Failure } from "../../../base/failure.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import type { Identity } from "../../../domain/identity.ts";
import { type MemoryArchive, SNAPSHOT_ID, snapshotId } from "../../../domain/memory/memory-archive.ts";
import { type MemoryFiles, versionedFiles } from "../../../domain/memory/memory-meta.ts";
import { type Received, receive } from "../../changes/inbox/receive.ts";
import type { Garden } from "../../core/garden.ts";
import { headOf } from "../../core/main-head.ts";
import { commitAtMoment } from "../../records/memory/memory-diff.ts";
import { readMemory } from "../../records/memory/memory-state.ts";
import { readSnapshot } from "./memory-snapshot.ts";

export interface RestoreWish {
  readonly slug: string;
  readonly identity: Identity;
  /** A snapshot (`snap-…`), a commit or a date; or an archive itself. */
  readonly from: string | MemoryArchive;
  readonly reasoning?: string | undefined;
  readonly correlation_id?: string | undefined;
}

/**
 * M-5: proposes to restore an agent's memory; always decided by a person. It replaces layer 1 and the decisions byte by byte, and
 * leaves the history (changelog, timeline, reports) as it is.
 */
export async function proposeRestore(garden: Garden, wish: RestoreWish): Promise<Received> {
  const { slug, identity, from, reasoning, correlation_id } = wish;
  const head = await headOf(garden.repo);
  const { files: wanted, name } = await formerFiles(garden, head, slug, from);
  const { files: now, version } = await readMemory(garden.repo, head, slug);
  const files = Object.fromEntries(
    versionedFiles.filter((file) => wanted[file] !== now[file]).map((file) => [file, wanted[file] ?? null]),
  );
  if (Object.keys(files).length === 0) throw alreadySo(slug, name);
  return receive(garden, {
    identity,
    action: "memory-update",
    target: slug,
    payload: {
      agent: slug,
      operations: [{ op: "restore", files, from: name }],
      expectedVersion: version,
      priority: "high",
    },
    summary:
      garden.config.language === "uk"
        ? `Повернути пам'ять ${slug} до ${name}`
        : `Restore the memory of ${slug} from ${name}`,
    priority: "high",
    ...(reasoning !== undefined && { reasoning }),
    ...(correlation_id !== undefined && { correlation_id }),
  });
}

async function formerFiles(
  { repo, store }: Garden,
  head: Oid,
  slug: string,
  from: string | MemoryArchive,
): Promise<{ readonly files: MemoryFiles; readonly name: string }> {
  if (typeof from === "string" && !SNAPSHOT_ID.test(from)) {
    const commit = await commitAtMoment(repo, head, from);
    const { files } = commit === undefined ? { files: {} } : await readMemory(repo, commit, slug);
    if (commit === undefined || Object.keys(files).length === 0) throw nothingThere(slug, from);
    return { files, name: commit };
  }
  const archive = typeof from === "string" ? await readSnapshot(store, slug, from) : from;
  if (archive.agentId !== slug) throw ofAnother(slug, archive.agentId);
  const files: Partial<Record<(typeof versionedFiles)[number], string>> = {};
  for (const file of versionedFiles) {
    const content = archive.files[file];
    if (content !== undefined) files[file] = typeof content === "string" ? content : noText(file);
  }
  return { files, name: snapshotId(archive) };
}

function noText(file: string): never {
  throw new Failure("VALIDATION_FAILED", {
    en: `${file} in the archive is not UTF-8`,
    uk: `${file} в архіві — не текст у UTF-8`,
    details: { file },
  });
}

const alreadySo = (slug: string, name: string): Failure =>
  new Failure("DUPLICATE_ENTRY", {
    en: `the memory of ${slug} already equals ${name}`,
    uk: `пам'ять ${slug} і так саме така, як у ${name}`,
    details: { nothing: true },
  });
const nothingThere = (slug: string, from: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `${slug} had no memory at ${from}`,
    uk: `на ${from} у ${slug} не було пам'яті`,
    details: { agent: slug, from },
  });
const ofAnother = (slug: string, other: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `this is an archive of ${other}, not of ${slug}`,
    uk: `це архів ${other}, а не ${slug}`,
    details: { agent: slug, found: other },
  });
