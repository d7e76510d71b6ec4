import { useQuery } from "@tanstack/react-query";
import { query } from "../../api/queries.ts";
import { type Text, useT } from "../../i18n/use-t.ts";

/** One behaviour over this garden and every followed one: runs, models, and the commits that sessions made with it. */
export function FiguresByGarden({ behaviour }: { readonly behaviour: string }) {
  const t = useT();
  const read = useQuery(query("GET /library/statistics", {})).data;
  const gardens = read?.behaviours.find((one) => one.behaviour === behaviour)?.gardens ?? [];
  if (gardens.length === 0) return null;
  return (
    <section aria-labelledby="library-gardens">
      <h3 id="library-gardens">{t(words.title)}</h3>
      <ul className="plain-list">
        {gardens.map(({ garden, runs, good, judgedRuns, sessions, commits, models }) => (
          <li key={garden ?? ""}>
            <b>{garden ?? t(words.here)}</b>{" "}
            <span className="meta">
              {t(words.runs, runs, good, judgedRuns)}
              {sessions > 0 &&
                ` · ${t(
                  words.commits,
                  Object.values(commits).reduce((sum, count) => sum + count, 0),
                  sessions,
                )}`}
            </span>
            {garden === null &&
              models.map(({ model, temperature, runs: counted }) => (
                <span key={`${model} ${temperature}`} className="meta model-line break">
                  {t(words.model, model ?? "?", temperature ?? "?", counted)}
                </span>
              ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

const words = {
  title: { en: "This behaviour, by garden", uk: "Ця поведінка за садами" },
  here: { en: "Here", uk: "Тут" },
  runs: { en: "{} [run|runs], {} of {} judged good", uk: "{} [запуск|запуски|запусків], добрих {} з {} оцінених" },
  commits: {
    en: "{} [commit|commits] in {} [session|sessions]",
    uk: "{} [коміт|коміти|комітів], сесій: {}",
  },
  model: { en: "{}, temperature {}: {} [run|runs]", uk: "{}, температура {}: {} [запуск|запуски|запусків]" },
} as const satisfies Record<string, Text>;
