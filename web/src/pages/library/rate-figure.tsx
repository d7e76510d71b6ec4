import type { ReactNode } from "react";
import { type Text, useT } from "../../i18n/use-t.ts";

/** A share of good runs with its interval. */
export interface ShownRate {
  readonly good: number;
  readonly judged: number;
  readonly rate: number | null;
  readonly interval: { readonly low: number; readonly high: number } | null;
}

/** A share of good runs as a dot on a track with its interval; hollow if it was replayed and not lived through. */
export function RateFigure(props: {
  readonly label: string;
  readonly figures: ShownRate | null;
  readonly isHollow?: boolean;
  readonly isWorse?: boolean;
  /** Shown where there is no figure. */
  readonly none?: ReactNode;
}) {
  const { label, figures, isHollow = false, isWorse = false, none } = props;
  const t = useT();
  const { rate, interval } = figures ?? { rate: null, interval: null };
  if (!figures || rate === null || !interval)
    return (
      <div className="rate-figure">
        <span className="meta">{label}</span>
        <span className="rate-none meta">{none ?? t(words.none)}</span>
      </div>
    );
  const [at, low, high] = [rate, interval.low, interval.high].map((share) => Math.round(share * 100)) as [
    number,
    number,
    number,
  ];
  return (
    <div className={`rate-figure ${isWorse ? "worse" : ""}`}>
      <span className="meta">{label}</span>
      <span className="share-scale" aria-hidden="true">
        <svg className="share-track" viewBox="0 0 100 10" preserveAspectRatio="none">
          <rect className="track" x="0" y="4" width="100" height="2" />
          <rect className="interval" x={low} y="3" width={Math.max(1, high - low)} height="4" />
        </svg>
        <i className={`share-dot ${isHollow ? "hollow" : ""}`} style={{ insetInlineStart: `${at}%` }} />
      </span>
      <span className="rate-words">
        <b>{at}%</b> <span className="meta">{t(words.interval, low, high)}</span>{" "}
        <span className="meta wide-only">{t(words.counts, figures.good, figures.judged)}</span>
      </span>
    </div>
  );
}

const words = {
  none: { en: "no judged runs", uk: "немає оцінених запусків" },
  interval: { en: "{} to {}", uk: "від {} до {}" },
  counts: { en: "· {} of {}", uk: "· {} з {}" },
} as const satisfies Record<string, Text>;
