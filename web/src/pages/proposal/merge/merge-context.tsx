import { useQuery } from "@tanstack/react-query";
import { CircleSlash, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { peerSessionIn } from "../../../../../src/domain/federation/peer-origin.ts";
import { TextArea } from "../../../components/form.tsx";
import { SessionLink } from "../../../components/links.tsx";
import { QueryResult } from "../../../components/query-result.tsx";
import { type Text, useT } from "../../../i18n/use-t.ts";
import { noteName } from "../../proposals/title.ts";
import { commitsQuery, tracesQuery } from "../../session/session-queries.ts";
import { TraceEntries } from "../../session/trace-view.tsx";
import { KindGlyph } from "../../sessions/commit-kind.tsx";
import { Section } from "../context-section.tsx";
import type { MergeChoice } from "./merge-choice.ts";
import "../../../style/sessions.css";

/** Beside a merge: the files that stay on the branch, and the commits of the session, each with its trace. */
export function MergeContext(props: {
  readonly session: string;
  readonly choice: MergeChoice;
  readonly isOpen: boolean;
  readonly note: string;
  readonly onNote: (note: string) => void;
}) {
  const { session, choice, isOpen, note, onNote } = props;
  const t = useT();
  const left = choice.entries.filter((entry) => !choice.isTaken(entry));
  return (
    <>
      {isOpen && left.length > 0 && (
        <Section name={t(words.stays)} aside={t(words.files, left.length)}>
          <ul className="checks">
            {left.map(({ file, isConflict }) => (
              <li key={file.path} className={isConflict ? "check warning" : "check"}>
                {isConflict ? (
                  <TriangleAlert size={16} aria-hidden="true" />
                ) : (
                  <CircleSlash size={16} aria-hidden="true" />
                )}
                <span className="break">
                  {noteName(file.path)} <span className="quiet">{t(isConflict ? words.conflict : words.leftOut)}</span>
                </span>
              </li>
            ))}
          </ul>
          <TextArea label={t(words.why)} rows={2} maxLength={2000} value={note} onText={onNote} />
          <p className="quiet small">{t(words.declined)}</p>
        </Section>
      )}
      <Section name={t(words.session)} aside={<MergedName session={session} />}>
        <Commits session={session} />
      </Section>
    </>
  );
}

/** The name of the session; one of another garden with that garden. */
function MergedName({ session }: { readonly session: string }) {
  const t = useT();
  const peer = peerSessionIn(session);
  return <SessionLink name={session}>{peer ? t(words.ofGarden, peer.session, peer.peer) : session}</SessionLink>;
}

/** The newest commits; the session's page has all. */
const MOST = 30;

function Commits({ session }: { readonly session: string }) {
  const t = useT();
  const read = useQuery(commitsQuery(session));
  return (
    <QueryResult of={read}>
      {(commits) => (
        <ol className="merge-commits">
          {commits.slice(0, MOST).map(({ commit, kind, message }) => (
            <li key={commit}>
              <CommitLine
                session={session}
                commit={commit}
                kind={kind}
                message={kind === "spawn" ? t(words.started) : message}
              />
            </li>
          ))}
          {commits.length > MOST && (
            <li>
              <SessionLink name={session}>{t(words.more, commits.length - MOST)}</SessionLink>
            </li>
          )}
        </ol>
      )}
    </QueryResult>
  );
}

function CommitLine(props: {
  readonly session: string;
  readonly commit: string;
  readonly kind: string | null;
  readonly message: string;
}) {
  const { session, commit, kind, message } = props;
  const t = useT();
  const [isOpen, setIsOpen] = useState(false);
  const traces = useQuery({ ...tracesQuery(session, commit), enabled: isOpen }).data;
  const isEmpty = traces?.every(({ entries }) => entries.length === 0);
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>
        <KindGlyph kind={kind} />
        <span className="break">{message}</span>
      </summary>
      {isEmpty && <p className="quiet small">{t(words.noTrace)}</p>}
      {traces?.map((trace, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- traces of one commit keep their order
        <TraceEntries key={index} trace={trace} of={traces.length} />
      ))}
      <SessionLink name={session} search={{ commit, view: "changes" }} className="small">
        {t(words.open)}
      </SessionLink>
    </details>
  );
}

const words = {
  stays: { en: "Stays on the branch", uk: "Лишається на гілці" },
  files: { en: "{} [file|files]", uk: "{} [файл|файли|файлів]" },
  conflict: { en: "a conflict is open", uk: "розбіжність не розв’язано" },
  leftOut: { en: "you left it out", uk: "ви не взяли" },
  why: { en: "Reason (optional)", uk: "Чому (за бажанням)" },
  declined: {
    en: "They count as declined: a later merge of this session brings only newer work.",
    uk: "Вони вважаються відхиленими: наступне злиття цієї сесії принесе лише новішу роботу.",
  },
  session: { en: "Commits and traces", uk: "Коміти й сліди" },
  ofGarden: { en: "{} of the garden {}", uk: "{} із саду {}" },
  started: { en: "Session started", uk: "Початок сесії" },
  noTrace: { en: "Nothing was recorded with it.", uk: "З ним нічого не записано." },
  open: { en: "Open the commit", uk: "Відкрити коміт" },
  more: { en: "{} earlier [commit|commits]", uk: "Ще {} [коміт|коміти|комітів]" },
} as const satisfies Record<string, Text>;
