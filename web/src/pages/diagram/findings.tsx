import type { Finding } from "../../../../src/drakon/finding.ts";
import { type Text, useT } from "../../i18n/use-t.ts";

/** Errors and warnings of the diagram. Each leads to its icon. */
export function Findings({
  findings,
  onShow,
}: {
  readonly findings: readonly Finding[];
  readonly onShow: (icon: string) => void;
}) {
  const t = useT();
  const errors = findings.filter(({ severity }) => severity === "error").length;
  return (
    <section className="card stack tight" aria-labelledby="findings">
      <h2 id="findings" className="row between">
        {t(words.title)}
        <span className={`state ${errors > 0 ? "bad" : findings.length > 0 ? "wait" : "good"}`} role="status">
          {errors > 0
            ? t(words.errors, errors)
            : findings.length > 0
              ? t(words.warnings, findings.length)
              : t(words.fine)}
        </span>
      </h2>
      {findings.length > 0 && (
        <ul className="stack tight diagram-findings">
          {findings.slice(0, MOST).map(({ code, severity, icon, iconText, message, field }, at) => (
            <li key={`${code} ${icon ?? ""} ${field ?? ""} ${at}`} className="small">
              <span className={`state ${severity === "error" ? "bad" : "wait"}`}>{t(words[severity])}</span>{" "}
              {icon === undefined ? (
                t(message)
              ) : (
                <button type="button" className="link break" onClick={() => onShow(icon)}>
                  {iconText ? `«${shortened(iconText)}»` : t(words.icon, icon)}: {t(message)}
                </button>
              )}
            </li>
          ))}
          {findings.length > MOST && <li className="small quiet">{t(words.rest, findings.length - MOST)}</li>}
        </ul>
      )}
    </section>
  );
}

const MOST = 50;
const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

const words = {
  title: { en: "Check", uk: "Перевірка" },
  fine: { en: "no problems", uk: "усе гаразд" },
  errors: { en: "{} [error|errors]", uk: "{} [помилка|помилки|помилок]" },
  warnings: { en: "{} [warning|warnings]", uk: "{} [зауваження|зауваження|зауважень]" },
  error: { en: "error", uk: "помилка" },
  warning: { en: "warning", uk: "зауваження" },
  icon: { en: "icon {}", uk: "ікона {}" },
  rest: { en: "and {} more", uk: "і ще {}" },
} as const satisfies Record<string, Text>;
