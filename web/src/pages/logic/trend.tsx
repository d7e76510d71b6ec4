import { useState } from "react";
import { Button } from "../../components/form.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { type Measure, measures, measureWords, type Performance, TrendChart } from "./rate.tsx";

/** The trend of the agent's performance, in words with its confidence, and as a chart. */
export function PerformanceTrend({ performance }: { readonly performance: Performance }) {
  const t = useT();
  const { trend, recommendation, confidence, enoughRuns, comparison } = performance;
  const [by, setBy] = useState<Measure>(comparison?.metric === "good_rate" ? "good" : "success");
  return (
    <section className="card stack tight" aria-labelledby="trend">
      <div className="row between">
        <h2 id="trend">{t(words.title)}</h2>
        <span className={`state ${tones[trend]}`}>{t(trends[trend])}</span>
      </div>
      <p>{recommendation}</p>
      <p className="quiet small">
        {comparison
          ? t(
              words.rests,
              comparison.before,
              comparison.runs.before,
              comparison.after,
              comparison.runs.after,
              signed(comparison.interval.low),
              signed(comparison.interval.high),
              Math.round(confidence * 100),
            )
          : t(words.enough, enoughRuns, Math.round(confidence * 100))}
      </p>
      <div className="row" role="group" aria-label={t(words.choose)}>
        {measures.map((each) => (
          <Button key={each} aria-pressed={each === by} onClick={() => setBy(each)}>
            {t(measureWords[each])}
          </Button>
        ))}
        <span className="quiet small">{t(meanings[by])}</span>
      </div>
      <TrendChart performance={performance} by={by} />
    </section>
  );
}

/** Percentage points. */
const signed = (part: number): string => `${part < 0 ? "−" : "+"}${Math.abs(Math.round(part * 100))}`;

const tones = { improving: "good", declining: "bad", stable: "", unknown: "" } as const;

const trends = {
  improving: { en: "improving", uk: "покращується" },
  stable: { en: "stable", uk: "без змін" },
  declining: { en: "declining", uk: "погіршується" },
  unknown: { en: "too early to tell", uk: "ще невідомо" },
} as const satisfies Record<Performance["trend"], Text>;

const meanings = {
  success: { en: "completed runs", uk: "запуски, що дійшли кінця" },
  good: {
    en: "runs without failure or rejection, of those that can be judged",
    uk: "запуски без збою й без відмови, серед тих, про які можна судити",
  },
  acceptance: { en: "accepted proposals, of those decided", uk: "прийняті людьми пропозиції, серед вирішених" },
} as const satisfies Record<Measure, Text>;

const words = {
  title: { en: "Performance", uk: "Показники" },
  choose: { en: "What the chart shows", uk: "Що показує графік" },
  rests: {
    en: "{} (n = {}) against {} (n = {}): the difference is between {} and {} percentage points, with {} % confidence.",
    uk: "{} (n = {}) проти {} (n = {}): різниця від {} до {} відсоткових пунктів, з упевненістю {} %.",
  },
  enough: {
    en: "A trend needs {} runs of each of two versions; intervals have {} % confidence.",
    uk: "Тенденцію видно, коли дві версії мають по {} запусків; інтервали з упевненістю {} %.",
  },
} as const satisfies Record<string, Text>;
