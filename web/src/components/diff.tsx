import { useMemo, useState } from "react";
import { type Text, useT } from "../i18n/use-t.ts";
import { Button } from "./form.tsx";
import { type DiffRow, type Piece, readPatch } from "./patch.ts";
import "../style/diff.css";

/** Rows shown at first; the rest is shown on demand. */
const SHOWN_ROWS = 400;

/** The change of one file in two columns, with the differing words marked. A new or deleted file has one column. */
export function Diff({ patch }: { readonly patch: string }) {
  const t = useT();
  const hunks = useMemo(() => readPatch(patch), [patch]);
  const [limit, setLimit] = useState(SHOWN_ROWS);
  const rows = hunks.reduce((sum, hunk) => sum + hunk.rows.length, 0);
  const sides = useMemo(
    () => ({
      before: hunks.some((hunk) => hunk.rows.some(({ before }) => before !== undefined)),
      after: hunks.some((hunk) => hunk.rows.some(({ after }) => after !== undefined)),
    }),
    [hunks],
  );
  let left = limit;
  return (
    <div className="diff scroll-x">
      {hunks.map((hunk, index) => {
        const shown = hunk.rows.slice(0, Math.max(0, left));
        left -= hunk.rows.length;
        if (shown.length === 0) return null;
        // oxlint-disable-next-line no-array-index-key -- hunks of one patch keep their order
        return <SideBySide key={index} rows={shown} sides={sides} />;
      })}
      {rows > limit && <Button onClick={() => setLimit(limit * 4)}>{t(words.more, rows - limit)}</Button>}
    </div>
  );
}

function SideBySide({
  rows,
  sides,
}: {
  readonly rows: readonly DiffRow[];
  /** The columns that have lines. */
  readonly sides: { readonly before: boolean; readonly after: boolean };
}) {
  const t = useT();
  return (
    <table className="split">
      <caption className="hidden-visually">{t(words.caption)}</caption>
      <colgroup>
        {sides.before && <Columns />}
        {sides.after && <Columns />}
      </colgroup>
      <tbody>
        {rows.map(({ before, after, same }) => (
          <tr key={`${before?.line ?? ""} ${after?.line ?? ""}`}>
            {sides.before && (
              <>
                <td className="number">{before?.line}</td>
                <td className={`line ${same ? "" : before ? "removed" : "none"}`}>
                  {before && <Pieces pieces={before.pieces} sign="-" />}
                </td>
              </>
            )}
            {sides.after && (
              <>
                <td className="number">{after?.line}</td>
                <td className={`line ${same ? "" : after ? "added" : "none"}`}>
                  {after && <Pieces pieces={after.pieces} sign="+" />}
                </td>
              </>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const Columns = () => (
  <>
    <col className="number" />
    <col />
  </>
);

const Pieces = ({ pieces, sign }: { readonly pieces: readonly Piece[]; readonly sign: string }) =>
  pieces.map(({ text, changed }, index) => {
    const Mark = sign === "+" ? "ins" : "del";
    // oxlint-disable-next-line no-array-index-key -- pieces of a line keep their order
    return changed ? <Mark key={index}>{text}</Mark> : text;
  });

const words = {
  caption: { en: "Changes", uk: "Що зміниться" },
  more: { en: "{} more [line|lines]", uk: "Ще {} [рядок|рядки|рядків]" },
} as const satisfies Record<string, Text>;
