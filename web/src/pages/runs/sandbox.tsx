import { useQuery } from "@tanstack/react-query";
import { ChevronDown, FlaskConical } from "lucide-react";
import { query } from "../../api/queries.ts";
import { AgentFlower } from "../../components/agent-flower.tsx";
import { RunLink } from "../../components/links.tsx";
import { shortTime } from "../../i18n/day.ts";
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
      <summary>
        <FlaskConical size={15} aria-hidden="true" />
        <span>{t(words.title)}</span>
        <span className="meta">{t(words.many, entries.length)}</span>
        <ChevronDown size={15} aria-hidden="true" className="sandbox-fold" />
      </summary>
      <ul className="run-list">
        {entries.map(({ id, run_id: run, agent_slug: agent, summary, target, made_at: at }) => (
          <li key={id}>
            <RunLink run={run} className="run-row">
              <time className="run-time" dateTime={at} title={dateTime(at, language)}>
                {shortTime(at, language)}
              </time>
              <AgentFlower slug={agent} size={20} />
              <span className="run-agent cut">{agent}</span>
              <span className="run-input cut">{summary}</span>
              <span className="run-outcome cut">{target}</span>
            </RunLink>
          </li>
        ))}
      </ul>
    </details>
  );
}

const words = {
  title: { en: "Sandbox", uk: "Пісочниця" },
  many: {
    en: "{} [proposal|proposals] of experiments",
    uk: "{} [пропозиція|пропозиції|пропозицій] експериментів",
  },
} as const satisfies Record<string, Text>;
