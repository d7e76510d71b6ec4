import { MessageSquare, UnfoldVertical } from "lucide-react";
import { Fragment, type ReactNode, useMemo, useState } from "react";
import { type Text, useT } from "../i18n/use-t.ts";
import { Button } from "./form.tsx";
import { InlineText } from "./inline-text.tsx";
import type { WordPart } from "./patch.ts";
import { TableDiff } from "./table-diff.tsx";
import { linePlace, lineText, sameLine, type WordBlock, type WordLine, wordBlocks } from "./word-lines.ts";
import "../style/diff.css";

/** Lines shown at first; the rest is shown on demand. */
const SHOWN_LINES = 400;

export interface DiffLinePlace {
  readonly line: number;
  readonly side: "before" | "after";
}

/** Remarks at the lines of a file: shown below the line, and made by its button. */
export interface LineRemarks {
  readonly count: (place: DiffLinePlace) => number;
  readonly below: (place: DiffLinePlace) => ReactNode;
  readonly onComment: ((place: DiffLinePlace, quote: string) => void) | undefined;
}

const NO_REMARKS: LineRemarks = { count: () => 0, below: () => null, onComment: undefined };

/** The change of one file as prose: words are marked by colour, underline and strike; unchanged lines can be expanded. */
export function WordDiff(props: {
  readonly path: string;
  readonly patch: string;
  /** The changed file, if it was read: then hidden lines can be shown. */
  readonly after: string | undefined;
  readonly remarks?: LineRemarks;
}) {
  const { path, patch, after, remarks = NO_REMARKS } = props;
  const t = useT();
  const all = useMemo(() => after?.replace(/\n$/, "").split("\n"), [after]);
  const blocks = useMemo(() => wordBlocks(patch, all?.length), [patch, all]);
  const [expanded, setExpanded] = useState<ReadonlySet<number>>(new Set());
  const [limit, setLimit] = useState(SHOWN_LINES);
  const total = blocks.reduce((sum, block) => sum + (block.kind === "lines" ? block.lines.length : 0), 0);
  let left = limit;
  const isProse = /\.(?:md|markdown|txt)$/i.test(path);
  return (
    <div className={`words ${isProse ? "" : "code"}`}>
      {blocks.map((block, index) => {
        if (block.kind === "lines") {
          const shown = block.lines.slice(0, Math.max(0, left));
          left -= block.lines.length;
          return <Lines key={keyOf(block)} lines={shown} isProse={isProse} remarks={remarks} />;
        }
        if (left <= 0 || (block.count === undefined && all === undefined && index > 0)) return null;
        return expanded.has(block.after) && all ? (
          <Lines key={keyOf(block)} lines={hiddenLines(block, all)} isProse={isProse} remarks={remarks} />
        ) : (
          <Hidden
            key={keyOf(block)}
            block={block}
            text={t(
              index === 0
                ? hasProperties(all)
                  ? words.aboveWithProperties
                  : words.above
                : index === blocks.length - 1
                  ? words.below
                  : words.between,
              block.count ?? 0,
            )}
            onShow={all && (() => setExpanded(new Set([...expanded, block.after])))}
          />
        );
      })}
      {total > limit && <Button onClick={() => setLimit(limit * 4)}>{t(words.more, total - limit)}</Button>}
    </div>
  );
}

const keyOf = (block: WordBlock): string =>
  block.kind === "hidden"
    ? `hidden ${block.after}`
    : `lines ${block.lines[0]?.before ?? ""} ${block.lines[0]?.after ?? ""}`;

const hasProperties = (all: readonly string[] | undefined): boolean => all?.[0] === "---";

const hiddenLines = (block: Extract<WordBlock, { kind: "hidden" }>, all: readonly string[]): readonly WordLine[] =>
  all
    .slice(block.after - 1, block.count === undefined ? undefined : block.after - 1 + block.count)
    .map((text, index) => sameLine(text, block.before + index, block.after + index));

function Hidden(props: {
  readonly block: Extract<WordBlock, { kind: "hidden" }>;
  readonly text: string;
  readonly onShow: (() => void) | undefined;
}) {
  return (
    <button type="button" className="hidden-lines" disabled={!props.onShow} onClick={props.onShow}>
      <UnfoldVertical size={14} aria-hidden="true" />
      {props.text}
    </button>
  );
}

interface LinesProps {
  readonly lines: readonly WordLine[];
  readonly isProse: boolean;
  readonly remarks: LineRemarks;
}

function Lines({ lines, isProse, remarks }: LinesProps) {
  const groups = useMemo(() => (isProse ? tablesIn(lines) : lines.map((line) => [line])), [lines, isProse]);
  const styles = useMemo(() => (isProse ? stylesOf(lines) : new Map<WordLine, string>()), [lines, isProse]);
  return groups.map((group) => {
    const [first] = group;
    const key = `${first!.kind} ${first!.before ?? ""} ${first!.after ?? ""}`;
    return group.length > 1 ? (
      <Fragment key={key}>
        <TableDiff lines={group} />
        {group.map((line) => (
          <Fragment key={`${line.before ?? ""} ${line.after ?? ""}`}>{remarks.below(linePlace(line))}</Fragment>
        ))}
      </Fragment>
    ) : (
      <Line key={key} line={first!} style={styles.get(first!) ?? ""} remarks={remarks} />
    );
  });
}

