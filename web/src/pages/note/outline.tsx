import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { splitFrontMatter } from "../../../../src/domain/note/front-matter.ts";
import { markdownLines } from "../../../../src/domain/note/markdown-lines.ts";
import { type Text, useT } from "../../i18n/use-t.ts";
import { plainWords } from "./note-links.ts";

const MOST = 500;

/** The headings of a note. */
export function Outline({ path, text }: { readonly path: string; readonly text: string }) {
  const t = useT();
  const headings = useMemo(() => headingsIn(text), [text]);
  if (headings.length === 0) return null;
  const top = Math.min(...headings.map(({ level }) => level));
  return (
    <section aria-labelledby="outline">
      <h2 id="outline">{t(words.outline)}</h2>
      <ol className="outline">
        {headings.map(({ level, title, line }) => (
          <li key={line} className={`level-${Math.min(level - top, 4)}`}>
            <Link to="/notes/$" params={{ _splat: path }} search={{ line }} replace resetScroll={false}>
              {title}
            </Link>
          </li>
        ))}
      </ol>
    </section>
  );
}

function headingsIn(text: string): { readonly level: number; readonly title: string; readonly line: number }[] {
  const body = splitFrontMatter(text)?.body ?? text;
  const before = text.slice(0, text.length - body.length).split("\n").length - 1;
  const found: { level: number; title: string; line: number }[] = [];
  for (const [index, { heading }] of markdownLines(body).entries()) {
    if (heading && heading.title !== "")
      found.push({ level: heading.level, title: plainWords(heading.title), line: before + index + 1 });
    if (found.length >= MOST) break;
  }
  return found;
}

const words = { outline: { en: "Outline", uk: "Зміст" } } as const satisfies Record<string, Text>;
