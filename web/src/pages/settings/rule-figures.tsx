import { Link } from "@tanstack/react-router";
import type { AnswerOf } from "../../api/client.ts";
import { Button } from "../../components/form.tsx";
import { actionLabels } from "../../components/labels.ts";
import { type Text, useT } from "../../i18n/use-t.ts";

type Figures = AnswerOf<"GET /settings/rules/figures">;
type Suggestion = Figures["suggestions"][number];

/** More of this share taken back is worth a look. */
const TOO_MUCH = 0.05;

const percent = (share: number): number => Math.round(share * 100);

/** The record of a rule: its approvals, and those that were taken back. */
export function RuleRecord({ figures }: { readonly figures: Figures["rules"][number] | undefined }) {
  const t = useT();
  if (!figures) return null;
  const { approved, undone, low, high } = figures;
  if (approved === 0) return <p className="meta">{t(words.unused)}</p>;
  const share = undone.length / approved;
  return (
    <>
      <p className={share > TOO_MUCH ? "state warn" : "meta"}>
        {t(words.approved, approved)} ·{" "}
        {undone.length === 0
          ? t(words.noneUndone, percent(high))
          : t(words.undone, undone.length, percent(share), percent(low), percent(high))}
      </p>
      {undone.length > 0 && (
        <details className="meta">
          <summary>{t(words.see, undone.length)}</summary>
          <ul className="stack tight">
            {undone.map((id) => (
              <li key={id}>
                <Link to="/proposals/$id" params={{ id }}>
                  {id}
                </Link>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** Rules that fit the person's own decisions. Choosing one fills the form in; nothing is added by itself. */
export function RuleSuggestions(props: {
  readonly suggestions: readonly Suggestion[];
  readonly onChoose: (suggestion: Suggestion) => void;
}) {
  const { suggestions, onChoose } = props;
  const t = useT();
  if (suggestions.length === 0) return null;
  return (
    <section className="stack tight" aria-label={t(words.suggested)}>
      <h3 className="label">{t(words.suggested)}</h3>
      {suggestions.map((suggestion) => {
        const { identity, action, folder, approved } = suggestion;
        return (
          <div key={`${identity} ${action}`} className="setting-row">
            <div className="setting-name">
              <b>{identity}</b>
              <span className="meta">{t(actionLabels[action]!)}</span>
            </div>
            <div className="setting-value">
              {t(words.all, approved, approved)}
              {folder !== undefined && (
                <>
                  {" "}
                  · <code>{folder}</code>
                </>
              )}{" "}
              <Link to="/proposals" search={{ view: "history", agent: identity, action }}>
                {t(words.evidence)}
              </Link>
            </div>
            <div className="setting-action">
              <Button tone="small" onClick={() => onChoose(suggestion)}>
                {t(words.fill)}
              </Button>
            </div>
          </div>
        );
      })}
    </section>
  );
}

const words = {
  unused: { en: "has not approved anything yet", uk: "ще нічого не схвалило" },
  approved: { en: "{} approved by it", uk: "схвалено: {}" },
  noneUndone: { en: "none undone, at most {} % regret", uk: "жодної не скасовано, щонайбільше {} %" },
  undone: { en: "{} undone, {} % regret ({} to {})", uk: "скасовано {}, {} % ({}–{})" },
  see: { en: "See the {}", uk: "Показати {}" },
  suggested: { en: "Suggested from your decisions", uk: "Відповідає вашим рішенням" },
  all: { en: "You approved {} of {}, and took none back", uk: "Ви схвалили {} із {} і жодної не скасували" },
  evidence: { en: "See them", uk: "Переглянути" },
  fill: { en: "Fill in the form", uk: "Заповнити форму" },
} as const satisfies Record<string, Text>;
