import type { Remark, Proposal as Whole } from "../../api/endpoints.gen.ts";
import { ActionDialog } from "../../components/action-dialog.tsx";
import { useDraft } from "../../components/draft.ts";
import { MutationError } from "../../components/mutation-error.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { ThreadMessage } from "./message.tsx";
import { useRemarkPlace } from "./remark-place.ts";
import { type DecisionState, reviseDraft } from "./use-decision.ts";

/** P-10c: asks the agent for a revision. The comments on the change go with it. */
export function SendBackDialog(props: {
  readonly proposal: Whole;
  readonly remarks: readonly Remark[];
  readonly decision: DecisionState;
  readonly onClose: () => void;
  readonly onSend: (note: string) => void;
}) {
  const { proposal, remarks, decision, onClose, onSend } = props;
  const t = useT();
  const aboutPlace = useRemarkPlace();
  const { error, isPending, fate } = decision;
  const [note, setNote] = useDraft(reviseDraft(proposal.id));
  const agent = proposal.source.identity;
  const said = remarks.filter(({ by }) => by !== agent);
  return (
    <ActionDialog
      title={t(words.title, agent)}
      reason={{ label: t(words.what), text: note, onChange: setNote, isRequired: said.length === 0 }}
      action={{
        label: t(words.send),
        tone: "primary",
        isDisabled: isPending,
        onConfirm: () => onSend(note.trim()),
      }}
      error={error && <MutationError error={error} fate={fate} />}
      onClose={onClose}
    >
      <p className="quiet small">{t(words.follows, agent)}</p>
      {said.length > 0 && (
        <div className="thread apart">
          {said.map(({ number, by, text, at, place }) => (
            <ThreadMessage key={number} by={by} isAgent={false} text={text} at={at} about={aboutPlace(place)} />
          ))}
        </div>
      )}
    </ActionDialog>
  );
}

const words = {
  title: { en: "Send back to {}", uk: "Повернути агентові {}" },
  what: { en: "What should change", uk: "Що змінити" },
  send: { en: "Send back", uk: "Повернути" },
  follows: {
    en: "This proposal ends. {} starts a new run with it, your comments and the original input.",
    uk: "Ця пропозиція завершиться. {} почне новий запуск із нею, вашими коментарями й початковим входом.",
  },
} as const satisfies Record<string, Text>;
