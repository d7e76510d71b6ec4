import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { NotebookText } from "lucide-react";
import type { AnswerOf } from "../api/client.ts";
import { query } from "../api/queries.ts";
import { NotePageLink } from "../components/links.tsx";
import { Markdown } from "../components/markdown.tsx";
import { Empty, QueryResult } from "../components/query-result.tsx";
import { TopBar } from "../components/top-bar.tsx";
import { useKeys } from "../components/use-keys.ts";
import { ago, dateTime } from "../i18n/format.ts";
import { type Text, usePreferences, useT } from "../i18n/use-t.ts";
import { EditNote } from "./note/edit-note.tsx";
import { folderSteps } from "./note/folder-steps.ts";
import { NoteHistory } from "./note/history.tsx";
import { noteTitle, titleInText } from "./note/note-title.ts";
import { ReadView } from "./note/read-view.tsx";
import "../style/page-parts.css";
import "../style/notes.css";

type Whole = AnswerOf<"GET /notes/:path">;
const views = ["read", "edit", "history"] as const;
type View = (typeof views)[number];

/** One note: read, edit, history. `at` shows it at a commit, `line` the story of a line. */
export function NotePage() {
  const { _splat: path = "" } = useParams({ strict: false });
  const asked = useSearch({ strict: false }) as { view?: string; at?: string; proposal?: string; line?: unknown };
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
  readonly line: number | undefined;
}) {
  const { path, view, at, proposal, line } = props;
  const navigate = useNavigate();
  const isNow = at === undefined;
  const note = useQuery(query("GET /notes/:path", { params: { path }, query: isNow ? {} : { at } }));
  const showsTitle = note.data !== undefined && (!isNow || (view === "read" && note.data.text !== undefined));
  const mayEdit = isNow && note.data?.text !== undefined;
  const open = (each: View) =>
    void navigate({ to: "/notes/$", params: { _splat: path }, search: each === "read" ? {} : { view: each } });
  useKeys({ e: mayEdit && view !== "edit" ? () => open("edit") : undefined });
  return (
    <>
      <NoteBar path={path} note={note.data} view={view} isNow={isNow} />
      <div className="bleed note-page">
        {!showsTitle && <h1 className="hidden-visually">{noteTitle(path)}</h1>}
        <QueryResult of={note}>
          {(whole) => {
            if (!isNow) return <PastVersion note={whole} line={line} />;
            if (whole.text === undefined) return <NoText bytes={whole.bytes} />;
            if (view === "edit")
              return (
                <div className="pane">
                  <EditNote note={whole} />
                </div>
              );
            if (view === "history")
              return (
                <div className="pane" data-scroll="">
                  <NoteHistory path={path} />
                </div>
              );
            return <ReadView note={whole} text={whole.text} line={line} proposal={proposal} />;
          }}
        </QueryResult>
      </div>
    </>
  );
}

/** The place of the note, its last change, and its views. */
function NoteBar(props: {
  readonly path: string;
  readonly note: Whole | undefined;
  readonly view: View;
  readonly isNow: boolean;
}) {
  const { path, note, view, isNow } = props;
  const t = useT();
  const { language } = usePreferences();
  const slash = path.lastIndexOf("/");
  const folder = slash === -1 ? "" : path.slice(0, slash);
  const last = note?.history?.[0];
  return (
    <TopBar icon={NotebookText} crumbs={folderSteps(folder, t(words.notes))} title={noteTitle(path)}>
      {last && isNow && (
        <span className="quiet small saved" title={dateTime(last.at, language)}>
          {t(words.saved, ago(last.at, language))}
        </span>
      )}
      {isNow && (
        <nav className="segments" aria-label={t(words.views)}>
          {views.map((each) => (
            <Link
              key={each}
              to="/notes/$"
              params={{ _splat: path }}
              search={each === "read" ? {} : { view: each }}
              aria-current={each === view ? "page" : undefined}
              activeProps={{}}
              activeOptions={{ exact: true }}
            >
              {t(words[each])}
            </Link>
          ))}
        </nav>
      )}
    </TopBar>
  );
}

const NoText = ({ bytes }: { readonly bytes: number }) => {
  const t = useT();
  return (
    <div className="pane">
      <Empty>{t(words.noText, bytes)}</Empty>
    </div>
  );
};

function PastVersion({ note, line }: { readonly note: Whole; readonly line: number | undefined }) {
  const t = useT();
  const repeated = titleInText(note.path, note.text ?? "");
  return (
    <div className="pane" data-scroll="">
      <div className="note-column">
        <p className="warning">
          {t(words.asItWas)} <code>{note.commit.slice(0, 10)}</code>{" "}
          <NotePageLink path={note.path}>{t(words.now)}</NotePageLink>
        </p>
        <h1 className="note-title">{repeated?.title ?? noteTitle(note.path)}</h1>
        {note.text === undefined ? (
          <Empty>{t(words.noText, note.bytes)}</Empty>
        ) : (
          <Markdown text={note.text} line={line} hiddenLine={repeated?.line} />
        )}
      </div>
    </div>
  );
}

const words = {
  notes: { en: "Notes", uk: "Нотатки" },
  views: { en: "Note", uk: "Подання нотатки" },
  read: { en: "Read", uk: "Читати" },
  edit: { en: "Edit", uk: "Змінити" },
  history: { en: "History", uk: "Історія" },
  saved: { en: "Saved {}", uk: "Збережено {}" },
  noText: {
    en: "This file is not UTF-8 text and cannot be shown ({} [byte|bytes]).",
    uk: "Це не текст у UTF-8, показати його не можна ({} [байт|байти|байтів]).",
  },
  asItWas: { en: "Past version, at commit", uk: "Такою нотатка була в коміті" },
  now: { en: "Current version", uk: "Якою вона є" },
} as const satisfies Record<string, Text>;
