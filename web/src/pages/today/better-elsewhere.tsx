import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { query } from "../../api/queries.ts";
import { type Text, useT } from "../../i18n/use-t.ts";

/** Behaviours of followed gardens that do better than an agent's own. Nothing if there are none. */
export function BetterElsewhere() {
  const t = useT();
  const open = useQuery(query("GET /library/suggestions", {})).data?.open ?? [];
  if (open.length === 0) return null;
  return (
    <section aria-labelledby="better-elsewhere">
      <div className="section-head">
        <h2 id="better-elsewhere">
          <Link to="/library" className="plain-link">
            {t(words.title)}
          </Link>
        </h2>
      </div>
      {open.map(({ id, entry, agent, version, name, garden, theirs, ours }) => (
        <p key={id}>
          <Link to="/library" search={{ id: entry, agent }}>
            {t(words.one, name, garden)}
          </Link>{" "}
          <span className="meta">
            {t(words.rates, percent(theirs.good_rate), agent, version, percent(ours.good_rate))}
          </span>
        </p>
      ))}
    </section>
  );
}

const percent = (rate: number | null): string => (rate === null ? "–" : `${Math.round(rate * 100)}%`);

const words = {
  title: { en: "Better elsewhere", uk: "Деінде краще" },
  one: { en: "“{}” of {}", uk: "«{}» саду {}" },
  rates: { en: "{} good runs; {} {}: {}", uk: "добрих запусків {}; {} {}: {}" },
} as const satisfies Record<string, Text>;
