import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import type { AnswerOf } from "../../api/client.ts";
import { Button } from "../../components/form.tsx";
import { IndexingProgress } from "../../components/indexing-progress.tsx";
import { NotePageLink } from "../../components/links.tsx";
import { QueryResult } from "../../components/query-result.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { MarkedLine } from "./marked-line.tsx";

type Links = AnswerOf<"GET /links/:path">;
type Backlink = Links["backlinks"][number];

/** Notes shown at first. */
const SHOWN = 12;

/** The notes that link to this one, each with the lines that the links stand in. */
export function Backlinks({ path, around }: { readonly path: string; readonly around: UseQueryResult<Links> }) {
  const t = useT();
  const [limit, setLimit] = useState(SHOWN);
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.md$/i, "");
  const notes = byNote(around.data?.backlinks ?? []);
  return (
    <section aria-labelledby="backlinks">
      <h2 id="backlinks">
        {t(words.backlinks)}
        {around.data && (
          <span className="count">{t(words.count, `${notes.length}${around.data.more ? "+" : ""}`)}</span>
        )}
      </h2>
      <QueryResult of={around}>
        {({ reading }) => (
          <>
            <IndexingProgress reading={reading} />
            <ul className="places">
              {notes.slice(0, limit).map(({ path: from, title, links }) => (
                <li key={from}>
                  <NotePageLink path={from} className="place-title break">
                    {title}
                  </NotePageLink>{" "}
                  {links.length > 1 && <span className="quiet">{links.length}</span>}
                  {links.slice(0, 3).map(({ line, text }, index) => (
                    // oxlint-disable-next-line no-array-index-key -- one line may link here twice
                    <NotePageLink key={index} path={from} search={{ line }} className="place-line">
                      <MarkedLine text={text} names={[name]} />
                    </NotePageLink>
                  ))}
                </li>
              ))}
            </ul>
            {notes.length > limit && (
              <Button tone="quiet small" onClick={() => setLimit(limit * 10)}>
                {t(words.more, notes.length - limit)}
              </Button>
            )}
          </>
        )}
      </QueryResult>
    </section>
  );
}

function byNote(links: readonly Backlink[]): { path: string; title: string; links: Backlink[] }[] {
  const notes = new Map<string, { path: string; title: string; links: Backlink[] }>();
  for (const link of links) {
    const known = notes.get(link.path);
    if (!known) notes.set(link.path, { path: link.path, title: link.title, links: [link] });
    else if (!known.links.some(({ line }) => line === link.line)) known.links.push(link);
  }
  return [...notes.values()];
}

const words = {
  backlinks: { en: "Backlinks", uk: "Хто посилається сюди" },
  count: { en: "{} [note|notes]", uk: "{} [нотатка|нотатки|нотаток]" },
  more: { en: "{} more [note|notes]", uk: "Ще {} [нотатка|нотатки|нотаток]" },
} as const satisfies Record<string, Text>;
