import { useMemo, useState } from "react";
import { type Text, useSay } from "../words/say.ts";
import { type DiffRow, type Piece, readPatch } from "./patch.ts";
import "../style/diff.css";

/** More rows than this are shown on demand: a page of them is enough to see what a change is. */
const SHOWN_ROWS = 400;

/** What would change in one file: words that differ stand out, in one column or two. */
export function Diff({ patch, split }: { readonly patch: string; readonly split: boolean }) {
  const say = useSay();
  const hunks = useMemo(() => readPatch(patch), [patch]);
  const [limit, setLimit] = useState(SHOWN_ROWS);
  const rows = hunks.reduce((sum, hunk) => sum + hunk.rows.length, 0);
  let left = limit;
  return (
    <div className="diff scroll-x">
      {hunks.map((hunk, index) => {
        const shown = hunk.rows.slice(0, Math.max(0, left));
        left -= hunk.rows.length;
        if (shown.length === 0) return null;
        const Table = split ? SideBySide : Unified;
        // Hunks of one patch never change places.
        // oxlint-disable-next-line no-array-index-key
        return <Table key={index} rows={shown} />;
      })}
      {rows > limit && (
        <button type="button" className="button" onClick={() => setLimit(limit * 4)}>
          {say(words.more, rows - limit)}
        </button>
      )}
    </div>
  );
}

function Unified({ rows }: { readonly rows: readonly DiffRow[] }) {
  const say = useSay();
  return (
    <table>
      <caption className="hidden-visually">{say(words.caption)}</caption>
      <tbody>
        {unified(rows).map(({ key, sign, before, after, pieces }) => (
          <tr key={key} className={rowClass(sign)}>
            <td className="number">{before}</td>
            <td className="number">{after}</td>
            <td
              className="sign"
              aria-label={sign === "+" ? say(words.added) : sign === "-" ? say(words.removed) : undefined}
            >
              {sign}
            </td>
            <td className="line">
              <Pieces pieces={pieces} sign={sign} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function SideBySide({ rows }: { readonly rows: readonly DiffRow[] }) {
  const say = useSay();
  return (
    <table className="split">
      <caption className="hidden-visually">{say(words.caption)}</caption>
      <colgroup>
        <col className="number" />
        <col />
        <col className="number" />
        <col />
      </colgroup>
      <tbody>
        {rows.map(({ before, after, same }) => (
          <tr key={`${before?.line ?? ""} ${after?.line ?? ""}`}>
            <td className="number">{before?.line}</td>
            <td className={`line ${same ? "" : before ? "removed" : "none"}`}>
              {before && <Pieces pieces={before.pieces} sign="-" />}
            </td>
            <td className="number">{after?.line}</td>
            <td className={`line ${same ? "" : after ? "added" : "none"}`}>
              {after && <Pieces pieces={after.pieces} sign="+" />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const Pieces = ({ pieces, sign }: { readonly pieces: readonly Piece[]; readonly sign: string }) =>
  pieces.map(({ text, changed }, index) => {
    const Mark = sign === "+" ? "ins" : "del";
    // oxlint-disable-next-line no-array-index-key -- pieces of a line never change places
    return changed ? <Mark key={index}>{text}</Mark> : text;
  });

interface UnifiedRow {
  readonly key: string;
  readonly sign: "+" | "-" | " ";
  readonly before: number | undefined;
  readonly after: number | undefined;
  readonly pieces: readonly Piece[];
}

/** Lines that go stand before those that come, as everybody is used to. */
function unified(rows: readonly DiffRow[]): UnifiedRow[] {
  const made: UnifiedRow[] = [];
  let waiting: UnifiedRow[] = [];
  for (const { before, after, same } of rows) {
    if (same) {
      made.push(...waiting);
      waiting = [];
      made.push({ key: `${after!.line}`, sign: " ", before: before!.line, after: after!.line, pieces: after!.pieces });
      continue;
    }
    if (before)
      made.push({ key: `-${before.line}`, sign: "-", before: before.line, after: undefined, pieces: before.pieces });
    if (after)
      waiting.push({ key: `+${after.line}`, sign: "+", before: undefined, after: after.line, pieces: after.pieces });
  }
  return [...made, ...waiting];
}

const rowClass = (sign: string): string => (sign === "+" ? "added" : sign === "-" ? "removed" : "");

const words = {
  caption: { en: "What would change", uk: "Що зміниться" },
  added: { en: "added", uk: "додано" },
  removed: { en: "removed", uk: "вилучено" },
  more: { en: "{} more lines", uk: "Ще рядків: {}" },
} as const satisfies Record<string, Text>;
