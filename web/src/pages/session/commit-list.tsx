import { useQuery } from "@tanstack/react-query";
import { CircleDashed } from "lucide-react";
import type { AnswerOf } from "../../api/client.ts";
import { LineCounts } from "../../components/line-counts.tsx";
import { shortTime } from "../../i18n/day.ts";
import { dateTime } from "../../i18n/format.ts";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";
import { KindGlyph, useKindName } from "../sessions/commit-kind.tsx";
import { sizesQuery } from "./session-queries.ts";

/** Chosen in place of a commit: what was recorded since the last one. */
export const NOT_COMMITTED = "not-committed";

type Read = Pick<AnswerOf<"GET /sessions/:name">, "name" | "commits" | "pendingEntries" | "head">;

/** The commits of a session, newest first, above them what is not in a commit yet. */
export function CommitList(props: {
  readonly session: Read;
  readonly chosen: string | undefined;
  readonly onChoose: (commit: string) => void;
}) {
  const { session, chosen, onChoose } = props;
  const { name, commits, pendingEntries, head } = session;
  const t = useT();
  const { language } = usePreferences();
  const kindName = useKindName();
  const sizes = useQuery(sizesQuery(name, head.commit)).data?.changes;
  const sizeOf = new Map(sizes?.map((size) => [size.commit, size]));
  return (
    <ol className="commit-list" aria-label={t(words.commits)}>
      {pendingEntries > 0 && (
        <li>
          <button
            type="button"
            className="commit-row"
            aria-current={chosen === NOT_COMMITTED}
            onClick={() => onChoose(NOT_COMMITTED)}
          >
            <span />
            <CircleDashed size={20} aria-hidden="true" />
            <span className="commit-said">
              <span className="title cut">{t(words.pending)}</span>
              <span className="meta cut">{t(words.entries, pendingEntries)}</span>
            </span>
          </button>
        </li>
      )}
      {commits.map(({ commit, kind, message, at, by, merged }) => {
        const size = sizeOf.get(commit);
        return (
          <li key={commit}>
            <button
              type="button"
              className="commit-row"
              aria-current={chosen === commit}
              onClick={() => onChoose(commit)}
            >
              <time dateTime={at} title={dateTime(at, language)}>
                {shortTime(at, language)}
              </time>
              <KindGlyph kind={kind} />
              <span className="commit-said">
                <span className="title cut">{kind === "spawn" ? t(words.started) : message}</span>
                <span className="meta cut">
                  {[
                    kindName(kind),
                    merged ?? (kind === null ? by : undefined),
                    size && size.files > 0 ? t(words.files, size.files) : undefined,
                  ]
                    .filter((part) => part !== undefined)
                    .join(" · ")}
                </span>
              </span>
              {size && size.added + size.removed > 0 && <LineCounts added={size.added} removed={size.removed} />}
            </button>
          </li>
        );
      })}
    </ol>
  );
}

const words = {
  commits: { en: "Commits", uk: "Коміти" },
  started: { en: "Session started", uk: "Початок сесії" },
  pending: { en: "Not in a commit yet", uk: "Ще не в коміті" },
  entries: { en: "{} [entry|entries] on this machine", uk: "{} [запис|записи|записів] на цій машині" },
  files: { en: "{} [file|files]", uk: "{} [файл|файли|файлів]" },
} as const satisfies Record<string, Text>;
