import { useState } from "react";
import { storedDraft } from "../../components/draft.ts";
import { Button } from "../../components/form.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { type ContractAnswer, ContractProblem } from "./contract-problem.tsx";
import { EditContract } from "./edit-contract.tsx";

/** The contract's source, with each problem under its line (C-3). */
export function ContractSource({ report }: { readonly report: ContractAnswer }) {
  const t = useT();
  const { slug, text, problems } = report;
  const [isEdited, setIsEdited] = useState(() => storedDraft(`contract.${slug}`) !== undefined);
  if (isEdited) return <EditContract report={report} onClose={() => setIsEdited(false)} />;
  const lines = text.split(/\r?\n/);
  const about = (line: number) => problems.filter((problem) => problem.line === line);
  const elsewhere = problems.filter(({ line }) => line < 1 || line > lines.length);
  return (
    <div className="stack">
      <div className="row between">
        <p className="quiet">
          {problems.length === 0 ? t(words.holds) : t(words.problems, problems.length)}{" "}
          <code>agents/{slug}/_agent.md</code>
        </p>
        <Button onClick={() => setIsEdited(true)}>{t(words.edit)}</Button>
      </div>
      {elsewhere.map((problem) => (
        <ContractProblem key={problem.field} problem={problem} />
      ))}
      <ol className="source scroll-x" aria-label={t(words.file)}>
        {lines.map((line, index) => {
          const wrong = about(index + 1);
          return (
            // oxlint-disable-next-line no-array-index-key -- lines keep their order
            <li key={index} className={wrong.length > 0 ? "wrong" : undefined}>
              <span className="number" aria-hidden="true">
                {index + 1}
              </span>
              <code>{line}</code>
              {wrong.map((problem) => (
                <ContractProblem key={`${problem.field} ${problem.found.en}`} problem={problem} />
              ))}
            </li>
          );
        })}
      </ol>
    </div>
  );
}

const words = {
  edit: { en: "Edit contract", uk: "Редагувати контракт" },
  file: { en: "Contract source", uk: "Контракт, рядок за рядком" },
  holds: { en: "Contract is valid.", uk: "Контракт чинний." },
  problems: { en: "{} [problem|problems].", uk: "Проблем: {}." },
} as const satisfies Record<string, Text>;
