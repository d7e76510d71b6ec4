import type { AnswerOf } from "../../api/client.ts";
import { type Language, type Text, usePreferences, useT } from "../../i18n/use-t.ts";

type Answered = AnswerOf<"GET /logic/:agentId/performance">;
export type Figures = Required<Answered["versions"][string]>;
/** All figures of each version: without `metrics`, the gateway leaves none out. */
export type Performance = Answered & { readonly versions: Readonly<Record<string, Figures>> };

/** Measures of a version. Each has a confidence interval. */
export const measures = ["success", "good", "acceptance"] as const;
export type Measure = (typeof measures)[number];

export interface MeasuredRate {
  readonly rate: number;
  readonly low: number;
  readonly high: number;
}

export function rateOf(figures: Figures, by: Measure): MeasuredRate | undefined {
  const [rate, interval] = [figures[`${by}_rate`], figures[`${by}_interval`]];
  return rate === null ? undefined : { rate, low: interval?.low ?? rate, high: interval?.high ?? rate };
}

const percent = (rate: number): string => `${Math.round(rate * 100)}`;

/** `57 % (33–79)`. */
export const measuredRateText = ({ rate, low, high }: MeasuredRate): string =>
  `${percent(rate)} % (${percent(low)}–${percent(high)})`;

/** A rate with its confidence interval, as a bar and in numbers. */
export function RateBar({ of }: { readonly of: MeasuredRate | undefined }) {
  const t = useT();
  if (!of) return <span className="quiet">{t(words.none)}</span>;
  const { rate, low, high } = of;
  return (
    <span className="rate">
      <svg viewBox="0 0 100 12" aria-hidden="true">
        <rect className="track" y="5" width="100" height="2" />
        <rect className="interval" x={low * 100} y="2" width={Math.max(1, (high - low) * 100)} height="8" rx="2" />
        <rect className="point" x={Math.min(98, Math.max(0, rate * 100 - 1))} width="2" height="12" />
      </svg>
      <span>
        <strong>{percent(rate)} %</strong>{" "}
        <span className="quiet small">
          <span className="hidden-visually">{t(words.between)} </span>
          {percent(low)}–{percent(high)}
        </span>
      </span>
    </span>
  );
}

const [LEFT, TOP, HEIGHT, FOOT] = [48, 12, 150, 40];
/** Distance between versions: at least as wide as their names. */
const stepFor = (count: number): number => Math.max(72, Math.min(120, 720 / count));
/** Maximum number of versions in the chart, newest first. */
const MOST_DRAWN = 30;

/** A chart of one rate by version, with confidence intervals. */
export function TrendChart({ performance, by }: { readonly performance: Performance; readonly by: Measure }) {
  const t = useT();
  const { language } = usePreferences();
  const newest = Object.entries(performance.versions)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .slice(-MOST_DRAWN);
  const step = stepFor(newest.length);
  const versions = newest.map(([version, figures], index) => ({
    version,
    figures,
    rate: rateOf(figures, by),
    x: LEFT + step * (index + 0.5),
  }));
  const width = LEFT + step * versions.length + 8;
  const y = (rate: number): number => TOP + (1 - rate) * HEIGHT;
  const known = versions.flatMap(({ rate, x }) => (rate ? [`${x},${y(rate.rate)}`] : []));
  const description = versions.map(
    ({ version, rate }) => `${version}: ${rate ? measuredRateText(rate) : t(words.none)}`,
  );
  return (
    // Focusable, so that it can be scrolled with the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="scroll-x" tabIndex={0} role="group" aria-label={t(words.chart, measureWords[by][language])}>
      <svg
        className="trend"
        role="img"
        aria-label={description.join("; ")}
        width={width}
        height={TOP + HEIGHT + FOOT}
        viewBox={`0 0 ${width} ${TOP + HEIGHT + FOOT}`}
      >
        {[0, 0.5, 1].map((rate) => (
          <g key={rate}>
            <line className="grid" x1={LEFT} x2={width} y1={y(rate)} y2={y(rate)} />
            <text className="axis end" x={LEFT - 6} y={y(rate) + 4}>
              {rate * 100} %
            </text>
          </g>
        ))}
        <polyline className="path" points={known.join(" ")} />
        {versions.map(({ version, figures, rate, x }) => (
          <g key={version}>
            {rate && (
              <>
                <title>{`${version}: ${measuredRateText(rate)}`}</title>
                <rect
                  className="interval"
                  x={x - 5}
                  width="10"
                  y={y(rate.high)}
                  height={y(rate.low) - y(rate.high)}
                  rx="3"
                />
                <circle className="point" cx={x} cy={y(rate.rate)} r="5" />
              </>
            )}
            <text className="axis" x={x} y={TOP + HEIGHT + 18}>
              {version}
            </text>
            <text className="axis" x={x} y={TOP + HEIGHT + 34}>
              {runsOf(figures, language)}
            </text>
          </g>
        ))}
      </svg>
    </div>
  );
}

const runsOf = ({ totalRuns }: Figures, language: Language): string => `n = ${totalRuns.toLocaleString(language)}`;

export const measureWords = {
  success: { en: "Completed", uk: "Завершено" },
  good: { en: "Good", uk: "Добрі" },
  acceptance: { en: "Accepted", uk: "Схвалено" },
} as const satisfies Record<Measure, Text>;

const words = {
  none: { en: "no data yet", uk: "ще нічого" },
  between: { en: "interval in percent:", uk: "у межах, відсотків:" },
  chart: { en: "Chart by version: {}", uk: "Графік за версіями: {}" },
} as const satisfies Record<string, Text>;
