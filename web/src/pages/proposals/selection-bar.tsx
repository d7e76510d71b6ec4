import { useMemo } from "react";
import type { ProposalCard } from "../../api/endpoints.gen.ts";
import { Button } from "../../components/form.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { BatchDecision } from "./batch-decision.tsx";
import { isDecidedTogether, MOST_TOGETHER } from "./queue-rows.ts";

/** Buttons to select proposals and to decide the selected ones together. */
export function SelectionBar(props: {
  readonly cards: readonly ProposalCard[];
  readonly chosen: ReadonlySet<string>;
  readonly picked: readonly ProposalCard[];
  readonly readAt: number;
  readonly onChoose: (ids: ReadonlySet<string>) => void;
}) {
  const { cards, chosen, picked, readAt, onChoose } = props;
  const t = useT();
  const forMany = useMemo(() => cards.filter(isDecidedTogether), [cards]);
  if (forMany.length === 0) return null;
  return (
    <div className="selection-bar row" role="toolbar" aria-label={t(words.selection)}>
      {chosen.size === 0 ? (
        <Button
          tone="quiet small"
          onClick={() => onChoose(new Set(forMany.slice(0, MOST_TOGETHER).map(({ id }) => id)))}
        >
          {forMany.length > MOST_TOGETHER ? t(words.chooseFirst, MOST_TOGETHER) : t(words.chooseAll)}
        </Button>
      ) : (
        <>
          <BatchDecision cards={picked} readAt={readAt} onDone={(left) => onChoose(new Set(left))} />
          <Button tone="quiet small" onClick={() => onChoose(new Set())}>
            {t(words.chooseNone)}
          </Button>
        </>
      )}
    </div>
  );
}

const words = {
  selection: { en: "Selection", uk: "Вибір" },
  chooseAll: { en: "Select all", uk: "Вибрати всі" },
  chooseFirst: { en: "Select the first {}", uk: "Вибрати перші {}" },
  chooseNone: { en: "Clear selection", uk: "Зняти вибір" },
} as const satisfies Record<string, Text>;
