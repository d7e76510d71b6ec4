import type { Finding } from "../../../../src/drakon/finding.ts";
import { type Text, useSay } from "../../words/say.ts";

/** What is wrong with the diagram, or odd; each leads to its icon. */
export function Findings({
  findings,
  onShow,
}: {
  readonly findings: readonly Finding[];
  readonly onShow: (icon: string) => void;
}) {
  const say = useSay();
  const errors = findings.filter(({ severity }) => severity === "error").length;
  return (
    <section className="card stack tight" aria-labelledby="findings">
      <h2 id="findings" className="row between">
        {say(words.title)}
        <span className={`tag ${errors > 0 ? "bad" : findings.length > 0 ? "wait" : "good"}`} role="status">
          {errors > 0
            ? say(words.errors, errors)
            : findings.length > 0
              ? say(words.warnings, findings.length)
              : say(words.fine)}
        </span>
      </h2>
      {findings.length > 0 && (
        <ul className="stack tight diagram-findings">
          {findings.slice(0, MOST).map(({ code, severity, icon, iconText, message, field }, at) => (
            <li key={`${code} ${icon ?? ""} ${field ?? ""} ${at}`} className="small">
              <span className={`tag ${severity === "error" ? "bad" : "wait"}`}>{say(words[severity])}</span>{" "}
              {icon === undefined ? (
                say(message)
              ) : (
                <button type="button" className="link break" onClick={() => onShow(icon)}>
                  {iconText ? `«${shortened(iconText)}»` : say(words.icon, icon)}: {say(message)}
                </button>
              )}
            </li>
          ))}
          {findings.length > MOST && <li className="small quiet">{say(words.rest, findings.length - MOST)}</li>}
        </ul>
      )}
    </section>
  );
}

const MOST = 50;
const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

const words = {
  title: { en: "Check", uk: "Перевірка" },
  fine: { en: "nothing found", uk: "усе гаразд" },
  errors: { en: "errors: {}", uk: "помилок: {}" },
  warnings: { en: "warnings: {}", uk: "зауважень: {}" },
  error: { en: "error", uk: "помилка" },
  warning: { en: "warning", uk: "зауваження" },
  icon: { en: "icon {}", uk: "ікона {}" },
  rest: { en: "and {} more", uk: "і ще {}" },
} as const satisfies Record<string, Text>;