function Line({
  line,
  style,
  remarks,
}: {
  readonly line: WordLine;
  readonly style: string;
  readonly remarks: LineRemarks;
}) {
  const t = useT();
  const place = linePlace(line);
  const text = lineText(line);
  const count = remarks.count(place);
  if (line.kind === "same" && text.trim() === "" && count === 0) return <div className="word-line blank" />;
  const heading = /^h[1-6]$/.exec(style)?.[0];
  return (
    <>
      <div className={`word-line ${line.kind} ${style}`} data-line={place.line} data-side={place.side}>
        <span className="number">{place.line}</span>
        <span className="sign" aria-hidden="true">
          {line.kind === "added" ? "+" : line.kind === "removed" ? "−" : ""}
        </span>
        <span className="text">
          {line.kind !== "same" && <span className="hidden-visually">{t(words[line.kind])} </span>}
          {(heading === undefined ? line.parts : withoutHashes(line.parts)).map((part, index) => (
            // oxlint-disable-next-line no-array-index-key -- the words of a line keep their order
            <Part key={index} part={part} isWhole={line.kind === "added" || line.kind === "removed"} />
          ))}
        </span>
        {remarks.onComment && (
          <button
            type="button"
            className={`anchor ${count > 0 ? "has" : ""}`}
            title={t(words.comment, place.line)}
            onClick={() => remarks.onComment!(place, text)}
          >
            <MessageSquare size={14} aria-hidden="true" />
            <span className="hidden-visually">{t(words.comment, place.line)}</span>
            {count > 0 && ` ${count}`}
          </button>
        )}
      </div>
      {remarks.below(place)}
    </>
  );
}

function Part({ part: { text, mark }, isWhole }: { readonly part: WordPart; readonly isWhole: boolean }) {
  if (mark === "same" && !isWhole) return <InlineText text={text} />;
  if (isWhole) return text;
  return mark === "added" ? <ins>{text}</ins> : <del>{text}</del>;
}

function withoutHashes(parts: readonly WordPart[]): readonly WordPart[] {
  const [first, ...others] = parts;
  if (!first || !/^#{1,6} /.test(first.text)) return parts;
  return [{ ...first, text: first.text.replace(/^#{1,6} /, "") }, ...others];
}

/** Consecutive lines of one Markdown table become one group; every other line is alone. */
function tablesIn(lines: readonly WordLine[]): readonly (readonly WordLine[])[] {
  const groups: WordLine[][] = [];
  let isTable = false;
  for (const line of lines) {
    const isRow = line.parts.length > 0 && /^\s*\|.*\|\s*$/.test(lineText(line));
    if (isRow && isTable) groups.at(-1)!.push(line);
    else groups.push([line]);
    isTable = isRow;
  }
  // A row alone is a line.
  return groups.flatMap((group) =>
    group.length === 1 || group.some(isDelimiter) ? [group] : group.map((one) => [one]),
  );
}

const isDelimiter = (line: WordLine): boolean => /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/.test(lineText(line));

/** The look of each line: a heading, a quotation, a list item, code, a property. */
function stylesOf(lines: readonly WordLine[]): ReadonlyMap<WordLine, string> {
  const styles = new Map<WordLine, string>();
  let inside: "properties" | "code" | undefined;
  for (const line of lines) {
    const text = lineText(line);
    if (inside === undefined && text === "---" && (line.after ?? line.before) === 1) {
      inside = "properties";
      styles.set(line, "property");
    } else if (inside === "properties") {
      styles.set(line, "property");
      if (text === "---") inside = undefined;
    } else if (/^\s*(?:```|~~~)/.test(text)) {
      inside = inside === "code" ? undefined : "code";
      styles.set(line, "fenced");
    } else if (inside === "code") styles.set(line, "fenced");
    else {
      const hashes = /^(#{1,6}) /.exec(text)?.[1];
      if (hashes !== undefined) styles.set(line, `h${hashes.length}`);
      else if (/^\s*(?:[-*+]|\d+[.)]) /.test(text)) styles.set(line, "item");
      else if (text.startsWith(">")) styles.set(line, "quote");
    }
  }
  return styles;
}

const words = {
  above: { en: "Show {} [line|lines] above", uk: "Показати {} [рядок|рядки|рядків] вище" },
  aboveWithProperties: {
    en: "Show {} [line|lines] above, with properties",
    uk: "Показати {} [рядок|рядки|рядків] вище, з властивостями",
  },
  between: { en: "Show {} hidden [line|lines]", uk: "Показати ще {} [рядок|рядки|рядків]" },
  below: { en: "Show {} [line|lines] below", uk: "Показати {} [рядок|рядки|рядків] нижче" },
  more: { en: "{} more [line|lines]", uk: "Ще {} [рядок|рядки|рядків]" },
  changed: { en: "changed:", uk: "змінено:" },
  added: { en: "added:", uk: "додано:" },
  removed: { en: "removed:", uk: "вилучено:" },
  comment: { en: "Comment on line {}", uk: "Коментар до рядка {}" },
} as const satisfies Record<string, Text>;
