import { Link } from "@tanstack/react-router";
import { AuthorFace } from "../../components/author-face.tsx";
import type { MarkdownBlock } from "../../components/markdown-blocks.ts";
import { dateTime, dayOrAge } from "../../i18n/format.ts";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";
import type { ShownLines } from "./use-line-origins.ts";

/** The authors of the lines of a block, with dates. A mark leads to the story of its first line. */
export function LineMargin(props: {
  readonly path: string;
  readonly block: MarkdownBlock;
  readonly groups: readonly ShownLines[];
  /** The last group of the block above: its continuation needs no mark. */
  readonly above: ShownLines | undefined;
  /** The line whose story is shown. */
  readonly line: number | undefined;
}) {
  const { path, block, groups, above, line } = props;
  const lines = block.last - block.first + 1;
  const isOn = line !== undefined && line >= block.first && line <= block.last;
  return (
    <div className={isOn ? "margin on" : "margin"}>
      {groups
        .filter((group) => group.commit !== above?.commit)
        .slice(0, MOST_MARKS)
        .map((group) => (
          <LineMark
            key={group.first}
            path={path}
            group={group}
            line={Math.max(group.first, block.first)}
            share={(Math.max(group.first, block.first) - block.first) / lines}
          />
        ))}
    </div>
  );
}

/** More authors of one block would lie over each other. */
const MOST_MARKS = 12;

function LineMark(props: {
  readonly path: string;
  readonly group: ShownLines;
  readonly line: number;
  readonly share: number;
}) {
  const { path, group, line, share } = props;
  const t = useT();
  const { language } = usePreferences();
  const name = group.agent ?? group.author;
  return (
    <Link
      to="/notes/$"
      params={{ _splat: path }}
      search={{ line }}
      replace
      resetScroll={false}
      className="line-mark"
      style={{ top: `${share * 100}%` }}
      title={`${name} · ${dateTime(group.at, language)}\n${group.subject}`}
    >
      <span className="hidden-visually">{t(words.why, line, name)}</span>
      <AuthorFace name={name} isAgent={group.agent !== undefined} size={16} />
      <span>{dayOrAge(group.at, language)}</span>
    </Link>
  );
}

const words = {
  why: { en: "Why line {}? {},", uk: "Чому рядок {} саме такий? {}," },
} as const satisfies Record<string, Text>;
