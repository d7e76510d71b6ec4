import { type Oid, repoPathProblem } from "../../../../domain/git/git-names.ts";
import { CatFile } from "../objects/cat-file.ts";
import { fromByteName, parseTree } from "../objects/object-format.ts";
import { type GitPlace, git } from "../process/git-process.ts";

/** Trees that are read together: the memory that this takes does not grow with their number. */
const AT_ONCE = 200;
const MODES: ReadonlySet<string> = new Set(["100644", "100755", "40000"]);

/**
 * A path that must not reach a work tree, in any commit that these reach and the repository whose objects are borrowed did not have: an
 * entry that is neither file nor folder, or a name that is no path of a garden. Every tree is read once, whatever commits it is in.
 */
export async function unsafeEntry(place: GitPlace, oids: readonly Oid[]): Promise<string | undefined> {
  const listed = await git(
    place,
    ["rev-list", "--objects", "--filter=blob:none", "--stdin", "--not", "--alternate-refs"],
    { input: [...new Set(oids)].map((oid) => `${oid}\n`).join("") },
  );
  // A line of a tree has a space, and the path of its folder after it: empty at the top.
  const lines = listed.stdout.toString().split("\n");
  const trees = lines.filter((line) => line.length > 40 && line[40] === " ");
  const reader = new CatFile(place);
  try {
    for (let first = 0; first < trees.length; first += AT_ONCE) {
      const found = await Promise.all(trees.slice(first, first + AT_ONCE).map((line) => unsafeIn(reader, line)));
      const unsafe = found.find((path) => path !== undefined);
      if (unsafe !== undefined) return unsafe;
    }
    return undefined;
  } finally {
    reader.close();
  }
}

async function unsafeIn(reader: CatFile, line: string): Promise<string | undefined> {
  const answer = await reader.ask(line.slice(0, 40), true);
  if (answer?.type !== "tree") return undefined; // an announced blob or tag; the caller refuses it
  const entry = parseTree(answer.bytes!).entries.find(
    ({ mode, name }) => !MODES.has(mode) || repoPathProblem(fromByteName(name)) !== undefined,
  );
  return entry && `${line.slice(41)}${line.length > 41 ? "/" : ""}${fromByteName(entry.name)}`;
}
