import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { query } from "../../api/queries.ts";
import { Form } from "../../components/form.tsx";
import { IndexingProgress, untilIndexed } from "../../components/indexing-progress.tsx";
import { NotePageLink } from "../../components/links.tsx";
import { QueryResult } from "../../components/query-result.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { plainWords } from "../note/note-links.ts";
import { TagLink } from "../note/tag-link.tsx";

export function SearchField(props: {
  readonly field: React.RefObject<HTMLInputElement | null>;
  readonly question: string;
  readonly onAsk: (question: string) => void;
}) {
  const { field, question, onAsk } = props;
  const t = useT();
  const [typed, setTyped] = useState(question);
  useEffect(() => setTyped(question), [question]);
  return (
    <search>
      <Form className="search-notes" onSubmit={() => onAsk(typed.trim())}>
        <input
          ref={field}
          type="search"
          className="field"
          aria-label={t(words.search)}
          placeholder={t(words.hint)}
          maxLength={400}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            if (target.value === "" && question !== "") onAsk("");
          }}
        />
        <button type="submit" className="button">
          {t(words.find)} <kbd>/</kbd>
        </button>
      </Form>
    </search>
  );
}

/** Full-text search, best match first. */
export function SearchResults({ question }: { readonly question: string }) {
  const t = useT();
  const found = useQuery({
    ...query("GET /search", { query: { q: question, limit: "50" } }),
    refetchInterval: untilIndexed,
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
  hint: { en: "Words in any form", uk: "Слова в будь-якій формі" },
  find: { en: "Search", uk: "Шукати" },
  found: { en: "Search results", uk: "Знайдене" },
  nothing: { en: "No notes found", uk: "Жодна нотатка не має цих слів" },
  notYet: { en: "No notes found so far", uk: "Поки жодної" },
  total: { en: "{} [note|notes] found", uk: "Знайдено {} [нотатку|нотатки|нотаток]" },
} as const satisfies Record<string, Text>;
