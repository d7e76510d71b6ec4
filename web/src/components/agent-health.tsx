import type { AgentFigures } from "../api/endpoints.gen.ts";
import { query } from "../api/queries.ts";
import { money } from "../i18n/format.ts";
import { type Text, usePreferences, useT } from "../i18n/use-t.ts";
import "../style/agent-health.css";

export const FIGURE_DAYS = 14;

/** Options of `useQuery` for the runs of every agent in the last days. */
export const figuresQuery = (days = FIGURE_DAYS) => query("GET /runs/figures", { query: { days: String(days) } });

/** Below this number of runs, a share says little. */
const FEW = 10;

/** The share of completed runs: a dot on a track from 0 to 100 %, with its 95 % interval and "k of n". */
export function SuccessShare({ figures }: { readonly figures: AgentFigures | undefined }) {
  const t = useT();
  const share = figures?.success ?? null;
  if (share === null) return <span className="share-words">{t(figures?.last ? words.open : words.none)}</span>;
  const { hits, of, low, high } = share;
  const text = t(of < FEW ? words.few : words.share, hits, of);
  const interval = t(words.interval, percent(low), percent(high));
  return (
    <span className="share" title={interval}>
      <span className="share-scale">
        <svg className="share-track" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
          <rect className="track" x="0" y="4" width="100" height="2" />
          <rect className="interval" x={low * 100} y="3" width={Math.max(1, (high - low) * 100)} height="4" />
        </svg>
        <i className="share-dot" style={{ insetInlineStart: `${(hits / of) * 100}%` }} />
      </span>
      <span className="share-words">{text}</span>
      <span className="hidden-visually">{interval}</span>
    </span>
  );
}

/** One bar per day: its height is the number of runs; failed ones on top, open ones in the accent. */
export function RunStrip({ days }: { readonly days: AgentFigures["days"] }) {
  const t = useT();
  const most = Math.max(
    1,
    ...days.map(({ completed, failed, cancelled, open }) => completed + failed + cancelled + open),
  );
  const runs = days.reduce(
    (sum, { completed, failed, cancelled, open }) => sum + completed + failed + cancelled + open,
    0,
  );
  const failures = days.reduce((sum, { failed }) => sum + failed, 0);
  const label = t(failures === 0 ? words.allWell : words.someFailed, runs, failures);
  return (
    <svg className="strip" viewBox={`0 0 ${days.length * 5} 20`} role="img" aria-label={label}>
      <title>{label}</title>
      {days.map(({ day, completed, failed, cancelled, open }, index) => {
        const total = completed + failed + cancelled + open;
        const height = total === 0 ? 2 : 6 + (14 * total) / most;
        const bad = total === 0 ? 0 : (height * failed) / total;
        const x = index * 5;
        const tone = total === 0 ? "none" : open > 0 ? "open" : completed === 0 && failed === 0 ? "none" : "good";
        return (
          <g key={day}>
            <rect className={tone} x={x} y={20 - height} width="3.4" height={height} rx="1.2" />
            {bad > 0 && <rect className="bad" x={x} y={20 - height} width="3.4" height={Math.max(3, bad)} rx="1.2" />}
          </g>
        );
      })}
    </svg>
  );
}

/** The cost of an agent's runs in these days; nothing without a price. */
export function AgentCost({ cost, currency }: { readonly cost: number | null; readonly currency: string }) {
  const { language } = usePreferences();
  return cost === null ? null : <span className="number">{money(cost, currency, language)}</span>;
}

const percent = (rate: number): number => Math.round(rate * 100);

const words = {
  share: { en: "{} of {} completed", uk: "завершено {} з {}" },
  few: { en: "{} of {}, too few to tell", uk: "{} з {}, замало, щоб судити" },
  open: { en: "none has ended yet", uk: "жоден ще не завершився" },
  none: { en: "no runs yet", uk: "запусків ще не було" },
  interval: { en: "95 % interval: {} to {} %", uk: "95 % інтервал: від {} до {} %" },
  allWell: { en: "{} [run|runs] in these days, none failed", uk: "{} [запуск|запуски|запусків] за ці дні, без невдач" },
  someFailed: {
    en: "{} [run|runs] in these days, {} failed",
    uk: "{} [запуск|запуски|запусків] за ці дні, невдалих: {}",
  },
} as const satisfies Record<string, Text>;
