import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { LibraryDetail } from "../../api/endpoints.gen.ts";
import { diagramQuery, query } from "../../api/queries.ts";
import { DiagramDiff, RiskSummary } from "../../components/diagram-diff.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Button } from "../../components/form.tsx";
import { QueryResult } from "../../components/query-result.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { AdoptActions } from "./adoption.tsx";
import { RateFigure } from "./rate-figure.tsx";

/** A behaviour beside the logic of one of our agents: the claim that the figures carry, the changes in words, and both diagrams. */
export function BehaviourBeside({ detail, agent }: { readonly detail: LibraryDetail; readonly agent: string }) {
  const t = useT();
  const [isOpen, setIsOpen] = useState(false);
  const request = { params: { id: detail.id }, query: { agent } };
  const read = useQuery({ ...query("GET /library/:id/compare", request), retry: false });
  return (
    <QueryResult of={read}>
      {({ before, same, summary, riskLevel, reasons, claim }) => (
        <>
          <RateFigure label={before.label} figures={before.figures} />
          <p className="library-verdict">
            {t(same ? words.equal : claim ? words[claim.verdict] : words.tooFew, before.label)}
          </p>
          {!same && (
            <>
              <RiskSummary level={riskLevel} summary={summary} facts={reasons} />
              {detail.diagram !== null && (
                <Button tone="small" onClick={() => setIsOpen(true)}>
                  {t(words.diagrams)}
                </Button>
              )}
            </>
          )}
          {detail.source !== "kept" && <AdoptActions detail={detail} agent={agent} isFollowed={same} />}
          {isOpen && detail.diagram !== null && (
            <Dialog title={t(words.both, before.label, detail.name)} onClose={() => setIsOpen(false)}>
              <BothDiagrams agent={agent} label={before.label} name={detail.name} diagram={detail.diagram} />
              <div className="row">
                <Button onClick={() => setIsOpen(false)}>{t(words.close)}</Button>
              </div>
            </Dialog>
          )}
        </>
      )}
    </QueryResult>
  );
}

function BothDiagrams(props: {
  readonly agent: string;
  readonly label: string;
  readonly name: string;
  readonly diagram: string;
}) {
  const { agent, label, name, diagram } = props;
  const read = useQuery({ ...diagramQuery(agent), retry: false });
  return (
    <QueryResult of={read}>
      {({ content }) => <DiagramDiff before={{ name: label, text: content }} after={{ name, text: diagram }} isPlain />}
    </QueryResult>
  );
}

const words = {
  equal: { en: "{} follows exactly this behaviour.", uk: "{} діє саме за цією поведінкою." },
  better: { en: "It does better than {}, beyond chance.", uk: "Вона краща, ніж {}, понад випадковість." },
  worse: { en: "It does worse than {}, beyond chance.", uk: "Вона гірша, ніж {}, понад випадковість." },
  alike: { en: "No difference from {} beyond chance.", uk: "Різниці з {} понад випадковість немає." },
  tooFew: { en: "Too few runs to compare it with {}.", uk: "Замало запусків, щоб порівняти з {}." },
  diagrams: { en: "Show both diagrams", uk: "Показати обидві діаграми" },
  both: { en: "{} and “{}”", uk: "{} і «{}»" },
  close: { en: "Close", uk: "Закрити" },
} as const satisfies Record<string, Text>;
