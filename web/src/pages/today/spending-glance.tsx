import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { figuresQuery } from "../../components/agent-health.tsx";
import { money } from "../../i18n/format.ts";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";

const WEEK = 7;

/** The cost of the runs of the last seven days, by day. Nothing if no model has a price. */
export function SpendingGlance() {
  const t = useT();
  const { language } = usePreferences();
  const figures = useQuery(figuresQuery()).data;
  const agents = figures?.agents.map(({ slug, days }) => ({ slug, costs: days.slice(-WEEK).map(({ cost }) => cost) }));
  if (!figures || !agents?.some(({ costs }) => costs.some((cost) => (cost ?? 0) > 0))) return null;
  const days = figures.days.slice(-WEEK).map((day, index) => ({
    day,
    cost: agents.reduce((sum, { costs }) => sum + (costs[index] ?? 0), 0),
  }));
  const total = days.reduce((sum, { cost }) => sum + cost, 0);
  const most = Math.max(...days.map(({ cost }) => cost));
  const spenders = agents
    .map(({ slug, costs }) => ({ slug, cost: costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0) }))
    .filter(({ cost }) => cost > 0)
    .toSorted((a, b) => b.cost - a.cost);
  const weekday = new Intl.DateTimeFormat(language === "en" ? "en-GB" : "uk-UA", { weekday: "short" });
  return (
    <section aria-labelledby="spending">
      <div className="section-head">
        <h2 id="spending">
          <Link to="/runs/spending" className="plain-link">
            {t(words.title)}
          </Link>
        </h2>
        <span className="meta">{t(words.week)}</span>
      </div>
      <p className="serif spent">{money(total, figures.currency, language)}</p>
      <div className="spark" aria-hidden="true">
        {days.map(({ day, cost }, index) => (
          <span key={day}>
            <i className={index === WEEK - 1 ? "today" : ""} style={{ height: (48 * cost) / most }} />
            {weekday.format(new Date(`${day}T12:00`))}
          </span>
        ))}
      </div>
      {spenders.length > 0 && (
        <p className="meta">
          {spenders
            .slice(0, 3)
            .map(({ slug, cost }) => `${slug} ${money(cost, figures.currency, language)}`)
            .join(" · ")}
        </p>
      )}
    </section>
  );
}

const words = {
  title: { en: "Spending", uk: "Витрати" },
  week: { en: "7 days", uk: "7 днів" },
} as const satisfies Record<string, Text>;
