import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Hash } from "lucide-react";
import { useState } from "react";
import type { AnswerOf } from "../../api/client.ts";
import { query } from "../../api/queries.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { IndexingProgress, untilIndexed } from "../../components/indexing-progress.tsx";
import { NotePageLink } from "../../components/links.tsx";
import { QueryResult } from "../../components/query-result.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { TagLink } from "../note/tag-link.tsx";

type TagCount = AnswerOf<"GET /tags">["tags"][number];

/** All tags of the garden with their numbers of notes; a tag with tags below it is indented. */
export function TagsView() {
  const t = useT();
  const [wanted, setWanted] = useState("");
  const found = useQuery({ ...query("GET /tags", {}), refetchInterval: untilIndexed });
  return (
    <QueryResult of={found}>
      {({ tags, reading }) => (
        <section className="stack" aria-label={t(words.tags)}>
          <IndexingProgress reading={reading} />
          {tags.length === 0 && reading === undefined ? (
            <EmptyState picture={<Hash size={40} aria-hidden="true" />} title={t(words.none)}>
              {t(words.noneFact)}
            </EmptyState>
          ) : (
            <>
              <div className="row between">
                <p className="meta" role="status">
                  {t(words.count, tags.length)}
                </p>
                <input
                  type="search"
                  className="field tag-filter"
                  aria-label={t(words.filter)}
                  placeholder={t(words.filter)}
                  value={wanted}
                  onChange={({ target }) => setWanted(target.value)}
                />
              </div>
              <ul className="tag-list">
                {matching(tags, wanted).map(({ tag, notes }) => (
                  <li key={tag} className={`level-${Math.min(tag.split("/").length - 1, 4)}`}>
                    <Link to="/notes" search={{ tag }} className="tag-row">
                      <span>
                        <span className="faint">#{tag.slice(0, tag.lastIndexOf("/") + 1)}</span>
                        {tag.slice(tag.lastIndexOf("/") + 1)}
                      </span>
                      <span className="meta">{t(words.notes, notes)}</span>
                    </Link>
                  </li>
                ))}
              </ul>
            </>
          )}
        </section>
      )}
    </QueryResult>
  );
}

const matching = (tags: readonly TagCount[], wanted: string): readonly TagCount[] => {
  const words = wanted.trim().replace(/^#/, "").toLowerCase();
  return words === "" ? tags : tags.filter(({ tag }) => tag.toLowerCase().includes(words));
};

/** The notes with one tag, or a tag below it. */
export function TaggedNotes({ tag }: { readonly tag: string }) {
  const t = useT();
  const found = useQuery({ ...query("GET /tags/:tag", { params: { tag } }), refetchInterval: untilIndexed });
  return (
    <QueryResult of={found}>
      {({ notes, reading }) => (
        <section className="stack" aria-label={`#${tag}`}>
          <h2>#{tag}</h2>
          <IndexingProgress reading={reading} />
          <p className="meta" role="status">
            {t(words.notes, notes.length)} ·{" "}
            <Link to="/notes" search={{ tag: "" }}>
              {t(words.all)}
            </Link>
          </p>
          <ul className="hits">
            {notes.slice(0, MOST).map(({ path, title, tags }) => (
              <li key={path}>
                <NotePageLink path={path} className="hit-title break">
                  {title}
                </NotePageLink>
                <p className="row meta">
                  <span className="break">{path}</span>
                  {tags
                    .filter((each) => each !== tag)
                    .slice(0, 8)
                    .map((each) => (
                      <TagLink key={each} tag={each} />
                    ))}
                </p>
              </li>
            ))}
          </ul>
          {notes.length > MOST && <p className="meta">{t(words.more, notes.length - MOST)}</p>}
        </section>
      )}
    </QueryResult>
  );
}

const MOST = 1000;

const words = {
  tags: { en: "Tags", uk: "Теги" },
  none: { en: "No tags yet", uk: "Тегів ще немає" },
  noneFact: {
    en: "Write #tag in a note, or list tags in its properties.",
    uk: "Напишіть #тег у нотатці або додайте теги до її властивостей.",
  },
  count: { en: "{} [tag|tags]", uk: "{} [тег|теги|тегів]" },
  notes: { en: "{} [note|notes]", uk: "{} [нотатка|нотатки|нотаток]" },
  filter: { en: "Filter tags", uk: "Відібрати теги" },
  all: { en: "All tags", uk: "Усі теги" },
  more: { en: "and {} more [note|notes]", uk: "і ще {} [нотатка|нотатки|нотаток]" },
} as const satisfies Record<string, Text>;
