/** A piece of a file that two branches changed: the same for both, or a place where one must choose. */
export type TextPiece =
  | { readonly kind: "same"; readonly text: string }
  | { readonly kind: "choice"; readonly line: number; readonly ours: string; readonly theirs: string };

/** The words that stay at one place: those of one side, both one after the other, or others. */
export type ConflictChoice = "ours" | "theirs" | "both" | { readonly text: string };

/**
 * The pieces of a text with git's conflict markers. Only markers that name these two commits count: a note may quote others. `line` is the
 * place in the text without markers, with our words.
 */
export function conflictPieces(text: string, ours: string, theirs: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let same: string[] = [];
  let line = 1;
  let open: { readonly ours: string[]; readonly theirs: string[]; side: "ours" | "base" | "theirs" } | undefined;
  const flush = (): void => {
    if (same.length > 0) pieces.push({ kind: "same", text: same.join("") });
    same = [];
  };
  for (const each of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const bare = each.replace(/\r?\n$/, "");
    if (!open && bare === `<<<<<<< ${ours}`) {
      flush();
      open = { ours: [], theirs: [], side: "ours" };
    } else if (open && bare === `>>>>>>> ${theirs}`) {
      pieces.push({ kind: "choice", line, ours: open.ours.join(""), theirs: open.theirs.join("") });
      line += open.ours.length;
      open = undefined;
    } else if (open?.side === "ours" && bare.startsWith("||||||| ")) open.side = "base";
    else if (open && open.side !== "theirs" && bare === "=======") open.side = "theirs";
    else if (open) {
      if (open.side !== "base") open[open.side].push(each);
    } else {
      same.push(each);
      line++;
    }
  }
  flush();
  return pieces;
}

/** The whole text with the chosen words; undefined while a place has no choice. */
export function resolvedText(
  pieces: readonly TextPiece[],
  choices: ReadonlyMap<number, ConflictChoice>,
): string | undefined {
  const parts = pieces.map((piece) => {
    if (piece.kind === "same") return piece.text;
    const choice = choices.get(piece.line);
    return choice && chosenWords(piece, choice);
  });
  return parts.every((part) => part !== undefined) ? parts.join("") : undefined;
}

const chosenWords = (piece: Extract<TextPiece, { kind: "choice" }>, choice: ConflictChoice): string =>
  choice === "ours"
    ? piece.ours
    : choice === "theirs"
      ? piece.theirs
      : choice === "both"
        ? withLineEnd(piece.ours) + piece.theirs
        : choice.text === ""
          ? ""
          : withLineEnd(choice.text);

const withLineEnd = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);
