import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { query } from "../../api/queries.ts";
import { IndexingProgress, untilIndexed } from "../../components/indexing-progress.tsx";
import { NotePageLink } from "../../components/links.tsx";
import { QueryResult } from "../../components/query-result.tsx";
import { SearchField } from "../../components/search-field.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { plainWords } from "../note/note-links.ts";
import { TagLink } from "../note/tag-link.tsx";

export function SearchNotes(props: {
  readonly field: React.RefObject<HTMLInputElement | null>;
  readonly question: string;
  readonly onAsk: (question: string) => void;
}) {
  const { field, question, onAsk } = props;
  const t = useT();
  return (
    <search className="search-notes">
      <SearchField
        field={field}
        label={t(words.search)}
        hint={t(words.hint)}
        maxLength={400}
        text={question}
        onText={onAsk}
      />
    </search>
  );
}

/** Full-text search, best match first. */
export function SearchResults({ question }: { readonly question: string }) {
  const t = useT();
  const found = useQuery({
    ...query("GET /search", { query: { q: question, limit: "50" } }),
    refetchInterval: untilIndexed,
    // The hits of the words before stay until the next ones are there.
    placeholderData: keepPreviousData,
  });
  return (
    <QueryResult of={found}>
      {({ total, hits, reading: far }) => (
        <section className="stack" aria-label={t(words.found)}>
          <IndexingProgress reading={far} />
          <p className="meta" role="status">
            {total > 0 ? t(words.total, total) : far ? t(words.notYet) : t(words.nothing)}
          </p>
          <ul className="hits">
            {hits.map(({ path, title, tags, quote }) => (
              <li key={path}>
                <NotePageLink path={path} className="hit-title break">
                  {title}
                </NotePageLink>
                {quote !== "" && <p className="reason break">{plainWords(quote)}</p>}
                <p className="row meta">
                  <span className="break">{path}</span>
                  {tags.slice(0, 8).map((tag) => (
                    <TagLink key={tag} tag={tag} />
                  ))}
                </p>
              </li>
            ))}
          </ul>
        </section>
      )}
    </QueryResult>
  );
}

const words = {
  search: { en: "Search notes", uk: "Шукати в нотатках" },
  hint: { en: "Search notes: words in any form", uk: "Шукати в нотатках: слова в будь-якій формі" },
  found: { en: "Search results", uk: "Знайдене" },
  nothing: { en: "No notes found", uk: "Жодна нотатка не має цих слів" },
  notYet: { en: "No notes found so far", uk: "Поки жодної" },
  total: { en: "{} [note|notes] found", uk: "Знайдено {} [нотатку|нотатки|нотаток]" },
} as const satisfies Record<string, Text>;
