import { plainWords } from "./note-links.ts";

/** A line of another note in plain words, with the name that was looked for in bold. Cut in the middle of long lines. */
export function MarkedLine({ text, names }: { readonly text: string; readonly names: readonly string[] }) {
  const line = plainWords(text).replace(/^\s*(?:[-*+>#]+|\d+[.)])\s+/, "");
  const low = line.toLowerCase();
  const found = names
    .map((name) => ({ at: low.indexOf(name.toLowerCase()), length: name.length }))
    .find(({ at }) => at >= 0);
  if (!found) return <>{cut(line, 0, 120)}</>;
  const { at, length } = found;
  return (
    <>
      {at > BEFORE && "…"}
      {line.slice(at > BEFORE ? line.indexOf(" ", at - BEFORE) + 1 : 0, at)}
      <b>{line.slice(at, at + length)}</b>
      {cut(line, at + length, 80)}
    </>
  );
}

const BEFORE = 40;
const cut = (line: string, from: number, most: number): string =>
  line.length - from > most ? `${line.slice(from, from + most)}…` : line.slice(from);
