import { useQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode } from "react";
import type { AnswerOf } from "../../api/client.ts";
import { query } from "../../api/queries.ts";
import { figuresQuery } from "../../components/agent-health.tsx";
import { RunLink } from "../../components/links.tsx";
import { type Text, type Translate, useT } from "../../i18n/use-t.ts";

type Figures = AnswerOf<"GET /runs/figures">;

/** One sentence about the last two weeks, with a bar per day. */
export function RunsLede() {
  const t = useT();
  const figures = useQuery(figuresQuery()).data;
  const running = useQuery(query("GET /runs", { query: { state: "running", limit: "20" } })).data?.runs.length ?? 0;
  const asked = useQuery(query("GET /requests", {})).data?.requests ?? [];
  if (!figures || figures.agents.every(({ runs }) => runs === 0)) return null;
  const days = totals(figures);
  const ended = days.reduce((sum, { completed, failed }) => sum + completed + failed, 0);
  const failed = days.reduce((sum, day) => sum + day.failed, 0);
  const parts: ReactNode[] = [
    ...(running > 0 ? [t(words.running, running)] : []),
    ...(asked[0] ? [<RunLink run={asked[0].run_id}>{t(words.waiting, asked.length)}</RunLink>] : []),
    <b>{failed === 0 ? t(words.noneFailed, ended) : t(words.failed, failed, ended)}</b>,
  ];
  return (
    <div className="runs-lede">
      <p className="lede">
        {parts.map((part, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the order of the parts is fixed
          <Fragment key={index}>
            {index === 0 ? "" : index === parts.length - 1 ? t(words.and) : ", "}
            {part}
          </Fragment>
        ))}{" "}
        {t(words.inDays, figures.days.length)}
      </p>
      <Histogram days={days} t={t} />
    </div>
  );
}

interface DayTotal {
  readonly day: string;
  readonly completed: number;
  readonly failed: number;
  readonly open: number;
}

const totals = ({ days, agents }: Figures): readonly DayTotal[] =>
  days.map((day, index) => {
    const sum = (field: "completed" | "failed" | "open"): number =>
      agents.reduce((total, agent) => total + agent.days[index]![field], 0);
    return { day, completed: sum("completed"), failed: sum("failed"), open: sum("open") };
  });

const HEIGHT = 52;
const STEP = 32;

/** Stacked bars: completed at the bottom, failed above, open on top. */
function Histogram({ days, t }: { readonly days: readonly DayTotal[]; readonly t: Translate }) {
  const most = Math.max(1, ...days.map(({ completed, failed, open }) => completed + failed + open));
  return (
    <svg
      className="histogram"
      viewBox={`0 0 ${days.length * STEP} ${HEIGHT + 18}`}
      role="img"
      aria-label={t(words.chart)}
    >
      {days.map(({ day, completed, failed, open }, index) => {
        const scale = (count: number): number => (count === 0 ? 0 : Math.max(3, ((HEIGHT - 4) * count) / most));
        const heights = [scale(completed), scale(failed), scale(open)];
        let top = HEIGHT;
        return (
          <g key={day}>
            <title>{t(words.day, day, completed, failed, open)}</title>
            {(["good", "bad", "open"] as const).map((tone, at) => {
              top -= heights[at]!;
              return (
                heights[at]! > 0 && (
                  <rect
                    key={tone}
                    className={tone}
                    x={index * STEP}
                    y={top}
                    width={STEP - 6}
                    height={heights[at]! - 1}
                    rx="2"
                  />
                )
              );
            })}
            {completed + failed + open === 0 && (
              <rect className="none" x={index * STEP} y={HEIGHT - 2} width={STEP - 6} height="2" rx="1" />
            )}
            <text
              className={index === days.length - 1 ? "today" : ""}
              x={index * STEP + (STEP - 6) / 2}
              y={HEIGHT + 14}
            >
              {Number(day.slice(-2))}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

const words = {
  running: { en: "{} [run is|runs are] under way", uk: "{} [запуск триває|запуски тривають|запусків триває]" },
  waiting: { en: "{} [run waits|runs wait] for you", uk: "{} [запуск чекає|запуски чекають|запусків чекають] на вас" },
  failed: { en: "{} of {} failed", uk: "{} з {} невдалі" },
  noneFailed: { en: "none of {} failed", uk: "з {} жоден не був невдалим" },
  and: { en: ", and ", uk: ", а " },
  inDays: { en: "in {} days.", uk: "за {} [день|дні|днів]." },
  chart: { en: "Runs by day", uk: "Запуски за днями" },
  day: { en: "{}: {} completed, {} failed, {} open", uk: "{}: завершено {}, невдалих {}, відкритих {}" },
} as const satisfies Record<string, Text>;
