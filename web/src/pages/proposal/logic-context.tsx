import { useQuery } from "@tanstack/react-query";
import type { Proposal as Whole } from "../../api/endpoints.gen.ts";
import { query } from "../../api/queries.ts";
import { RunLink } from "../../components/links.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { type Performance, TrendChart } from "../logic/rate.tsx";
import { Section } from "./context-section.tsx";

/** The purpose of a change of logic, how the agent's versions did so far, and the runs that the proposer names as evidence. */
export function LogicContext({ proposal }: { readonly proposal: Whole }) {
  const t = useT();
  const { operation } = proposal;
  const isLogic = operation.action === "logic-update" || operation.action === "logic-rollback";
  const agent = isLogic ? operation.payload.agent : "";
  const performance = useQuery({
    ...query("GET /logic/:agentId/performance", { params: { agentId: agent }, query: {} }),
    enabled: isLogic,
    retry: false,
  }).data;
  if (!isLogic) return null;
  const { rationale } = operation.payload;
  const evidence = rationale.evidenceRuns ?? [];
  const said = [
    [words.problem, rationale.problem],
    ["change" in rationale ? words.change : words.problem, "change" in rationale ? rationale.change : undefined],
    [words.expected, "expectedImprovement" in rationale ? rationale.expectedImprovement : undefined],
    [words.risk, "riskAssessment" in rationale ? rationale.riskAssessment : undefined],
  ] as const;
  const own = said.filter(
    ([, text]) => text !== undefined && text.trim() !== "" && text.trim() !== proposal.reasoning?.trim(),
  );
  return (
    <>
      {own.length > 0 && (
        <Section name={t(words.purpose)}>
          <dl className="purpose">
            {own.map(([name, text]) => (
              <div key={name.en}>
                <dt>{t(name)}</dt>
                <dd className="prewrap">{text}</dd>
              </div>
            ))}
          </dl>
        </Section>
      )}
      {performance && Object.keys(performance.versions).length > 0 && (
        <Section name={t(words.good)} aside={t(words.interval)}>
          <TrendChart performance={performance as Performance} by="good" />
          <p className="risk-text">{performance.recommendation}</p>
        </Section>
      )}
      {evidence.length > 0 && (
        <Section name={t(words.evidence)} aside={t(words.runs, evidence.length)}>
          <ul className="evidence">
            {evidence.map((run) => (
              <li key={run}>
                <RunLink run={run}>{run.replace(/^run_/, "")}</RunLink>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

const words = {
  purpose: { en: "Purpose", uk: "Навіщо це" },
  problem: { en: "Problem", uk: "Проблема" },
  change: { en: "Change", uk: "Зміна" },
  expected: { en: "Expected improvement", uk: "Очікується" },
  risk: { en: "Risk (proposer’s view)", uk: "Ризик, на думку автора" },
  good: { en: "Good runs", uk: "Добрі запуски" },
  interval: { en: "% with 95 % interval", uk: "% з інтервалом 95 %" },
  evidence: { en: "Evidence", uk: "Докази" },
  runs: { en: "{} [run|runs]", uk: "{} [запуск|запуски|запусків]" },
} as const satisfies Record<string, Text>;
