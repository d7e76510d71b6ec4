import { type Text, useT } from "../i18n/use-t.ts";

/** Progress of indexing the notes. Renders nothing when all are indexed. */
export function IndexingProgress({ reading }: { readonly reading: Reading | undefined }) {
  const t = useT();
  if (!reading) return null;
  const { done, total } = reading;
  return (
    <div className="stack tight">
      <p className="quiet small">{t(words.reading, grouped(done), grouped(total))}</p>
      <progress value={done} max={total} aria-label={t(words.progress)} />
    </div>
  );
}

interface Reading {
  readonly done: number;
  readonly total: number;
}

/** Refetch interval while notes are being indexed. The gateway delays each answer until more notes are indexed. */
export const untilIndexed = ({
  state,
}: {
  readonly state: { readonly data?: { readonly reading?: Reading } | undefined };
}) => (state.data?.reading ? AGAIN_MS : false);

const AGAIN_MS = 200;

const grouped = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, "\u202f");

const words = {
  reading: {
    en: "Indexing notes: {} of {}. Results so far:",
    uk: "Читаю нотатки: {} з {}. Поки що тут лише прочитане.",
  },
  progress: { en: "Notes indexed", uk: "Прочитано нотаток" },
} as const satisfies Record<string, Text>;
