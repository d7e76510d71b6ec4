import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState } from "react";
import { type AnswerOf, call } from "../api/client.ts";
import { query } from "../api/queries.ts";
import { IndexingProgress, untilIndexed } from "../components/indexing-progress.tsx";
import { NotePageLink } from "../components/links.tsx";
import { LongList } from "../components/long-list.tsx";
import { Empty, Failed, Loading, QueryResult } from "../components/query-result.tsx";
import { useKeys } from "../components/use-keys.ts";
import { type Text, useT } from "../i18n/use-t.ts";
import { Breadcrumbs } from "./note/breadcrumbs.tsx";
import { NewNote } from "./note/new-note.tsx";
import { plainWords } from "./note/note-links.ts";
import { SubmittedProposal } from "./note/submitted-proposal.tsx";
import "../style/agents.css";
import "../style/notes.css";
import { Form } from "../components/form.tsx";

type Page = AnswerOf<"GET /folders">;
type Entry = Page["entries"][number];

interface NotesSearch {
  /** The router parses a numeric value as a number. */
  readonly folder?: string | number;
  readonly q?: string | number;
  readonly new?: string;
  /** The proposal that was just submitted. */
  readonly proposal?: string;
}

/** All notes, by folder or by full-text search. */
export function NotesPage() {
  const t = useT();
  const navigate = useNavigate();
  const asked = useSearch({ strict: false }) as NotesSearch;
  const folder = asked.folder === undefined ? undefined : String(asked.folder);
  const question = asked.q === undefined ? "" : String(asked.q);
  const place = folder === undefined ? {} : { folder };
  const go = (search: NotesSearch, replace = false): void => void navigate({ to: "/notes", search: search, replace });
  const list = useInfiniteQuery({
    queryKey: ["GET /folders", "list", folder],
    queryFn: ({ pageParam, signal }) =>
      call("GET /folders", {
        query: { limit: "100", ...(folder !== undefined && { folder }), ...(pageParam && { after: pageParam }) },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
  });
  const first = list.data?.pages[0];
  const entries = useMemo(() => list.data?.pages.flatMap((page) => page.entries) ?? [], [list.data]);
  const field = useRef<HTMLInputElement>(null);
  useKeys({ "/": () => field.current?.focus(), n: () => go({ ...place, new: "1" }) });
  return (
    <div className="stack">
      <div className="row between">
        <h1>{t(words.title)}</h1>
        <Link to="/notes" search={{ ...place, new: "1" }} className="button">
          {t(words.new)} <kbd>n</kbd>
        </Link>
      </div>
      <SearchField
        field={field}
        question={question}
        onAsk={(q) => go({ ...place, ...(q !== "" && { q }) }, question !== "" && q !== "")}
      />
      {asked.proposal !== undefined && (
        <SubmittedProposal
          id={asked.proposal}
          onApplied={(target) => void navigate({ to: "/notes/$", params: { _splat: target } })}
        />
      )}
      {asked.new !== undefined && first ? (
        <NewNote folder={first.folder} root={first.notes_root} />
      ) : question === "" ? (
        <>
          {first && (
            <div className="row between">
              <Breadcrumbs folder={first.folder} root={first.notes_root} />
              <span className="quiet small">{t(words.count, first.notes)}</span>
            </div>
          )}
          {list.error && <Failed error={list.error} again={() => void list.refetch()} />}
          {list.isPending && <Loading />}
          {list.isSuccess && entries.length === 0 && <Empty>{t(words.none)}</Empty>}
          {entries.length > 0 && (
            <LongList
              key={first?.folder}
              of={{
                name: `GET /folders ${first?.folder}`,
                items: entries,
                idOf: ({ kind, path }) => `${kind} ${path}`,
                isWhole: !list.hasNextPage,
                more: list.hasNextPage && !list.isFetchingNextPage ? () => void list.fetchNextPage() : undefined,
              }}
              label={t(words.title)}
              height={44}
            >
              {(entry) => <Row entry={entry} />}
            </LongList>
          )}
        </>
      ) : (
        <SearchResults question={question} />
      )}
    </div>
  );
}

function SearchField(props: {
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

function SearchResults({ question }: { readonly question: string }) {
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
          <p className="quiet" role="status">
            {total > 0 ? t(words.total, total) : far ? t(words.notYet) : t(words.nothing)}
          </p>
          <ul className="hits">
            {hits.map(({ path, title, tags, quote }) => (
              <li key={path} className="card stack tight">
                <NotePageLink path={path} className="break">
                  {title}
                </NotePageLink>
                {quote !== "" && <p className="break">{plainWords(quote)}</p>}
                <p className="row small quiet">
                  <code className="break">{path}</code>
                  {tags.slice(0, 8).map((tag) => (
                    <span key={tag} className="tag">
                      {tag}
                    </span>
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

function Row({ entry: { kind, path, notes, title } }: { readonly entry: Entry }) {
  const t = useT();
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (kind === "folder")
    return (
      <>
        <Link to="/notes" search={{ folder: path }} className="break">
          <span aria-hidden="true">▸ </span>
          <strong>{name}/</strong>
        </Link>
        <span className="quiet small">{t(words.count, notes ?? 0)}</span>
      </>
    );
  return (
    <>
      <NotePageLink path={path} className="break">
        {title ?? name}
      </NotePageLink>
      <code className="quiet small break">{name}</code>
    </>
  );
}

const words = {
  title: { en: "Notes", uk: "Нотатки" },
  new: { en: "New note", uk: "Нова нотатка" },
  search: { en: "Search notes", uk: "Шукати в нотатках" },
  hint: { en: "Words in any form", uk: "Слова в будь-якій формі" },
  find: { en: "Search", uk: "Шукати" },
  found: { en: "Search results", uk: "Знайдене" },
  nothing: { en: "No notes found", uk: "Жодна нотатка не має цих слів." },
  notYet: { en: "No notes found so far", uk: "Поки жодної." },
  total: { en: "{} [note|notes] found", uk: "Знайдено нотаток: {}" },
  none: { en: "No notes yet", uk: "Тут ще немає нотаток." },
  count: { en: "{} [note|notes]", uk: "{} [нотатка|нотатки|нотаток]" },
} as const satisfies Record<string, Text>;
