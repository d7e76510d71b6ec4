import { type Text, useT } from "../i18n/use-t.ts";

/** How far the garden is with reading its notes, for somebody who waits for what is in them. Nothing when it has read all. */
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

/** Asks again as long as the garden reads: each answer waits for some more notes by itself. */
export const untilIndexed = ({
  state,
}: {
  readonly state: { readonly data?: { readonly reading?: Reading } | undefined };
}) => (state.data?.reading ? AGAIN_MS : false);

const AGAIN_MS = 200;

const grouped = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, "\u202f");

const words = {
  reading: {
    en: "Reading the notes: {} of {}. This is from those read so far.",
    uk: "Читаю нотатки: {} з {}. Поки що тут лише прочитане.",
  },
  progress: { en: "Notes read", uk: "Прочитано нотаток" },
} as const satisfies Record<string, Text>;
