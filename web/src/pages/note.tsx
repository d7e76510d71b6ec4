import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import type { AnswerOf } from "../api/client.ts";
import { query } from "../api/queries.ts";
import { FactRow } from "../components/fact-row.tsx";
import { IndexingProgress, untilIndexed } from "../components/indexing-progress.tsx";
import { NotePageLink } from "../components/links.tsx";
import { Markdown } from "../components/markdown.tsx";
import { Empty, QueryResult } from "../components/query-result.tsx";
import { Tabs } from "../components/tabs.tsx";
import { useKeys } from "../components/use-keys.ts";
import { type Text, useT } from "../i18n/use-t.ts";
import { Blame } from "./note/blame.tsx";
import { Breadcrumbs } from "./note/breadcrumbs.tsx";
import { Comments } from "./note/comments.tsx";
import { EditNote } from "./note/edit-note.tsx";
import { NoteHistory } from "./note/history.tsx";
import { storedNoteDraft } from "./note/note-draft.ts";
import { embedOfNote, linkOfNote, plainWords } from "./note/note-links.ts";
import { SubmittedProposal } from "./note/submitted-proposal.tsx";
import "../style/page-parts.css";
import "../style/agents.css";
import "../style/notes.css";

type Whole = AnswerOf<"GET /notes/:path">;
const views = ["read", "edit", "history", "lines"] as const;
type View = (typeof views)[number];

/** One note: read, edit, history and blame. `at` shows it at a commit. */
export function NotePage() {
  const { _splat: path = "" } = useParams({ strict: false });
  const asked = useSearch({ strict: false }) as {
    view?: string;
    at?: string;
    proposal?: string;
    line?: unknown;
  };
  const line = Number(asked.line);
  const view = views.find((each) => each === asked.view) ?? "read";
  return (
    <NoteViews
      key={path}
      path={path}
      view={view}
      at={asked.at}
      proposal={asked.proposal}
      line={Number.isInteger(line) && line > 0 ? line : undefined}
    />
  );
}

function NoteViews(props: {
  readonly path: string;
  readonly view: View;
  readonly at: string | undefined;
  readonly proposal: string | undefined;
  /** The line to scroll to. */
  readonly line: number | undefined;
}) {
  const { path, view, at, proposal, line } = props;
  const t = useT();
  const navigate = useNavigate();
  const isNow = at === undefined;
  const note = useQuery(query("GET /notes/:path", { params: { path }, query: isNow ? {} : { at } }));
  const mayEdit = isNow && note.data?.text !== undefined;
  useKeys({
    e: mayEdit
      ? () => void navigate({ to: "/notes/$", params: { _splat: path }, search: { view: "edit" } })
      : undefined,
  });
  const slash = path.lastIndexOf("/");
  // The root of the notes is a setting; for breadcrumbs the first folder is good enough.
  const folder = slash === -1 ? "" : path.slice(0, slash);
  return (
    <div className="stack">
      <Breadcrumbs folder={folder} root={folder === "" ? "." : folder.split("/")[0]!} />
      <h1 className="file">{path.slice(slash + 1).replace(/\.md$/i, "")}</h1>
      {isNow && (
        <Tabs
          name={t(words.views)}
          chosen={view}
          tabs={views.map((each) => ({
            id: each,
            name: t(words[each]),
            link: { to: "/notes/$", params: { _splat: path }, search: each === "read" ? {} : { view: each } },
          }))}
        />
      )}
      {proposal !== undefined && isNow && view === "read" && <SubmittedProposal id={proposal} />}
      <QueryResult of={note}>
        {(whole) => {
          if (!isNow) return <PastVersion note={whole} line={line} />;
          if (whole.text === undefined) return <Empty>{t(words.noText, whole.bytes)}</Empty>;
          if (view === "edit") return <EditNote note={whole} />;
          if (view === "history") return <NoteHistory path={path} />;
          if (view === "lines") return <Blame path={path} text={whole.text} />;
          return <ReadView note={whole} text={whole.text} line={line} />;
        }}
      </QueryResult>
    </div>
  );
}

