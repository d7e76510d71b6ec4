import { compareUtf8 } from "../../../../base/order.ts";
import { type Text, verbatim } from "../../../../base/text.ts";
import type { Oid } from "../../../../domain/git/git-names.ts";
import type { Conflict } from "../../../../ports/repo.ts";
import { type GitPlace, git, gitText } from "../process/git-process.ts";

/** Parsed output of `git merge-tree`. */
export interface MergeTreeOutput {
  /** Its files hold conflict markers where there is a conflict. */
  readonly tree: Oid;
  /** Stage 1 is the common version, 2 ours, 3 theirs. */
  readonly sides: readonly {
    readonly mode: string;
    readonly oid: Oid;
    readonly stage: number;
    readonly path: string;
  }[];
  readonly messages: readonly { readonly paths: readonly string[]; readonly type: string; readonly text: string }[];
}

interface MergeRepo {
  readonly place: GitPlace;
  /** Environment that makes git see the objects of this merge. */
  readonly variables: Readonly<Record<string, string>>;
}

const CONFLICT = "CONFLICT";

export async function mergeConflicts(
  repo: MergeRepo,
  merged: MergeTreeOutput,
  ours: Oid,
  theirs: Oid,
): Promise<Conflict[]> {
  const conflictMessages = merged.messages.filter(({ type }) => type.startsWith(CONFLICT));
  const paths = new Set([
    ...merged.sides.map(({ path }) => path),
    ...conflictMessages.flatMap((message) => message.paths.slice(0, 1)),
  ]);
  const conflicts = [...paths].map(async (path): Promise<Conflict> => {
    const message = conflictMessages.find((each) => each.paths.includes(path));
    const side = (stage: number) => merged.sides.find((each) => each.path === path && each.stage === stage);
    const mine = side(2);
    const lines = message?.type === "CONFLICT (contents)" && mine && side(3);
    return {
      path,
      why: whyOf(message?.type ?? "", message?.text ?? ""),
      hunks: lines ? await hunksOf(repo, merged.tree, path, mine.oid, ours, theirs) : [],
    };
  });
  return (await Promise.all(conflicts)).toSorted((a, b) => compareUtf8(a.path, b.path));
}

const reasons: Readonly<Record<string, Text>> = {
  "CONFLICT (contents)": { en: "both sides changed the same lines", uk: "обидві сторони змінили ті самі рядки" },
  "CONFLICT (binary)": {
    en: "both sides changed a file that has no lines",
    uk: "обидві сторони змінили файл, у якому немає рядків",
  },
  "CONFLICT (modify/delete)": {
    en: "one side deleted what the other changed",
    uk: "одна сторона видалила те, що інша змінила",
  },
  "CONFLICT (rename/delete)": {
    en: "one side deleted what the other renamed",
    uk: "одна сторона видалила те, що інша перейменувала",
  },
  "CONFLICT (rename/rename)": { en: "the sides renamed it differently", uk: "сторони перейменували його по-різному" },
  "CONFLICT (file/directory)": {
    en: "one side has a file where the other has a folder",
    uk: "в однієї сторони там файл, а в іншої тека",
  },
  "CONFLICT (distinct modes)": {
    en: "the sides turned it into different kinds of file",
    uk: "сторони зробили з нього файли різного типу",
  },
};

const whyOf = (type: string, text: string): Text => reasons[type] ?? verbatim(text.trim() || type);

/** The conflicting hunks, each with the line in our version where it begins. */
async function hunksOf(
  { place, variables }: MergeRepo,
  tree: Oid,
  path: string,
  mine: Oid,
  ours: Oid,
  theirs: Oid,
): Promise<Conflict["hunks"]> {
  const marked = await gitText(place, ["rev-parse", "--verify", `${tree}:${path}`], { variables });
  const [content, before, diff] = await Promise.all([
    git(place, ["cat-file", "blob", marked], { variables }),
    git(place, ["cat-file", "blob", mine], { variables }),
    git(place, ["diff", "--no-ext-diff", "--no-textconv", "--no-color", "-U0", mine, marked], { variables }),
  ]);
  const oursLines = before.stdout.toString().split("\n");
  const hunks: { line: number; ours: string; theirs: string }[] = [];
  let open: { at: number; ours: string[]; theirs: string[]; half: "ours" | "theirs" } | undefined;
  for (const [index, line] of content.stdout.toString().split("\n").entries()) {
    // The markers carry the ids that we passed, so a file that itself holds markers is not misread.
    if (line.startsWith(`<<<<<<< ${ours}`)) open = { at: index + 1, ours: [], theirs: [], half: "ours" };
    else if (open && line.startsWith(`>>>>>>> ${theirs}`)) {
      const start = lineInOurs(diff.stdout.toString(), open.at, open.ours, oursLines);
      hunks.push({ line: start, ours: joined(open.ours), theirs: joined(open.theirs) });
      open = undefined;
    } else if (open && open.half === "ours" && line === "=======") open.half = "theirs";
    else if (open) open[open.half].push(line);
  }
  return hunks;
}

const joined = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

/** Maps the line of a marker in the merged file to our version, by the diff of the two. */
function lineInOurs(diff: string, marker: number, part: readonly string[], ours: readonly string[]): number {
  let shift = 0;
  for (const match of diff.matchAll(/^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/gm)) {
    const [start, removed, at, added] = [1, 2, 3, 4].map((group) => Number(match[group] ?? 1)) as [
      number,
      number,
      number,
      number,
    ];
    if (at > marker) break;
    if (at + added > marker) {
      // In a hunk where lines of both sides mix, ours are found by their text.
      const first = removed === 0 ? start + 1 : start;
      for (let line = first; part.length > 0 && line <= first + removed; line++) {
        if (part.every((text, index) => ours[line - 1 + index] === text)) return line;
      }
      return first;
    }
    shift += removed - added;
  }
  return marker + shift;
}
