import type { Review } from "../../api/endpoints.gen.ts";
import { Diff } from "../../components/diff.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

/** The effect of a proposal if applied now: files, conflicts and warnings. */
export function ProposalEffect(props: {
  readonly review: Review;
  readonly split: boolean;
  /** Collapses the files, because a diagram shows the change better. */
  readonly folded: boolean;
}) {
  const { review, split, folded } = props;
  const t = useT();
  return (
    <div className="stack tight">
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
      {review.conflicts.map(({ path, why, hunks }) => (
        <div key={path} className="card stack tight" role="alert">
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
      ))}
      {review.about && <Excerpt about={review.about} />}
      {review.sentences.length > 0 && (
        <ul className="stack tight">
          {review.sentences.map((sentence) => (
            <li key={sentence.en} className="break">
              {t(sentence)}
            </li>
          ))}
        </ul>
      )}
      {folded || review.sentences.length > 0 ? (
        <details>
          <summary>{t(words.files, review.files.length)}</summary>
          <Files review={review} split={split} />
        </details>
      ) : (
        <Files review={review} split={split} />
      )}
    </div>
  );
}

/** The lines of the note that a comment is about, the line itself marked. */
function Excerpt({ about: { path, line, lines } }: { readonly about: NonNullable<Review["about"]> }) {
  const t = useT();
  return (
    <figure className="stack tight">
      <figcaption className="quiet small">
        {t(words.about, line)} <code>{path}</code>
      </figcaption>
      <ol className="excerpt" start={lines[0]?.number ?? 1}>
        {lines.map(({ number, text }) => (
          <li key={number} className="break">
            {number === line ? <mark>{text === "" ? " " : text}</mark> : text}
          </li>
        ))}
      </ol>
    </figure>
  );
}

function Files({ review, split }: { readonly review: Review; readonly split: boolean }) {
  const t = useT();
  return (
    <div className="stack tight">
      {review.files.map(({ path, change, patch, bytes }) => (
        <div key={path} className="stack tight">
          <p className="row">
            <span className={`tag ${change === "added" ? "good" : change === "removed" ? "bad" : ""}`}>
              {t(words[change])}
            </span>
            <code className="break">{path}</code>
            {bytes !== undefined && <span className="quiet small">{t(words.bytes, bytes)}</span>}
          </p>
          {patch !== "" && <Diff patch={patch} split={split} />}
        </div>
      ))}
    </div>
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
  files: { en: "{} [file|files]", uk: "Файлів: {}" },
  bytes: { en: "{} bytes", uk: "{} байтів" },
} as const satisfies Record<string, Text>;
