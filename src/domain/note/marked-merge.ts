import { hunksBetween, type LineHunk, linesOf } from "./line-hunks.ts";

interface SidedHunk extends LineHunk {
  readonly side: "ours" | "theirs";
}

/**
 * The three-way merge of a text with git's conflict markers where both sides changed the same lines, each marker with the name of its side.
 * It has the conflicts of `mergeTexts`, and joins those that touch. Without a conflict it is the merged text.
 */
export function markedMerge(
  base: string,
  sides: { readonly ours: string; readonly theirs: string },
  names: { readonly ours: string; readonly theirs: string },
): string {
  const lines = linesOf(base);
  const hunks = (["ours", "theirs"] as const)
    .flatMap((side) => hunksBetween(lines, linesOf(sides[side])).map((hunk): SidedHunk => ({ ...hunk, side })))
    .toSorted((a, b) => a.at - b.at || endOf(a) - endOf(b));
  let text = "";
  let at = 0;
  for (const group of touching(hunks)) {
    const from = group[0]!.at;
    const to = Math.max(...group.map(endOf));
    const changed = lines.slice(from, to);
    const of = (side: SidedHunk["side"]): string | undefined => {
      const own = group.filter((hunk) => hunk.side === side);
      return own.length === 0 ? undefined : replaced(changed, from, own);
    };
    const [ours, theirs] = [of("ours"), of("theirs")];
    text += lines.slice(at, from).join("");
    text +=
      ours === undefined || theirs === undefined || ours === theirs
        ? (ours ?? theirs!)
        : `<<<<<<< ${names.ours}\n${whole(ours)}=======\n${whole(theirs)}>>>>>>> ${names.theirs}\n`;
    at = to;
  }
  return text + lines.slice(at).join("");
}

const endOf = ({ at, removed }: LineHunk): number => at + removed.length;

/** Hunks that touch or overlap, in groups. Hunks of one side never touch each other. */
function touching(hunks: readonly SidedHunk[]): readonly (readonly SidedHunk[])[] {
  const groups: { hunks: SidedHunk[]; end: number }[] = [];
  for (const hunk of hunks) {
    const last = groups.at(-1);
    if (last && hunk.at <= last.end) {
      last.hunks.push(hunk);
      last.end = Math.max(last.end, endOf(hunk));
    } else groups.push({ hunks: [hunk], end: endOf(hunk) });
  }
  return groups.map((group) => group.hunks);
}

function replaced(lines: readonly string[], from: number, hunks: readonly LineHunk[]): string {
  let text = "";
  let at = 0;
  for (const hunk of hunks) {
    text += lines.slice(at, hunk.at - from).join("") + hunk.added.join("");
    at = endOf(hunk) - from;
  }
  return text + lines.slice(at).join("");
}

/** A marker stands on a line of its own. */
const whole = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);
