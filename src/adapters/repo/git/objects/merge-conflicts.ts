import { compareUtf8 } from "../../../../base/order.ts";
import { type Text, verbatim } from "../../../../base/text.ts";
import type { Oid } from "../../../../domain/git/git-names.ts";
import type { Conflict } from "../../../../ports/repo.ts";
import { type GitPlace, git, gitText } from "../process/git-process.ts";

/** What `git merge-tree` says when it cannot merge. */
export interface Clash {
  /** With conflict markers in the files. */
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

interface Asked {
  readonly place: GitPlace;
  /** Where git keeps the objects of this merge. */
  readonly variables: Readonly<Record<string, string>>;
}

const CONFLICT = "CONFLICT";

export async function conflictsOf(asked: Asked, clash: Clash, ours: Oid, theirs: Oid): Promise<Conflict[]> {
  const told = clash.messages.filter(({ type }) => type.startsWith(CONFLICT));
  const paths = new Set([
    ...clash.sides.map(({ path }) => path),
    ...told.flatMap((message) => message.paths.slice(0, 1)),
  ]);
  const conflicts = [...paths].map(async (path): Promise<Conflict> => {
    const message = told.find((each) => each.paths.includes(path));
    const side = (stage: number) => clash.sides.find((each) => each.path === path && each.stage === stage);
    const mine = side(2);
    const lines = message?.type === "CONFLICT (contents)" && mine && side(3);
    return {
      path,
      why: whyOf(message?.type ?? "", message?.text ?? ""),
      hunks: lines ? await hunksOf(asked, clash.tree, path, mine.oid, ours, theirs) : [],
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
  "CONFLICT (rename/rename)": {
    en: "the sides renamed it differently",
    uk: "сторони перейменували його по-різному",
  },
  "CONFLICT (file/directory)": {
    en: "one side has a file where the other has a folder",
    uk: "в однієї сторони там файл, а в іншої тека",
  },
  "CONFLICT (distinct modes)": {
    en: "the sides made different kinds of file of it",
    uk: "сторони зробили з нього файли різного типу",
  },
};

const whyOf = (type: string, text: string): Text => reasons[type] ?? verbatim(text.trim() || type);

/** The pieces between markers, each with the line of our version where it begins. */
async function hunksOf(
  { place, variables }: Asked,
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

/** Where a marker at this line of the merged file stands in our version, by the difference of the two. */
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
      // Within a piece where lines of both sides mix, ours are looked for by their words.
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
