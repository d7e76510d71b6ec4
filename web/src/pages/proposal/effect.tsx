import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Review } from "../../api/endpoints.gen.ts";
import { query } from "../../api/queries.ts";
import { Diff } from "../../components/diff.tsx";
import { Failed, Loading } from "../../components/query-result.tsx";
import { isPicture, RenderedDiff } from "../../components/rendered-diff.tsx";
import { type LineRemarks, WordDiff } from "../../components/word-diff.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { linkOfNote } from "../note/note-links.ts";
import type { DiffView } from "./change-views.ts";
import { ThreadMessage } from "./message.tsx";

type ReviewedFile = Review["files"][number];

/** Remarks at the lines of each file. */
export type RemarksOf = (path: string) => LineRemarks;

/** The effect of a proposal if applied now: warnings, conflicts, and the change itself. */
export function ProposalEffect(props: {
  readonly id: string;
  readonly review: Review;
  readonly view: DiffView;
  /** Collapses the files, because a diagram shows the change better. */
  readonly folded: boolean;
  readonly remarksOf?: RemarksOf;
  /** The words of a proposed comment: shown at the line of the note. */
  readonly comment?: ProposedComment | undefined;
}) {
  const { review, folded, comment } = props;
  const t = useT();
  return (
    <div className="effect">
      {review.merged && <p className="warning">{t(words.merged)}</p>}
      {review.warnings.map((warning) => (
        <p key={warning.en} className="warning">
          {t(warning)}
        </p>
      ))}
      {review.nothing && <p className="warning">{t(review.nothing)}</p>}
      {review.refusal && (
        <div className="card" role="alert">
          <strong>{t(review.refusal.text)}</strong>
          {review.refusal.hint && <p className="quiet">{t(review.refusal.hint)}</p>}
        </div>
      )}
      {review.conflicts.map((conflict) => (
        <Conflict key={conflict.path} conflict={conflict} />
      ))}
      {review.about && <Excerpt about={review.about} comment={comment} />}
      {review.sentences.length > 0 && (
        <ul className="sentences">
          {review.sentences.map((sentence) => (
            <li key={sentence.en} className="break">
              {t(sentence)}
            </li>
          ))}
        </ul>
      )}
      {folded || review.sentences.length > 0 || (review.about && comment) ? (
        <details>
          <summary>{t(words.files, review.files.length)}</summary>
          <Files {...props} />
        </details>
      ) : (
        <Files {...props} />
      )}
    </div>
  );
}

function Conflict({ conflict: { path, why, hunks } }: { readonly conflict: Review["conflicts"][number] }) {
  const t = useT();
  return (
    <div className="card stack tight" role="alert">
      <p>
        <strong>{t(words.conflict)}</strong> <code>{path}</code>: {t(why)}
      </p>
      {hunks.map(({ line, ours, theirs }) => (
        <div key={line} className="conflict">
          <div>
            <p className="quiet small">{t(words.standing, line)}</p>
            <pre>{ours}</pre>
          </div>
          <div>
            <p className="quiet small">{t(words.proposed)}</p>
            <pre>{theirs}</pre>
          </div>
        </div>
      ))}
      <p className="quiet">{t(words.solve)}</p>
    </div>
  );
}

interface ProposedComment {
  readonly by: string;
  readonly isAgent: boolean;
  readonly text: string;
}

/** The lines of the note that a comment is about, the line itself marked, the comment below it. */
function Excerpt(props: {
  readonly about: NonNullable<Review["about"]>;
  readonly comment: ProposedComment | undefined;
}) {
  const { about, comment } = props;
  const { path, line, lines } = about;
  const t = useT();
  return (
    <figure className="about">
      <figcaption className="quiet small">
        {t(words.about, line)} <code>{path}</code>
      </figcaption>
      <ol className="excerpt" start={lines[0]?.number ?? 1}>
        {lines.map(({ number, text }) => (
          <li key={number} className="break">
            {number === line ? <mark>{text === "" ? " " : text}</mark> : text}
            {number === line && comment && (
              <div className="thread">
                <ThreadMessage by={comment.by} isAgent={comment.isAgent} text={comment.text} />
              </div>
            )}
          </li>
        ))}
      </ol>
    </figure>
  );
}

interface FilesProps {
  readonly id: string;
  readonly review: Review;
  readonly view: DiffView;
  readonly remarksOf?: RemarksOf;
}

function Files({ id, review, view, remarksOf }: FilesProps) {
  const isAlone = review.files.length === 1;
  return review.files.map((file) => (
    <section key={file.path} className="changed-file" aria-label={file.path}>
      {!isAlone && <FileHead file={file} />}
      <ChangedFileView id={id} file={file} view={view} remarks={remarksOf?.(file.path)} />
    </section>
  ));
}

function FileHead({ file: { path, change, bytes } }: { readonly file: ReviewedFile }) {
  const t = useT();
  return (
    <p className="file-head">
      <span className={`state ${change}`}>{t(words[change])}</span>
      <code className="break">{path.replace(/^store:/, "")}</code>
      {bytes !== undefined && <span className="quiet small">{t(words.bytes, bytes)}</span>}
    </p>
  );
}

/** The change of one file, in the chosen view. */
export function ChangedFileView(props: {
  readonly id: string;
  readonly file: ReviewedFile;
  readonly view: DiffView;
  readonly remarks: LineRemarks | undefined;
}) {
  const { id, file, view, remarks } = props;
  const { path, patch, bytes } = file;
  const t = useT();
  const linkOf = useMemo(() => linkOfNote(path, undefined, false), [path]);
  // Words can be expanded when the whole file is there; it is read behind the first paint.
  const isPictured = isPicture(path);
  const whole = useQuery({
    ...query("GET /proposals/:id/file", { params: { id }, query: { path } }),
    enabled: view === "rendered" || isPictured || (view === "words" && file.change === "changed"),
    retry: false,
  });
  if (view === "rendered" || isPictured) {
    if (whole.data) return <RenderedDiff path={path} sides={whole.data} linkOf={linkOf} />;
    return whole.error ? <Failed error={whole.error} /> : <Loading />;
  }
  if (patch === "") return <p className="quiet">{t(words.bytes, bytes ?? 0)}</p>;
  if (view === "split") return <Diff patch={patch} />;
  const after = whole.data?.after;
  return (
    <WordDiff
      path={path}
      patch={patch}
      after={after?.kind === "text" ? after.text : undefined}
      {...(remarks && { remarks })}
    />
  );
}

const words = {
  merged: {
    en: "The target has changed since this was proposed. Both changes were merged; this is the result.",
    uk: "Ціль змінилася відтоді; обидві зміни поєднуються, і ось результат.",
  },
  conflict: { en: "Conflict:", uk: "Обидві зміни зачіпають те саме місце:" },
  standing: { en: "Current text (line {})", uk: "Як є зараз (рядок {})" },
  proposed: { en: "Proposed text", uk: "Як запропоновано" },
  solve: {
    en: "Edit and approve a text with both changes, or reject.",
    uk: "Відредагуйте і схваліть текст, у якому є обидві зміни, або відхиліть.",
  },
  about: { en: "Comment on line {} of", uk: "Коментар до рядка {} у" },
  added: { en: "new", uk: "нове" },
  changed: { en: "changed", uk: "змінено" },
  removed: { en: "removed", uk: "вилучено" },
  files: { en: "{} [file|files]", uk: "{} [файл|файли|файлів]" },
  bytes: { en: "{} [byte|bytes]", uk: "{} [байт|байти|байтів]" },
} as const satisfies Record<string, Text>;
