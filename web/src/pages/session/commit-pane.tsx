import { useQuery } from "@tanstack/react-query";
import { peerSessionIn } from "../../../../src/domain/federation/peer-origin.ts";
import type { AnswerOf } from "../../api/client.ts";
import { query } from "../../api/queries.ts";
import { LineCounts } from "../../components/line-counts.tsx";
import { CommitLink, SessionLink } from "../../components/links.tsx";
import { Empty, QueryResult } from "../../components/query-result.tsx";
import { Segments } from "../../components/segments.tsx";
import { WordDiff } from "../../components/word-diff.tsx";
import { dateTime } from "../../i18n/format.ts";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";
import { KindGlyph } from "../sessions/commit-kind.tsx";
import { filesQuery, tracesQuery } from "./session-queries.ts";
import { TraceHistory } from "./trace-history.tsx";
import { TraceEntries } from "./trace-view.tsx";

export type CommitView = "trace" | "changes" | "history";
export const OWN_VIEWS: readonly CommitView[] = ["trace", "changes", "history"];
/** Bindings of traces are made in the garden of the session. */
export const PEER_VIEWS: readonly CommitView[] = ["changes", "trace"];
type Commit = AnswerOf<"GET /sessions/:name">["commits"][number];

/** The chosen commit: what was said and called on the way to it, what it changed, and how its traces came to it. */
export function CommitPane(props: {
  readonly name: string;
  readonly commit: Commit;
  readonly view: CommitView;
  readonly onView: (view: CommitView) => void;
}) {
  const { name, commit, view, onView } = props;
  const t = useT();
  const { language } = usePreferences();
  const isPeer = peerSessionIn(name) !== undefined;
  return (
    <section className="commit-pane" aria-label={t(words.commit)}>
      <div className="commit-head">
        <KindGlyph kind={commit.kind} />
        {commit.kind === "spawn" ? (
          <h2 className="cut">{t(words.started)}</h2>
        ) : (
          <h2 className="cut" lang="">
            {commit.message}
          </h2>
        )}
        <CommitLink commit={commit.commit} />
        <span className="grow" />
        <Segments
          label={t(words.view)}
          value={view}
          options={(isPeer ? PEER_VIEWS : OWN_VIEWS).map((value) => ({ value, name: t(words[value]) }))}
          onChoose={onView}
        />
        <kbd aria-hidden="true">s</kbd>
      </div>
      <p className="commit-facts meta">
        {commit.by} · {dateTime(commit.at, language)}
        {commit.merged !== undefined && (
          <>
            {" · "}
            {t(words.merges)} <SessionLink name={commit.merged}>{commit.merged}</SessionLink>
          </>
        )}
      </p>
      {view === "trace" && <Trace name={name} commit={commit} />}
      {view === "changes" && <Changes name={name} commit={commit.commit} />}
      {view === "history" && <TraceHistory commit={commit.commit} />}
    </section>
  );
}

function Trace({ name, commit }: { readonly name: string; readonly commit: Commit }) {
  const t = useT();
  const read = useQuery(tracesQuery(name, commit.commit));
  const isPeer = peerSessionIn(name) !== undefined;
  return (
    <QueryResult of={read}>
      {(traces) =>
        traces.every(({ entries }) => entries.length === 0) ? (
          <div className="commit-body">
            <Empty>{t(isPeer ? words.notPublished : commit.kind === null ? words.noTraceByHand : words.noTrace)}</Empty>
          </div>
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- traces of one commit keep their order
          traces.map((trace, index) => <TraceEntries key={index} trace={trace} of={traces.length} />)
        )
      }
    </QueryResult>
  );
}

function Changes({ name, commit }: { readonly name: string; readonly commit: string }) {
  const t = useT();
  const read = useQuery(filesQuery(name, commit));
  return (
    <QueryResult of={read}>
      {({ body, files, more }) => (
        <div className="commit-body">
          {body !== "" && <p className="reason said break">{body}</p>}
          {files.length === 0 && <Empty>{t(words.noFiles)}</Empty>}
          {files.map((file) => (
            <details key={file.path} className="session-file" open={files.length <= FEW_FILES}>
              <summary>
                <span className={`state ${file.change}`}>{t(words[file.change])}</span>
                <code className="break">{file.path}</code>
                <span className="grow" />
                {file.added !== undefined && <LineCounts added={file.added} removed={file.removed ?? 0} />}
              </summary>
              {file.patch === undefined ? (
                <p className="quiet">{t(words.notText)}</p>
              ) : (
                <WordDiff path={file.path} patch={file.patch} after={undefined} />
              )}
            </details>
          ))}
          {more > 0 && <p className="quiet">{t(words.more, more)}</p>}
        </div>
      )}
    </QueryResult>
  );
}

/** Up to this many files are open at first. */
const FEW_FILES = 5;

/** Entries that no commit has yet, on this machine. */
export function PendingPane({ name }: { readonly name: string }) {
  const t = useT();
  const read = useQuery({
    ...query("GET /sessions/:name/pending", { params: { name } }),
    refetchInterval: PENDING_MS,
  });
  return (
    <section className="commit-pane" aria-label={t(words.pending)}>
      <div className="commit-head">
        <h2 className="cut">{t(words.pending)}</h2>
      </div>
      <p className="commit-facts meta">{t(words.pendingWhy)}</p>
      <QueryResult of={read}>
        {({ entries, count }) => (
          <>
            {count > entries.length && <p className="commit-body quiet">{t(words.newest, entries.length, count)}</p>}
            <TraceEntries trace={{ agent: name, entries }} of={1} />
          </>
        )}
      </QueryResult>
    </section>
  );
}

const PENDING_MS = 3000;

const words = {
  commit: { en: "Commit", uk: "Коміт" },
  started: { en: "Session started", uk: "Початок сесії" },
  view: { en: "View", uk: "Подання" },
  trace: { en: "Trace", uk: "Слід" },
  changes: { en: "Changes", uk: "Зміни" },
  history: { en: "History", uk: "Історія" },
  merges: { en: "merges", uk: "зливає" },
  noTrace: { en: "Nothing was recorded with this commit.", uk: "З цим комітом нічого не записано." },
  notPublished: {
    en: "No trace of this commit was published by its garden and accepted here.",
    uk: "Сліду цього коміту його сад не оприлюднив або тут не прийнято.",
  },
  noTraceByHand: {
    en: "A person made this commit, so it has no trace.",
    uk: "Цей коміт зробила людина, тож сліду немає.",
  },
  noFiles: { en: "This commit changes no files.", uk: "Цей коміт не змінює файлів." },
  added: { en: "new", uk: "новий" },
  changed: { en: "changed", uk: "змінено" },
  removed: { en: "removed", uk: "вилучено" },
  notText: { en: "Not text, or too large to show.", uk: "Це не текст або завеликий, щоб показати." },
  more: { en: "{} more [file|files] are not shown here.", uk: "Ще {} [файл|файли|файлів] тут не показано." },
  pending: { en: "Not in a commit yet", uk: "Ще не в коміті" },
  pendingWhy: {
    en: "Recorded on this machine since the last commit. The next commit takes these entries with it.",
    uk: "Записано на цій машині після останнього коміту. Наступний коміт забере ці записи з собою.",
  },
  newest: { en: "The newest {} of {}", uk: "Найновіші {} із {}" },
} as const satisfies Record<string, Text>;