function ReadView(props: { readonly note: Whole; readonly text: string; readonly line: number | undefined }) {
  const { note, text, line } = props;
  const t = useT();
  const { path } = note;
  const around = useQuery({ ...query("GET /links/:path", { params: { path } }), refetchInterval: untilIndexed });
  const linkOf = useMemo(() => linkOfNote(path, around.data, true), [path, around.data]);
  const embedOf = useMemo(() => embedOfNote(around.data), [around.data]);
  return (
    <div className="reading">
      <div className="stack">
        {storedNoteDraft(path) && (
          <p className="warning">
            {t(words.begun)}{" "}
            <NotePageLink path={path} search={{ view: "edit" }}>
              {t(words.goOn)}
            </NotePageLink>
          </p>
        )}
        <Properties of={note} />
        {text.trim() === "" ? (
          <Empty>{t(words.empty)}</Empty>
        ) : (
          <Markdown text={text} linkOf={linkOf} embedOf={embedOf} line={line} />
        )}
      </div>
      <aside className="stack">
        <p>
          <Link to="/ask" search={{ note: path }} className="button">
            {t(words.ask)}
          </Link>
        </p>
        <section className="stack tight" aria-labelledby="backlinks">
          <h2 id="backlinks">{t(words.backlinks)}</h2>
          <QueryResult of={around}>
            {({ backlinks, more, reading: far }) => (
              <>
                <IndexingProgress reading={far} />
                {backlinks.length === 0 && !far && <Empty>{t(words.noBacklinks)}</Empty>}
                <ul className="stack tight">
                  {backlinks.map((link, index) => (
                    // oxlint-disable-next-line no-array-index-key -- one line may link here twice
                    <li key={index} className="small">
                      <NotePageLink path={link.path} search={{ line: link.line }} className="break">
                        {link.title}
                      </NotePageLink>
                      <p className="quiet break">{plainWords(link.text)}</p>
                    </li>
                  ))}
                  {more && <li className="quiet small">{t(words.more)}</li>}
                </ul>
              </>
            )}
          </QueryResult>
        </section>
        <Comments note={note} />
      </aside>
    </div>
  );
}

/** The properties and tags of a note, as Obsidian shows them above the text. */
function Properties({ of: { properties, tags } }: { readonly of: Pick<Whole, "properties" | "tags"> }) {
  const t = useT();
  if (properties.length === 0 && tags.length === 0) return null;
  return (
    <dl className="facts small" aria-label={t(words.properties)}>
      {tags.length > 0 && <FactRow name={t(words.tags)}>{tags.map((tag) => `#${tag}`).join(" ")}</FactRow>}
      {properties.map(({ name, values }) => (
        <FactRow key={name} name={name}>
          {plainWords(values.join(", "))}
        </FactRow>
      ))}
    </dl>
  );
}

function PastVersion({ note, line }: { readonly note: Whole; readonly line: number | undefined }) {
  const t = useT();
  return (
    <div className="stack">
      <p className="warning">
        {t(words.asItWas)} <code>{note.commit.slice(0, 10)}</code>{" "}
        <NotePageLink path={note.path}>{t(words.now)}</NotePageLink>
      </p>
      {note.text === undefined ? (
        <Empty>{t(words.noText, note.bytes)}</Empty>
      ) : (
        <Markdown text={note.text} line={line} />
      )}
    </div>
  );
}

const words = {
  views: { en: "Note", uk: "Подання нотатки" },
  read: { en: "Read", uk: "Читати" },
  edit: { en: "Edit", uk: "Змінити" },
  history: { en: "History", uk: "Історія" },
  lines: { en: "Blame", uk: "Рядок за рядком" },
  noText: {
    en: "This file is not UTF-8 text and cannot be shown ({} bytes).",
    uk: "Це не текст у UTF-8, показати його не можна (байтів: {}).",
  },
  empty: { en: "The note is empty.", uk: "Нотатка порожня." },
  properties: { en: "Properties", uk: "Властивості" },
  tags: { en: "Tags", uk: "Теги" },
  begun: { en: "You have unsaved changes to this note.", uk: "Ви почали змінювати цю нотатку." },
  goOn: { en: "Continue editing", uk: "Продовжити" },
  ask: { en: "Ask about this note", uk: "Запитати про цю нотатку" },
  backlinks: { en: "Backlinks", uk: "Хто посилається сюди" },
  noBacklinks: { en: "No backlinks yet", uk: "Поки ніхто." },
  more: { en: "and more", uk: "та інші" },
  asItWas: { en: "Past version, at commit", uk: "Такою нотатка була в коміті" },
  now: { en: "Current version", uk: "Якою вона є" },
} as const satisfies Record<string, Text>;
