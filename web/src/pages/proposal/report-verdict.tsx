import { useEffect, useRef } from "react";
import { type Text, useT } from "../../i18n/use-t.ts";
import type { LogicReport } from "./logic-report.ts";

/** The time on the screen after which a verdict counts as seen. */
const SEEN_MS = 500;

/** L-8: the verdict of the report, before everything else. `onSeen` is called once it was on the screen. */
export function ReportVerdict({ report, onSeen }: { readonly report: LogicReport; readonly onSeen: () => void }) {
  const t = useT();
  const place = useRef<HTMLElement>(null);
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
  }, []);
  const totals = report.counterfactual?.totals;
  return (
    <section ref={place} className="card stack tight" aria-labelledby="verdict">
      <h2 id="verdict">{t(words.title)}</h2>
      <p>
        <strong>
          {totals
            ? t(
                words.told,
                totals.runs,
                totals.same,
                totals.parts,
                totals.avoids,
                totals.runs - totals.same - totals.parts - totals.avoids,
              )
            : t(words.none)}
        </strong>
      </p>
    </section>
  );
}

const words = {
  title: { en: "Verdict", uk: "Висновок" },
  told: {
    en: "{} recorded runs replayed: {} the same, {} take a different path, {} avoid a failure, {} unknown.",
    uk: "Повторено записаних запусків: {}. Так само: {}, інший шлях: {}, без збою: {}, невідомо: {}.",
  },
  none: { en: "No recorded runs: nothing could be replayed.", uk: "Записаних запусків немає: повторити нічого." },
} as const satisfies Record<string, Text>;
