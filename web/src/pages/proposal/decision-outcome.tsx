import type { Proposal as Whole } from "../../api/endpoints.gen.ts";
import { MutationError } from "../../components/mutation-error.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { DecisionSummary, RetryApply } from "./decision-summary.tsx";
import { UndoChange } from "./undo-change.tsx";
import { UnsentDraft } from "./unsent-draft.tsx";
import type { DecisionState } from "./use-decision.ts";

/** The fate of a decision: recorded, late, returned, applied or failed, and what can be done about it. */
export function DecisionOutcome({
  proposal,
  decision,
}: {
  readonly proposal: Whole;
  readonly decision: DecisionState;
}) {
  const t = useT();
  return (
    <>
      {decision.hasCounted && (
        <p className="card" role="status">
          <strong>{t(words.counted)}</strong>
        </p>
      )}
      {decision.isLate && <Late error={decision.error!} />}
      {proposal.approval && decision.error && !decision.isLate && !decision.hasCounted && (
        <MutationError error={decision.error} fate={decision.fate} />
      )}
      {proposal.status === "pending" && proposal.returned && (
        <p className="warning" role="status">
          {t(words.returned)} {t(proposal.returned.why)}
        </p>
      )}
      {proposal.approval && <DecisionSummary proposal={proposal} />}
      {(decision.isLate || (proposal.approval && !decision.isPending && !decision.error)) && (
        <UnsentDraft proposal={proposal} />
      )}
      {proposal.approval && <UndoChange proposal={proposal} />}
      {proposal.status === "failed" && <RetryApply proposal={proposal} />}
    </>
  );
}

/** Another decision came first. */
function Late({ error }: { readonly error: Error }) {
  const t = useT();
  return (
    <div className="card stack tight" role="alert">
      <p>
        <strong>{t(words.late)}</strong>
      </p>
      {error.message !== "" && <p className="quiet">{error.message}</p>}
    </div>
  );
}

const words = {
  returned: { en: "The last approval was not applied:", uk: "Попереднє схвалення не застосовано:" },
  counted: {
    en: "The answer was lost, but your decision was recorded. The result is below.",
    uk: "Відповідь загубилася дорогою, але ваше рішення враховано. Ось що вирішено.",
  },
  late: {
    en: "Your decision was not recorded: another one came first.",
    uk: "Ваше рішення не враховано: це вирішили раніше, ніж воно надійшло.",
  },
} as const satisfies Record<string, Text>;
