import { compareUtf8 } from "../../../../base/order.ts";
import type { Uncommitted } from "../../../../ports/repo.ts";
import { type GitPlace, git } from "../process/git-process.ts";

/**
 * A person's uncommitted changes, by `git status` with the person's own ignore rules and filters. Takes no lock and
 * writes nothing.
 */
export async function uncommittedIn(place: GitPlace): Promise<Uncommitted[]> {
  const { stdout } = await git(
    place,
    ["status", "--porcelain=v2", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=none"],
    { asUser: true },
  );
  const found = new Map<string, Uncommitted["kind"]>();
  for (const record of stdout.toString().split("\0")) {
    const entry = parseRecord(record);
    if (!entry) continue;
    // Removed from the index but not from the folder: git reports both, and the file exists.
    const before = found.get(entry.path);
    found.set(entry.path, before === "deleted" && entry.kind === "untracked" ? "changed" : entry.kind);
  }
  return [...found].map(([path, kind]) => ({ path, kind })).toSorted((a, b) => compareUtf8(a.path, b.path));
}

/** `1 XY sub mH mI mW hH hI path`, `u XY sub m1 m2 m3 mW h1 h2 h3 path`, `? path`. */
function parseRecord(record: string): Uncommitted | undefined {
  const fields = record.split(" ");
  if (fields[0] === "?") {
    const path = record.slice(2);
    return path.endsWith("/") ? { path: path.slice(0, -1), kind: "other" } : { path, kind: "untracked" };
  }
  if (fields[0] !== "1" && fields[0] !== "u") return undefined;
  const path = fields.slice(fields[0] === "1" ? 8 : 10).join(" ");
  if (fields[2]!.startsWith("S")) return { path, kind: "other" };
  const inWorkTree = fields[fields[0] === "1" ? 5 : 6];
  return { path, kind: inWorkTree === "000000" ? "deleted" : "changed" };
}
