import { useMemo } from "react";
import { type WordPart, wordParts } from "./patch.ts";
import { type WordLine } from "./word-lines.ts";

interface TableRow {
  readonly kind: WordLine["kind"];
  readonly line: number;
  readonly cells: readonly (readonly WordPart[])[];
}

/** A Markdown table with its changed cells marked. */
export function TableDiff({ lines }: { readonly lines: readonly WordLine[] }) {
  const rows = useMemo(() => lines.filter((line) => !isRule(line)).map(rowOf), [lines]);
  const hasHead = lines[1] !== undefined && isRule(lines[1]);
  return (
    <div className="table-diff scroll-x">
      <table>
        <tbody>
          {rows.map(({ kind, line, cells }, index) => (
            <tr key={`${kind} ${line}`} className={kind}>
              <td className="number">{line}</td>
              {cells.map((cell, column) => {
                const Cell = hasHead && index === 0 ? "th" : "td";
                const isChanged = kind === "changed" && cell.some(({ mark }) => mark !== "same");
                return (
                  // oxlint-disable-next-line no-array-index-key -- the columns of a table keep their order
                  <Cell key={column} className={isChanged ? "marked" : ""}>
                    {cell.map(({ text, mark }, part) =>
                      mark === "same" || kind !== "changed" ? (
                        text
                      ) : mark === "added" ? (
                        // oxlint-disable-next-line no-array-index-key -- the words of a cell keep their order
                        <ins key={part}>{text}</ins>
                      ) : (
                        // oxlint-disable-next-line no-array-index-key -- the words of a cell keep their order
                        <del key={part}>{text}</del>
                      ),
                    )}
                  </Cell>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const sideText = ({ parts }: WordLine, other: WordPart["mark"]): string =>
  parts.flatMap(({ text, mark }) => (mark === other ? [] : [text])).join("");

const isRule = (line: WordLine): boolean => /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/.test(sideText(line, "removed"));

/** The cells of a row: `\|` does not end a cell. */
const cellsOf = (text: string): readonly string[] =>
  text
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());

function rowOf(line: WordLine): TableRow {
  const { kind } = line;
  const [old, now] = [cellsOf(sideText(line, "added")), cellsOf(sideText(line, "removed"))];
  const cells =
    kind === "changed"
      ? Array.from({ length: Math.max(old.length, now.length) }, (_, at) => wordParts(old[at] ?? "", now[at] ?? ""))
      : (kind === "removed" ? old : now).map((text): readonly WordPart[] => [{ text, mark: "same" }]);
  return { kind, line: (line.after ?? line.before)!, cells };
}
