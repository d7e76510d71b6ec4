import type { LibraryDetail } from "../../api/endpoints.gen.ts";
import { type Text, useT } from "../../i18n/use-t.ts";

/** The models and temperatures behind a figure: they are no part of a behaviour, and change what its figure means. */
export function ModelList({ models }: { readonly models: NonNullable<LibraryDetail["sent"]>["models"] }) {
  const t = useT();
  if (models.length === 0) return null;
  return (
    <ul className="plain-list meta" aria-label={t(words.models)}>
      {models.map(({ model, temperature, runs, good, bad }) => (
        <li key={`${model} ${temperature}`} className="break">
          {temperature === null ? model : t(words.at, model, temperature)} · {t(words.counts, runs, good, good + bad)}
        </li>
      ))}
    </ul>
  );
}

const words = {
  models: { en: "Models of these runs", uk: "Моделі цих запусків" },
  at: { en: "{}, temperature {}", uk: "{}, температура {}" },
  counts: { en: "{} [run|runs], {} of {} good", uk: "{} [запуск|запуски|запусків], добрих {} з {}" },
} as const satisfies Record<string, Text>;
