import { z } from "zod";
import { canonicalId } from "../../base/canonical.ts";
import { repoPathProblem } from "../git/git-names.ts";
import { slugField } from "../identity.ts";
import { memoryArchiveChanged, notMemoryArchive } from "./failures.ts";

/** M-5: an agent's whole memory at a commit as one value, for storing, exporting and restoring. */
const content = z.union([z.string(), z.strictObject({ base64: z.base64() })]);
const oid = z.string().regex(/^[0-9a-f]{40}$/);
export const memoryArchive = z.strictObject({
  format: z.literal("garden-bloom/memory"),
  schemaVersion: z.literal("1.0"),
  agentId: slugField,
  commit: oid,
  /** Time of the commit, so that the same commit always gives the same archive. */
  at: z.iso.datetime(),
  version: z.int().nonnegative(),
  /** By path in `memory/<agentId>/`; files that are not UTF-8 text are in base64. */
  files: z.record(
    z.string().refine((path) => repoPathProblem(path) === undefined, "path"),
    content,
  ),
  /** Covers all fields above. */
  digest: oid,
});
export type MemoryArchive = z.infer<typeof memoryArchive>;

export const archiveOf = (contents: Omit<MemoryArchive, "format" | "schemaVersion" | "digest">): MemoryArchive => {
  const whole = { format: "garden-bloom/memory", schemaVersion: "1.0", ...contents } as const;
  return { ...whole, digest: canonicalId(whole) };
};

/** `snap-v7-0123456789ab`: derived from the contents. */
export const snapshotId = ({ version, digest }: Pick<MemoryArchive, "version" | "digest">): string =>
  `snap-v${version}-${digest.slice(0, 12)}`;
export const SNAPSHOT_ID = /^snap-v\d{1,9}-[0-9a-f]{12}$/;

export const archiveText = (archive: MemoryArchive): string => `${JSON.stringify(archive, null, 2)}\n`;

/** Parses an archive. Throws VALIDATION_FAILED if it is not an archive or was changed since it was made. */
export function readArchive(text: string, where: string): MemoryArchive {
  let parsed: MemoryArchive;
  try {
    parsed = memoryArchive.parse(JSON.parse(text));
  } catch {
    throw notMemoryArchive(where);
  }
  const { digest, ...whole } = parsed;
  if (canonicalId(whole) === digest) return parsed;
  throw memoryArchiveChanged(where, digest);
}
