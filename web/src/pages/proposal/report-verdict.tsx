import { Fragment, useEffect, useRef } from "react";
import { type Text, useT } from "../../i18n/use-t.ts";
import { outcomeCounts, outcomeWords, type ReplayOutcome } from "./logic-outcome.ts";
import type { LogicReport } from "./logic-report.ts";

/** The time on the screen after which a verdict counts as seen. */
const SEEN_MS = 500;

/** The order of the bar: what stays, what gets better, what gets worse, what is not known. */
const BAR = [
  "same",
  "avoids",
  "parts",
  "lost",
  "cannot-tell",
  "unreadable",
] as const satisfies readonly ReplayOutcome[];

/**
 * L-8: the verdict of the report, before everything else, as a sentence and a bar. `onSeen` is called once it was on the screen. The
 * legend filters the runs by their outcome.
 */
export function ReportVerdict(props: {
  readonly report: LogicReport;
  readonly onSeen: () => void;
  readonly chosen: ReplayOutcome | undefined;
  readonly onChoose: (outcome: ReplayOutcome | undefined) => void;
}) {
  const { report, onSeen, chosen, onChoose } = props;
  const t = useT();
  const place = useRef<HTMLElement>(null);
  useSeen(place, onSeen);
  const counts = outcomeCounts(report);
  const runs = report.counterfactual?.totals.runs ?? 0;
  return (
    <section ref={place} className="verdict" aria-label={t(words.title)}>
      <p className="verdict-text">{runs === 0 ? t(words.none) : <VerdictSentence report={report} counts={counts} />}</p>
      {runs > 0 && (
        <>
          <div className="verdict-bar" aria-hidden="true">
            {BAR.map(
              (outcome) =>
                counts[outcome] > 0 && <i key={outcome} className={outcome} style={{ flexGrow: counts[outcome] }} />,
            )}
          </div>
          <div className="verdict-legend" role="group" aria-label={t(words.filter)}>
            {BAR.map(
              (outcome) =>
                (counts[outcome] > 0 || outcome === "same" || outcome === "lost" || outcome === "cannot-tell") && (
                  <button
                    key={outcome}
                    type="button"
                    className={outcome}
                    aria-pressed={outcome === chosen}
                    disabled={counts[outcome] === 0}
                    onClick={() => onChoose(outcome === chosen ? undefined : outcome)}
                  >
                    <strong>{counts[outcome]}</strong> {t(outcomeWords[outcome])}
                  </button>
                ),
            )}
          </div>
        </>
      )}
    </section>
  );
}

/** "Of 42 recorded runs, 9 would avoid a failure and 2 would lose a proposal. The other 31 go the same way." */
function VerdictSentence(props: {
  readonly report: LogicReport;
  readonly counts: Readonly<Record<ReplayOutcome, number>>;
}) {
  const { report, counts } = props;
  const t = useT();
  const { runs, proposals } = report.counterfactual!.totals;
  const unknown = counts["cannot-tell"] + counts.unreadable;
  const parts = [
    { name: "avoids", count: counts.avoids, text: words.avoids },
    { name: "lost", count: counts.lost, text: words.lost },
    { name: "parts", count: counts.parts, text: words.parts },
    { name: "unknown", count: unknown, text: words.unknown },
  ].filter(({ count }) => count > 0);
  return (
    <>
      {t(words.of, runs)} {parts.length === 0 && <strong>{t(words.allSame)}</strong>}
      {parts.map(({ name, count, text }, index) => (
        <Fragment key={name}>
          {index > 0 && (index === parts.length - 1 ? t(words.and) : ", ")}
          <strong className={name}>{t(text, count)}</strong>
        </Fragment>
      ))}
      {parts.length > 0 && "."}
      {parts.length > 0 && counts.same > 0 && ` ${t(words.others, counts.same)}`}
      {proposals && proposals.gained > 0 && ` ${t(words.gained, proposals.gained)}`}
    </>
  );
}

/** Calls `onSeen` once the element was on the screen for `SEEN_MS`. */
function useSeen(place: React.RefObject<HTMLElement | null>, onSeen: () => void): void {
  const seen = useRef(onSeen);
  seen.current = onSeen;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new IntersectionObserver(([entry]) => {
      clearTimeout(timer);
      if (entry?.isIntersecting) timer = setTimeout(() => seen.current(), SEEN_MS);
    });
    observer.observe(place.current!);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [place]);
}

const words = {
  title: { en: "Verdict", uk: "Висновок" },
  filter: { en: "Show only", uk: "Показати лише" },
  of: { en: "Of {} recorded [run|runs],", uk: "Із {} [записаного запуску|записаних запусків|записаних запусків]" },
  avoids: { en: "{} would avoid a failure", uk: "{} [обійшовся|обійшлися|обійшлися] б без збою" },
  lost: { en: "{} would lose a proposal", uk: "{} [втратив|втратили|втратили] б пропозицію" },
  parts: { en: "{} would take a different path", uk: "{} [пішов|пішли|пішли] б інакше" },
  unknown: { en: "{} cannot be told", uk: "про {} судити не можна" },
  and: { en: " and ", uk: " і " },
  others: { en: "The other {} go the same way.", uk: "Решта {} [пройде|пройдуть|пройдуть] так само." },
  allSame: { en: "all go the same way.", uk: "усі пройдуть так само." },
  gained: {
    en: "{} new [proposal|proposals] would be made.",
    uk: "З’явиться {} [нова пропозиція|нові пропозиції|нових пропозицій].",
  },
  none: { en: "No recorded runs: nothing could be replayed.", uk: "Записаних запусків немає: повторити нічого." },
} as const satisfies Record<string, Text>;
