import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Review } from "../../../api/endpoints.gen.ts";
import { query } from "../../../api/queries.ts";
import { Button } from "../../../components/form.tsx";
import { LineCounts } from "../../../components/line-counts.tsx";
import { Failed, Loading } from "../../../components/query-result.tsx";
import { type Text, useT } from "../../../i18n/use-t.ts";
import { noteName } from "../../proposals/title.ts";
import type { DiffView } from "../change-views.ts";
import { ChangedFileView, type RemarksOf } from "../effect.tsx";
import type { MergeChoice, MergeEntry } from "./merge-choice.ts";
import { ResolveMerge } from "./merge-resolution.tsx";

interface MergeFilesProps {
  readonly id: string;
  readonly session: string;
  readonly review: Review;
  readonly choice: MergeChoice;
  readonly view: DiffView;
  readonly remarksOf: RemarksOf;
  readonly chosen: string | undefined;
  readonly isOpen: boolean;
}

/** Merges of more files show one at a time. */
const MOST_AT_ONCE = 40;

/** The files of a merge one below the other, each with its change, its remarks and its conflict. */
export function MergeFiles(props: MergeFilesProps) {
  const { review, choice, chosen } = props;
  const t = useT();
  const all = choice.entries;
  const shown =
    all.length <= MOST_AT_ONCE ? all : all.filter(({ file }) => file.path === (chosen ?? all[0]?.file.path));
  return (
    <div className="effect merge-files">
      {review.refusal && (
        <div className="card" role="alert">
          <strong>{t(review.refusal.text)}</strong>
          {review.refusal.hint && <p className="quiet">{t(review.refusal.hint)}</p>}
        </div>
      )}
      {review.nothing && <p className="warning">{t(review.nothing)}</p>}
      {review.conflicts.length > 0 && <ResolveMerge id={props.id} session={props.session} isOpen={props.isOpen} />}
      {shown
        .filter(({ isConflict }) => !isConflict)
        .map((entry) => (
          <FileSection key={entry.file.path} {...props} entry={entry} isAlone={all.length > MOST_AT_ONCE} />
        ))}
    </div>
  );
}

function FileSection(props: MergeFilesProps & { readonly entry: MergeEntry; readonly isAlone: boolean }) {
  const { id, entry, choice, review, view, remarksOf, isAlone } = props;
  const { file, added, removed } = entry;
  const t = useT();
  const section = useRef<HTMLElement>(null);
  const isSeen = choice.isSeen(entry);
  const see = useRef(() => choice.see(entry));
  see.current = () => choice.see(entry);
  // A file counts as opened once its change has been on the screen for a moment.
  useEffect(() => {
    if (isSeen) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const watch = new IntersectionObserver(
      ([found]) => {
        clearTimeout(timer);
        if (found?.isIntersecting) timer = setTimeout(() => see.current(), SEEN_MS);
      },
      { rootMargin: "-120px 0px -80px 0px" },
    );
    watch.observe(section.current!);
    return () => {
      clearTimeout(timer);
      watch.disconnect();
    };
  }, [isSeen]);
  const folder = file.path.slice(0, Math.max(0, file.path.lastIndexOf("/")));
  return (
    <section ref={section} className="changed-file merge-file" aria-label={file.path} data-path={file.path}>
      <div className={choice.isTaken(entry) ? "merge-file-head" : "merge-file-head out"}>
        <b className="cut">{noteName(file.path)}</b>
        <span className="meta cut">{folder}</span>
        <LineCounts added={added} removed={removed} />
        {!choice.isTaken(entry) && <span className="state">{t(words.out)}</span>}
        <span className="grow" />
        <Button tone="ghost small" aria-pressed={isSeen} onClick={() => choice.see(entry, !isSeen)}>
          {t(isSeen ? words.seen : words.mark)} {isAlone && <kbd aria-hidden="true">v</kbd>}
        </Button>
      </div>
      {file.moved_from !== undefined && (
        <p className="quiet small">
          {t(words.movedFrom)} <code className="break">{file.moved_from}</code>
        </p>
      )}
      {file.moved_from !== undefined && file.patch === "" ? null : file.cut ? (
        <CutFile {...{ id, review, file, view }} remarksOf={remarksOf} />
      ) : (
        <ChangedFileView id={id} file={file} view={view} remarks={remarksOf(file.path)} />
      )}
    </section>
  );
}

const SEEN_MS = 700;

/** A file whose patch was too much for the review: it is read by itself. */
function CutFile(props: {
  readonly id: string;
  readonly review: Review;
  readonly file: Review["files"][number];
  readonly view: DiffView;
  readonly remarksOf: RemarksOf;
}) {
  const { id, review, file, view, remarksOf } = props;
  const before = review.files[review.files.indexOf(file) - 1]?.path;
  const read = useQuery(
    query("GET /proposals/:id/files", {
      params: { id },
      query: { limit: "1", ...(before !== undefined && { after: before }) } as never,
    }),
  );
  if (read.error) return <Failed error={read.error} />;
  const whole = read.data?.files[0];
  return whole ? <ChangedFileView id={id} file={whole} view={view} remarks={remarksOf(file.path)} /> : <Loading />;
}

const words = {
  out: { en: "left out", uk: "не береться" },
  seen: { en: "Seen", uk: "Переглянуто" },
  mark: { en: "Mark as seen", uk: "Позначити" },
  movedFrom: { en: "Moved from", uk: "Переміщено з" },
} as const satisfies Record<string, Text>;
