import { useEffect, useState } from "react";
import type { Review, Proposal as Whole } from "../../api/endpoints.gen.ts";
import { ActionDialog } from "../../components/action-dialog.tsx";
import { ArmedButton } from "../../components/armed-button.tsx";
import { useDraft } from "../../components/draft.ts";
import { Button, TextArea } from "../../components/form.tsx";
import { MutationError } from "../../components/mutation-error.tsx";
import { markRead } from "../../components/read-proposals.ts";
import { useArmed } from "../../components/use-armed.ts";
import { useKeys } from "../../components/use-keys.ts";
import { type Text, useT } from "../../i18n/use-t.ts";
import { type DecisionState, editDraft, noteDraft } from "./use-decision.ts";

/**
 * P-10a: the decision names the digest of the shown review. If the review has changed meanwhile, it is shown anew and nothing is decided.
 * Approving works a moment after the change was painted, with every key up.
 */
export function DecisionBar(props: {
  readonly proposal: Whole;
  readonly review: Review;
  readonly decision: DecisionState;
  /** The report that was shown with a change of logic. */
  readonly report?: string | undefined;
  /** The reason why it cannot be approved yet. */
  readonly cannot?: Text;
}) {
  const { proposal, review, decision, report, cannot } = props;
  const { send, isPending, error, fate } = decision;
  const t = useT();
  const [note, setNote] = useDraft(noteDraft(proposal.id));
  /** The open dialog, and the digest that was shown when it was opened. */
  const [opened, setOpened] = useState<{ readonly dialog: "reject" | "edit"; readonly digest: string }>();
  const open = (dialog: "reject" | "edit") => (): void => setOpened({ dialog, digest: review.digest });
  const close = (): void => setOpened(undefined);
  const { digest } = review;
  const isArmed = useArmed(isPending || opened ? undefined : digest);
  useEffect(() => {
    if (isArmed) markRead(proposal);
  }, [isArmed, proposal]);
  const mayApprove = !cannot && review.files.length > 0 && review.conflicts.length === 0 && !review.refusal;
  const approve = (): void => send({ verdict: "approve", digest, ...(report !== undefined && { report }) });
  const text = textOf(proposal);
  useKeys({
    a: mayApprove && isArmed ? approve : undefined,
    r: isPending ? undefined : open("reject"),
    e: isPending || text === undefined ? undefined : open("edit"),
  });
  return (
    <section className="decide stack tight" aria-label={t(words.decision)} data-armed={isArmed}>
      {error && !opened && <MutationError error={error} fate={fate} />}
      {cannot && <p id="cannot">{t(cannot)}</p>}
      <div className="row">
        <ArmedButton
          tone="primary"
          disabled={!mayApprove || isPending}
          isArmed={isArmed}
          aria-describedby={cannot && "cannot"}
          onClick={approve}
        >
          {t(words.approve)} <kbd>a</kbd>
        </ArmedButton>
        <Button tone="danger" disabled={isPending} onClick={open("reject")}>
          {t(words.reject)} <kbd>r</kbd>
        </Button>
        {text !== undefined && (
          <Button disabled={isPending} onClick={open("edit")}>
            {t(words.edit)} <kbd>e</kbd>
          </Button>
        )}
        <span className="quiet small">
          {t(words.version)} <code>{digest.slice(0, 8)}</code>
        </span>
      </div>
      {opened?.dialog === "reject" && (
        <ActionDialog
          title={t(words.reject)}
          reason={{ label: t(words.reason), text: note, onChange: setNote, isRequired: true }}
          action={{
            label: t(words.reject),
            tone: "danger",
            isDisabled: isPending,
            onConfirm: () => send({ verdict: "reject", digest: opened.digest, note: note.trim() }),
          }}
          error={error && <MutationError error={error} fate={fate} />}
          onClose={close}
        />
      )}
      {opened?.dialog === "edit" && text !== undefined && (
        <EditAndApprove
          id={proposal.id}
          text={text}
          decision={decision}
          onClose={close}
          onSend={(now) =>
            send({ verdict: "edit", digest: opened.digest, payload: { ...proposal.operation.payload, text: now } })
          }
        />
      )}
    </section>
  );
}

/** The text of an operation that can be edited before approval, if it has one. */
function textOf({ operation }: Whole): string | undefined {
  const { payload } = operation as { payload: Readonly<Record<string, unknown>> };
  return typeof payload["text"] === "string" && payload["remove"] !== true ? payload["text"] : undefined;
}

function EditAndApprove(props: {
  readonly id: string;
  readonly text: string;
  readonly decision: DecisionState;
  readonly onClose: () => void;
  readonly onSend: (text: string) => void;
}) {
  const t = useT();
  const { error, isPending, fate } = props.decision;
  const [text, setText] = useDraft(editDraft(props.id), props.text);
  return (
    <ActionDialog
      title={t(words.edit)}
      action={{
        label: t(words.editSend),
        tone: "primary",
        isDisabled: isPending || text === props.text,
        onConfirm: () => props.onSend(text),
      }}
      error={error && <MutationError error={error} fate={fate} />}
      onClose={props.onClose}
    >
      <TextArea label={t(words.editHow)} rows={16} value={text} onText={setText} />
    </ActionDialog>
  );
}

const words = {
  decision: { en: "Decision", uk: "Рішення" },
  approve: { en: "Approve", uk: "Схвалити" },
  reject: { en: "Reject", uk: "Відхилити" },
  edit: { en: "Edit and approve", uk: "Виправити і схвалити" },
  editHow: { en: "Text to approve", uk: "Текст, яким він має бути" },
  editSend: { en: "Approve this text", uk: "Схвалити цей текст" },
  version: { en: "Reviewed version", uk: "Переглянута версія" },
  reason: { en: "Reason (the proposer reads it)", uk: "Причина (її прочитає автор)" },
} as const satisfies Record<string, Text>;
