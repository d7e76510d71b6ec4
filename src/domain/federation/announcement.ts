import { isOid, type Oid, type RefName } from "../git/git-names.ts";
import { decodeSystemCommit, encodeSystemCommit } from "../session/typed-commit.ts";
import { publicKeyInLine, publicKeyLine } from "./ssh-key.ts";

/** S-10: everything that a garden publishes, at one moment. Each announcement has the one before as its parent. */
export interface Announcement {
  /** The garden: the fingerprint of its first key. */
  readonly space: string;
  /** Grows by at least one with every announcement. */
  readonly seq: number;
  readonly refs: ReadonlyMap<RefName, Oid>;
  /** A change of keys: the line of the key that signs from the next announcement on. The old one is refused from then on. */
  readonly next?: string | undefined;
}

export const ANNOUNCED_REFS_FILE = "refs";

export const announcementText = ({ space, seq, next }: Announcement): ReturnType<typeof encodeSystemCommit> =>
  encodeSystemCommit("announcement", `announcement ${seq}`, { space, seq, next });

/** One line per ref, sorted by name: the whole state, so that a ref that is missing was withdrawn. */
export const announcedLines = (refs: Announcement["refs"]): string =>
  [...refs]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, oid]) => `${oid} ${name}\n`)
    .join("");

/** Undefined for a commit that is no announcement, or a malformed one. A name that nobody may announce is left to the caller. */
export function readAnnouncement(message: string, file: Uint8Array | undefined): Announcement | undefined {
  const fields = decodeSystemCommit(message, "announcement");
  const [space, seq, next] = [fields?.["space"], fields?.["seq"], fields?.["next"]];
  if (next !== undefined && (typeof next !== "string" || !isKeyLine(next))) return undefined;
  if (typeof space !== "string" || typeof seq !== "number" || !Number.isSafeInteger(seq) || seq < 1) return undefined;
  const refs = new Map<RefName, Oid>();
  const text = Buffer.from(file ?? []).toString("latin1");
  for (const line of text.split("\n").slice(0, -1)) {
    const [oid, name, ...more] = line.split(" ");
    if (!isOid(oid!) || name === undefined || more.length > 0 || refs.has(name)) return undefined;
    refs.set(name, oid);
  }
  return file && announcedLines(refs) === text ? { space, seq, refs, ...(next !== undefined && { next }) } : undefined;
}

function isKeyLine(line: string): boolean {
  try {
    return publicKeyLine(publicKeyInLine(line)) === line;
  } catch {
    return false;
  }
}
