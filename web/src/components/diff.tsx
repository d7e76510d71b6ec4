import { useMemo, useState } from "react";
import { type Text, useT } from "../i18n/use-t.ts";
import { Button } from "./form.tsx";
import { type DiffRow, type Piece, readPatch } from "./patch.ts";
import "../style/diff.css";

/** Rows shown at first; the rest is shown on demand. */
const SHOWN_ROWS = 400;

/** The change of one file, in one column or two, with the differing words marked. */
export function Diff({ patch, split }: { readonly patch: string; readonly split: boolean }) {
  const t = useT();
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
        // oxlint-disable-next-line no-array-index-key -- hunks of one patch keep their order
        return <Table key={index} rows={shown} />;
      })}
      {rows > limit && <Button onClick={() => setLimit(limit * 4)}>{t(words.more, rows - limit)}</Button>}
    </div>
  );
}

function Unified({ rows }: { readonly rows: readonly DiffRow[] }) {
  const t = useT();
  return (
    <table>
      <caption className="hidden-visually">{t(words.caption)}</caption>
      <tbody>
        {unified(rows).map(({ key, sign, before, after, pieces }) => (
          <tr key={key} className={rowClass(sign)}>
            <td className="number">{before}</td>
            <td className="number">{after}</td>
            <td
              className="sign"
              aria-label={sign === "+" ? t(words.added) : sign === "-" ? t(words.removed) : undefined}
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
  const t = useT();
  return (
    <table className="split">
      <caption className="hidden-visually">{t(words.caption)}</caption>
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
    // oxlint-disable-next-line no-array-index-key -- pieces of a line keep their order
    return changed ? <Mark key={index}>{text}</Mark> : text;
  });

interface UnifiedRow {
  readonly key: string;
  readonly sign: "+" | "-" | " ";
  readonly before: number | undefined;
  readonly after: number | undefined;
  readonly pieces: readonly Piece[];
}

/** Removed lines come before added ones, as in a unified diff. */
function unified(rows: readonly DiffRow[]): UnifiedRow[] {
  const unifiedRows: UnifiedRow[] = [];
  let added: UnifiedRow[] = [];
  for (const { before, after, same } of rows) {
    if (same) {
      const { line, pieces } = after!;
      unifiedRows.push(...added, { key: `${line}`, sign: " ", before: before!.line, after: line, pieces });
      added = [];
      continue;
    }
    if (before) {
      const { line, pieces } = before;
      unifiedRows.push({ key: `-${line}`, sign: "-", before: line, after: undefined, pieces });
    }
    if (after)
      added.push({ key: `+${after.line}`, sign: "+", before: undefined, after: after.line, pieces: after.pieces });
  }
  return [...unifiedRows, ...added];
}

const rowClass = (sign: string): string => (sign === "+" ? "added" : sign === "-" ? "removed" : "");

const words = {
  caption: { en: "Changes", uk: "Що зміниться" },
  added: { en: "added", uk: "додано" },
  removed: { en: "removed", uk: "вилучено" },
  more: { en: "{} more [line|lines]", uk: "Ще {} [рядок|рядки|рядків]" },
} as const satisfies Record<string, Text>;
