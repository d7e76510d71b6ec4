import { useQuery } from "@tanstack/react-query";
import { query } from "../../api/queries.ts";
import { RunLink } from "../../components/links.tsx";
import { dateTime } from "../../i18n/format.ts";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";

/** S-7: what experiments would have proposed; nothing where there is nothing. */
export function Sandbox() {
  const t = useT();
  const { language } = usePreferences();
  const entries = useQuery(query("GET /sandbox", {})).data?.entries ?? [];
  if (entries.length === 0) return null;
  return (
    <details className="sandbox">
      <summary>{t(words.title, entries.length)}</summary>
      <ul className="plain-list">
        {entries.map(({ id, run_id: run, agent_slug: agent, summary, made_at: at }) => (
          <li key={id} className="row">
            <RunLink run={run}>{summary}</RunLink>
            <span className="meta">
              {agent} · {dateTime(at, language)}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

const words = {
  title: {
    en: "Sandbox: {} [proposal|proposals] of experiments",
    uk: "Пісочниця: {} [пропозиція|пропозиції|пропозицій] експериментів",
  },
} as const satisfies Record<string, Text>;
