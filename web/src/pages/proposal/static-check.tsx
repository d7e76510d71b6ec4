import { RiskSummary } from "../../components/diagram-diff.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import type { StaticCheckReport } from "./logic-report.ts";

/** Checks of the proposed logic that need no run. */
export function StaticCheckTable({ report }: { readonly report: StaticCheckReport }) {
  const t = useT();
  const { rows, tools, summary, riskLevel, reasons } = report;
  return (
    <section className="stack tight" aria-labelledby="static">
      <h2 id="static">{t(words.title)}</h2>
      <RiskSummary level={riskLevel} summary={summary} facts={reasons} />
      {(["added", "removed"] as const).map(
        (each) =>
          tools[each].length > 0 && (
            <p key={each} className="row">
              {t(words[each])}
              {tools[each].map((tool) => (
                <code key={tool}>{tool}</code>
              ))}
            </p>
          ),
      )}
      <div className="scroll-x">
        <table className="table stacking">
          <caption className="hidden-visually">{t(words.title)}</caption>
          <tbody>
            {rows.map(({ id, title, result, words: said }) => (
              <tr key={id}>
                <th scope="row">{t(title)}</th>
                <td>
                  <span className={`tag ${tones[result]}`}>{t(results[result])}</span>
                </td>
                <td className="break">{t(said)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

const tones = { pass: "good", fail: "bad", warning: "wait", skipped: "" } as const;

const results = {
  pass: { en: "passed", uk: "гаразд" },
  fail: { en: "failed", uk: "помилка" },
  warning: { en: "warning", uk: "увага" },
  skipped: { en: "not checked", uk: "не перевірено" },
} as const satisfies Record<keyof typeof tones, Text>;

const words = {
  title: { en: "Static check", uk: "Статична перевірка" },
  added: { en: "Tools added:", uk: "Інструменти, якими почне користуватися:" },
  removed: { en: "Tools removed:", uk: "Інструменти, якими вже не користуватиметься:" },
} as const satisfies Record<string, Text>;
