import type { AnswerOf } from "../../api/client.ts";
import { money } from "../../i18n/format.ts";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";

type Figures = AnswerOf<"GET /runs/figures">;
const WIDTH = 640;
const HEIGHT = 120;
const LEFT = 48;
/** Agents with a tone of their own; the rest is one bar. */
const TONES = ["share-first", "share-second"] as const;

/** Stacked bars by day: the two agents that cost most, and the rest. */
export function DayBars({ figures }: { readonly figures: Figures }) {
  const t = useT();
  const { language } = usePreferences();
  const { agents, days, currency } = figures;
  const sorted = agents.filter(({ cost }) => (cost ?? 0) > 0).toSorted((a, b) => (b.cost ?? 0) - (a.cost ?? 0));
  const [named, rest] = [sorted.slice(0, TONES.length), sorted.slice(TONES.length)];
  const bars = days.map((day, index) => {
    const costOf = (some: typeof agents): number =>
      some.reduce((sum, agent) => sum + (agent.days[index]!.cost ?? 0), 0);
    return { day, parts: [...named.map((agent) => costOf([agent])), costOf(rest)] };
  });
  const most = Math.max(1e-9, ...bars.map(({ parts }) => parts.reduce((sum, part) => sum + part, 0)));
  const step = (WIDTH - LEFT) / days.length;
  const names = [...named.map(({ slug }) => slug), ...(rest.length > 0 ? [t(words.rest)] : [])];
  return (
    <>
      <p className="row legend">
        {names.map((name, index) => (
          <span key={name} className="meta">
            <i className={TONES[index] ?? "share-rest"} aria-hidden="true" /> {name}
          </span>
        ))}
      </p>
      <svg className="day-bars" viewBox={`0 0 ${WIDTH} ${HEIGHT + 20}`} role="img" aria-label={t(words.chart)}>
        {[0, 0.5, 1].map((share) => (
          <g key={share}>
            <line x1={LEFT} x2={WIDTH} y1={HEIGHT - share * (HEIGHT - 8)} y2={HEIGHT - share * (HEIGHT - 8)} />
            <text className="scale" x={LEFT - 6} y={HEIGHT - share * (HEIGHT - 8) + 4}>
              {money(Number((most * share).toPrecision(2)), currency, language)}
            </text>
          </g>
        ))}
        {bars.map(({ day, parts }, index) => {
          let top = HEIGHT;
          return (
            <g key={day}>
              <title>{`${day}: ${money(Number(parts.reduce((sum, part) => sum + part, 0).toFixed(6)), currency, language)}`}</title>
              {parts.map((part, at) => {
                const height = ((HEIGHT - 8) * part) / most;
                top -= height;
                return height > 0 ? (
                  <rect
                    key={TONES[at] ?? "share-rest"}
                    className={at < named.length ? TONES[at] : "share-rest"}
                    x={LEFT + index * step + step * 0.15}
                    y={top}
                    width={step * 0.7}
                    height={Math.max(1, height - 1)}
                    rx="1.5"
                  />
                ) : null;
              })}
              {(days.length <= 7 || index % Math.ceil(days.length / 8) === 0) && (
                <text x={LEFT + index * step + step / 2} y={HEIGHT + 15}>
                  {days.length > 60 ? day.slice(5) : Number(day.slice(-2))}
                </text>
              )}
            </g>
          );
        })}
      </svg>
    </>
  );
}

/** Bars of one agent on the scale of all. */
export const SmallBars = ({ costs, most }: { readonly costs: readonly number[]; readonly most: number }) => (
  <svg className="small-bars" viewBox={`0 0 ${costs.length * 4} 42`} preserveAspectRatio="none" aria-hidden="true">
    {costs.map((cost, index) => {
      const height = cost === 0 || most === 0 ? 1.5 : Math.max(2, (42 * cost) / most);
      return (
        // oxlint-disable-next-line react/no-array-index-key -- one bar per day
        <rect
          key={index}
          className={cost === 0 ? "none" : ""}
          x={index * 4}
          y={42 - height}
          width="3.2"
          height={height}
        />
      );
    })}
  </svg>
);

const words = {
  rest: { en: "the rest", uk: "решта" },
  chart: { en: "Cost by day", uk: "Витрати за днями" },
} as const satisfies Record<string, Text>;
