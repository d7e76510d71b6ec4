import { useState } from "react";
import type { ProposalCard } from "../../api/endpoints.gen.ts";
import { Button } from "../../components/form.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { BatchDialog } from "./batch-decision.tsx";
import { MOST_TOGETHER } from "./queue-rows.ts";

/** One verdict on alike proposals of one run: a sample is shown whole, and at least one must have been opened. */
export function AlikeDecision(props: {
  readonly cards: readonly ProposalCard[];
  readonly readAt: number;
  readonly onClose: () => void;
}) {
  const { cards, readAt, onClose } = props;
  const t = useT();
  const [verdict, setVerdict] = useState<"approve" | "reject">("approve");
  const other = verdict === "approve" ? "reject" : "approve";
  return (
    <BatchDialog
      key={verdict}
      cards={cards.slice(0, MOST_TOGETHER)}
      readAt={readAt}
      verdict={verdict}
      needs="one"
      onDone={(left) => left.length === 0 && onClose()}
      onClose={onClose}
    >
      <p className="row between">
        <span className="quiet">{t(words.sample)}</span>
        <Button tone="quiet small" onClick={() => setVerdict(other)}>
          {t(words[other])}
        </Button>
      </p>
    </BatchDialog>
  );
}

const words = {
  sample: {
    en: "Alike changes of one run. The first is shown whole; open others to compare.",
    uk: "Схожі зміни одного запуску. Першу показано повністю; відкрийте інші, щоб порівняти.",
  },
  approve: { en: "Approve instead", uk: "Натомість схвалити" },
  reject: { en: "Reject instead", uk: "Натомість відхилити" },
} as const satisfies Record<string, Text>;
