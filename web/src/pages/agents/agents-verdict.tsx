import { Link } from "@tanstack/react-router";
import { Fragment, type ReactNode } from "react";
import { AgentLink, RunLink } from "../../components/links.tsx";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";
import type { AgentStanding } from "./agent-standing.ts";

/** The first sentence of the list: how many work, who stopped, who waits for what. */
export function AgentsVerdict({ standings }: { readonly standings: readonly AgentStanding[] }) {
  const t = useT();
  const { language } = usePreferences();
  const active = standings.filter(({ agent }) => agent.status === "active").length;
  const pending = standings.reduce((sum, { agent }) => sum + agent.pending_proposals, 0);
  const parts: ReactNode[] = [
    ...standings
      .filter(({ trouble }) => trouble)
      .map(({ agent: { slug } }) => (
        <AgentLink key={slug} slug={slug} className="plain-link">
          <b>{t(words.stopped, slug)}</b>
        </AgentLink>
      )),
    ...standings
      .filter(({ question }) => question)
      .map(({ agent: { slug }, question }) => (
        <RunLink key={slug} run={question!.run_id}>
          {t(words.asks, slug)}
        </RunLink>
      )),
    ...(pending > 0
      ? [
          <Link key="pending" to="/proposals">
            {t(words.pending, pending)}
          </Link>,
        ]
      : []),
  ];
  return (
    <p className="lede agents-lede">
      {active === 0 ? t(words.none) : t(words.work, active)}
      {parts.map((part, index) => (
        // oxlint-disable-next-line no-array-index-key -- the order is that of the agents
        <Fragment key={index}>
          {index === 0 ? " " : index === parts.length - 1 ? joiner[language] : ", "}
          {part}
        </Fragment>
      ))}
      {parts.length > 0 && "."}
    </p>
  );
}

const joiner = { en: ", and ", uk: " і " };

const words = {
  work: { en: "{} [agent is|agents are] at work.", uk: "{} [агент працює|агенти працюють|агентів працюють]." },
  none: { en: "No agent is at work.", uk: "Жоден агент не працює." },
  stopped: { en: "{} has stopped", uk: "{} зупинився" },
  asks: { en: "{} waits for your answer", uk: "{} чекає на вашу відповідь" },
  pending: {
    en: "{} [change waits|changes wait] for your decision",
    uk: "{} [зміна чекає|зміни чекають|змін чекають] на ваше рішення",
  },
} as const satisfies Record<string, Text>;
