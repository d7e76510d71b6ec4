import { join } from "node:path";
import { isOid, type Oid, type RefName, refName } from "../../../../domain/git/git-names.ts";
import type { RefEntry } from "../../../../ports/repo.ts";
import { readIfThere, signatureOf } from "../disk/small-file.ts";
import { type GitPlace, git, gitText } from "../process/git-process.ts";

export interface RefReader {
  resolve(ref: RefName): Promise<Oid | undefined>;
  refs(prefix: string): Promise<readonly RefEntry[]>;
  /** The branch that HEAD names, also before its first commit; undefined if HEAD is detached. */
  branch(): Promise<RefName | undefined>;
  /** The commit of a detached HEAD. */
  detachedHead(): Promise<Oid | undefined>;
}

/** Refs that belong to one work tree lie in its own git folder, all others in the shared one. */
const OWN = /^refs\/(bisect|worktree|rewritten)\//;

/**
 * Reads refs from git's files: the loose file, then `packed-refs`. In that order, because `pack-refs` writes the packed file
 * before it removes the loose one. For anything but a plain id, git is asked.
 */
export function refReader(place: GitPlace, gitDir: string, commonDir: string, plainFiles: boolean): RefReader {
  const headFile = join(gitDir, "HEAD");
  const packedFile = join(commonDir, "packed-refs");
  let packed: { signature: string; ids: ReadonlyMap<RefName, Oid> } | undefined;

  function packedRefs(): ReadonlyMap<RefName, Oid> {
    const signature = signatureOf(packedFile);
    if (signature === undefined) return new Map();
    if (packed?.signature === signature) return packed.ids;
    // Read after the signature: if the file is replaced in between, the next call reads again.
    const ids = parsePacked(readIfThere(packedFile) ?? "");
    packed = { signature, ids };
    return ids;
  }

  async function byGit(ref: RefName): Promise<Oid | undefined> {
    const lines = await gitText(place, ["for-each-ref", "--format=%(objectname) %(refname)", ref]);
    const line = lines.split("\n").find((each) => each.slice(41) === ref);
    return line?.slice(0, 40);
  }

  return {
    async resolve(ref) {
      refName(ref);
      if (!plainFiles) return byGit(ref);
      const loose = readIfThere(join(OWN.test(ref) ? gitDir : commonDir, ref));
      if (loose === undefined) return packedRefs().get(ref);
      const text = loose.trimEnd();
      return isOid(text) ? text : byGit(ref);
    },
    async refs(prefix) {
      const { stdout } = await git(place, [
        "for-each-ref",
        "--format=%(objectname) %(refname)",
        "--",
        folderOf(prefix),
      ]);
      return stdout
        .toString()
        .split("\n")
        .filter((line) => line.slice(41).startsWith(prefix))
        .map((line) => ({ oid: line.slice(0, 40), name: line.slice(41) }));
    },
    async branch() {
      if (!plainFiles) {
        const { stdout } = await git(place, ["symbolic-ref", "-q", "HEAD"], { accept: [0, 1] });
        return stdout.toString().trimEnd() || undefined;
      }
      return /^ref: (refs\/.+?)\s*$/.exec(readIfThere(headFile) ?? "")?.[1];
    },
    async detachedHead() {
      const text = plainFiles
        ? (readIfThere(headFile) ?? "").trimEnd()
        : await gitText(place, ["rev-parse", "-q", "--verify", "HEAD"], { accept: [0, 1] });
      return isOid(text) ? text : undefined;
    },
  };
}

/** `for-each-ref` matches whole path segments, so an incomplete last segment is cut off and filtered afterwards. */
const folderOf = (prefix: string): string => prefix.slice(0, prefix.lastIndexOf("/") + 1) || "refs/";

function parsePacked(text: string): Map<RefName, Oid> {
  const ids = new Map<RefName, Oid>();
  for (const line of text.split("\n")) {
    if (line.length > 41 && line[40] === " ") ids.set(line.slice(41), line.slice(0, 40));
  }
  return ids;
}
