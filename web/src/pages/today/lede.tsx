import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Fragment, type ReactNode } from "react";
import type { AnswerOf } from "../../api/client.ts";
import { figuresQuery } from "../../components/agent-health.tsx";
import { AgentLink, ProposalLink, RunLink } from "../../components/links.tsx";
import { useKeys } from "../../components/use-keys.ts";
import { dayAndTime, longDate, weekday, weekdayAndDate } from "../../i18n/day.ts";
import { type Language, type Text, type Translate, usePreferences, useT } from "../../i18n/use-t.ts";
import { readingMinutes } from "../proposals/queue-rows.ts";
import { numberWord } from "./number-words.ts";
import { type Needs, useNeedsOfToday } from "./use-today.ts";

/** The date, and one sentence about what needs the owner, with the button that begins the review. */
export function Lede() {
  const t = useT();
  const { language } = usePreferences();
  const navigate = useNavigate();
  const { needs } = useNeedsOfToday();
  const figures = useQuery(figuresQuery()).data;
  const first = needs?.proposals[0];
  const open = first && (() => void navigate({ to: "/proposals/$id", params: { id: first.id } }));
  useKeys({ Enter: open });
  const minutes = readingMinutes(needs?.proposals ?? []);
  return (
    <header className="today-head">
      <p className="label">{weekdayAndDate(Date.now(), language)}</p>
      <p className="lede" role="status">
        {needs ? <Sentence parts={partsOf(needs, figures, t, language)} language={language} /> : " "}
      </p>
      {first && (
        <p className="row">
          <ProposalLink id={first.id} className="button primary large">
            {t(words.begin)} <kbd aria-hidden="true">↵</kbd>
          </ProposalLink>
          <span className="faint small">{t(needs.hasMore ? words.more : words.about, minutes)}</span>
        </p>
      )}
    </header>
  );
}

/** Parts joined as a person would: with commas, and a word before the last. */
function Sentence({ parts, language }: { readonly parts: readonly ReactNode[]; readonly language: Language }) {
  const and = language === "en" ? ", and " : ", а ";
  return (
    <>
      {parts.map((part, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the order of the parts is fixed
        <Fragment key={index}>
          {index === 0 ? "" : index === parts.length - 1 ? and : ", "}
          {part}
        </Fragment>
      ))}
      .
    </>
  );
}

type Figures = AnswerOf<"GET /runs/figures">;

function partsOf(needs: Needs, figures: Figures | undefined, t: Translate, language: Language): ReactNode[] {
  const { proposals, hasMore, requests, troubles, failed } = needs;
  const parts: ReactNode[] = [];
  const count = proposals.length;
  if (count > 0) {
    const number = hasMore ? `${count}+` : numberWord(count, language);
    parts.push(
      <>
        <b>
          {number} {t(words.changes, count).replace(/^\d+ /, "")}
        </b>{" "}
        {t(words.wait, count).replace(/^\d+ /, "")}
      </>,
    );
  }
  const [question] = requests;
  if (question)
    parts.push(
      <RunLink run={question.run_id}>
        {requests.length === 1 ? t(words.oneQuestion, question.agent_slug) : t(words.questions, requests.length)}
      </RunLink>,
    );
  for (const { slug } of troubles) parts.push(<AgentLink slug={slug}>{t(words.stopped, slug)}</AgentLink>);
  for (const { run_id, agent_slug } of failed)
    parts.push(<RunLink run={run_id}>{t(words.failed, agent_slug)}</RunLink>);
  if (parts.length === 0) return quietParts(figures, t, language);
  if (failed.length === 0 && troubles.length === 0) parts.push(...sinceFailure(figures, t, language));
  return parts;
}

/** Without anything to do: that, and the next run of a schedule. */
function quietParts(figures: Figures | undefined, t: Translate, language: Language): ReactNode[] {
  const next = figures?.agents.flatMap(({ slug, next: at }) => (at === null ? [] : [{ slug, at }]));
  const soonest = next?.toSorted((a, b) => a.at.localeCompare(b.at))[0];
  const quiet = <b>{t(words.nothing)}</b>;
  return soonest
    ? [
        quiet,
        <AgentLink key={soonest.slug} slug={soonest.slug}>
          {t(words.next, soonest.slug, dayAndTime(soonest.at, language))}
        </AgentLink>,
      ]
    : [quiet];
}

function sinceFailure(figures: Figures | undefined, t: Translate, language: Language): ReactNode[] {
  if (!figures || !figures.agents.some(({ runs }) => runs > 0)) return [];
  const last = figures.days.findLastIndex((_, index) => figures.agents.some(({ days }) => days[index]!.failed > 0));
  if (last === -1) return [t(words.noneFailed, figures.days.length)];
  if (last === figures.days.length - 1) return [];
  const day = figures.days[last]!;
  return [
    t(
      words.noneSince,
      figures.days.length - 1 - last < 7 ? sinceWeekday(day, language) : longDate(`${day}T12:00`, language),
    ),
  ];
}

/** Ukrainian weekdays in the genitive: "від п’ятниці". */
const GENITIVE = ["неділі", "понеділка", "вівторка", "середи", "четверга", "п’ятниці", "суботи"] as const;
const sinceWeekday = (day: string, language: Language): string =>
  language === "en" ? weekday(`${day}T12:00`, language) : GENITIVE[new Date(`${day}T12:00`).getDay()]!;

const words = {
  changes: { en: "{} [change|changes]", uk: "{} [зміна|зміни|змін]" },
  wait: { en: "{} [waits|wait] for your decision", uk: "{} [чекає|чекають|чекають] на ваше рішення" },
  oneQuestion: { en: "{} has a question", uk: "{} має питання" },
  questions: { en: "{} questions are open", uk: "відкритих питань: {}" },
  stopped: { en: "{} has stopped", uk: "{} зупинено" },
  failed: { en: "the last run of {} failed", uk: "останній запуск {} був невдалим" },
  nothing: { en: "Nothing needs you", uk: "Ніщо на вас не чекає" },
  next: { en: "{} runs next on {}", uk: "далі працюватиме {}: {}" },
  noneFailed: { en: "nothing has failed in {} [day|days]", uk: "невдач не було {} [день|дні|днів]" },
  noneSince: { en: "nothing has failed since {}", uk: "невдач не було від {}" },
  begin: { en: "Start review", uk: "Почати перегляд" },
  about: { en: "about {} min", uk: "близько {} хв" },
  more: { en: "at least {} min", uk: "щонайменше {} хв" },
} as const satisfies Record<string, Text>;
