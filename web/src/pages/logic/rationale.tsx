import { FactRow } from "../../components/fact-row.tsx";
import { RunLink } from "../../components/links.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

interface Rationale {
  readonly problem?: string;
  readonly change?: string;
  readonly evidenceRuns?: readonly string[];
  readonly expectedImprovement?: string;
  readonly riskAssessment?: string;
}

/** The proposer's rationale for a change of logic, with its evidence runs. */
export function RationaleFacts({
  rationale,
  without = [],
}: {
  readonly rationale: Rationale;
  readonly without?: readonly string[];
}) {
  const t = useT();
  const { evidenceRuns = [] } = rationale;
  return (
    <dl className="facts">
      {(["problem", "change", "expectedImprovement", "riskAssessment"] as const).map((each) => {
        const text = rationale[each]?.trim();
        if (text === undefined || text === "" || without.includes(text)) return null;
        return (
          <FactRow key={each} name={t(words[each])} className="prewrap">
            {text}
          </FactRow>
        );
      })}
      {evidenceRuns.length > 0 && (
        <FactRow name={t(words.evidence)}>
          <ul className="row runs">
            {evidenceRuns.map((run) => (
              <li key={run}>
                <RunLink run={run}>
                  <code>{run}</code>
                </RunLink>
              </li>
            ))}
          </ul>
        </FactRow>
      )}
    </dl>
  );
}

const words = {
  problem: { en: "Problem", uk: "Проблема" },
  change: { en: "Change", uk: "Зміна" },
  expectedImprovement: { en: "Expected improvement", uk: "Очікується" },
  riskAssessment: { en: "Risk (proposer’s view)", uk: "Ризик, на думку автора" },
  evidence: { en: "Evidence", uk: "Запуски, що це показують" },
} as const satisfies Record<string, Text>;
