/** A name that completes the word before the caret. */
export interface Suggestion {
  readonly name: string;
  readonly kind: "tool" | "variable";
  /** The text that replaces the word, and where the caret stands after it. */
  readonly text: string;
  readonly caret: number;
}

const MOST = 6;
const WORD = /[\p{L}_][\p{L}\p{N}_-]*$/u;

/** Tools and variables that begin with the word before the caret; those that contain it come after. None without a word. */
export function suggestionsFor(
  text: string,
  caret: number,
  names: { readonly tools: readonly string[]; readonly variables: Iterable<string> },
): { readonly start: number; readonly found: readonly Suggestion[] } {
  const word = WORD.exec(text.slice(0, caret))?.[0] ?? "";
  const start = caret - word.length;
  if (word === "") return { start, found: [] };
  const wanted = word.toLocaleLowerCase();
  const all: Suggestion[] = [
    ...[...names.variables].map((name) => ({ name, kind: "variable" as const, text: name, caret: name.length })),
    ...names.tools.map((name) => ({ name, kind: "tool" as const, text: `${name}()`, caret: name.length + 1 })),
  ];
  const fits = all.filter(({ name }) => name.toLocaleLowerCase().includes(wanted) && name !== word);
  const isFirst = ({ name }: Suggestion): number => (name.toLocaleLowerCase().startsWith(wanted) ? 0 : 1);
  return { start, found: fits.toSorted((a, b) => isFirst(a) - isFirst(b)).slice(0, MOST) };
}
