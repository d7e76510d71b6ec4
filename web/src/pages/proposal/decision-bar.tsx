import { Check, ChevronDown, ChevronUp, CornerUpLeft, Eye, Lock, PenLine, X } from "lucide-react";
import { useEffect, useState } from "react";
import type { Remark, Review, Proposal as Whole } from "../../api/endpoints.gen.ts";
import { ActionDialog } from "../../components/action-dialog.tsx";
import { ArmedButton } from "../../components/armed-button.tsx";
import { useDraft } from "../../components/draft.ts";
import { Button, TextArea } from "../../components/form.tsx";
import { MutationError } from "../../components/mutation-error.tsx";
import { markRead } from "../../components/read-proposals.ts";
import { useArmed } from "../../components/use-armed.ts";
import { useKeys } from "../../components/use-keys.ts";
import { type Text, useT } from "../../i18n/use-t.ts";
import { SendBackDialog } from "./send-back-dialog.tsx";
import { type DecisionState, editDraft, noteDraft } from "./use-decision.ts";

type BarDialog = "reject" | "revise" | "edit";

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
  readonly cannot?: string;
  /** A merge: how the button is called, the chosen files if not all are taken, what stays, and the reason. */
  readonly part?: {
    readonly label: string;
    readonly files: readonly string[] | undefined;
    readonly stays: string | undefined;
    readonly note: string;
  };
  readonly remarks: readonly Remark[];
  readonly onNext: (() => void) | undefined;
  readonly onPrevious: (() => void) | undefined;
}) {
  const { proposal, review, decision, report, cannot, part, remarks, onNext, onPrevious } = props;
  const { send, isPending, error, fate } = decision;
  const t = useT();
  const [note, setNote] = useDraft(noteDraft(proposal.id));
  /** The open dialog, and the digest that was shown when it was opened. */
  const [opened, setOpened] = useState<{ readonly dialog: BarDialog; readonly digest: string }>();
  const open = (dialog: BarDialog) => (): void => setOpened({ dialog, digest: review.digest });
  const close = (): void => setOpened(undefined);
  const { digest } = review;
  const isArmed = useArmed(isPending || opened ? undefined : digest);
  useEffect(() => {
    if (isArmed) markRead(proposal);
  }, [isArmed, proposal]);
  const canApply = part?.files ? part.files.length > 0 : review.files.length > 0 && review.conflicts.length === 0;
  const mayApprove = !cannot && canApply && !review.refusal;
  const approve = (): void =>
    send({
      verdict: "approve",
      digest,
      ...(report !== undefined && { report }),
      ...(part?.files && { files: [...part.files], ...(part.note.trim() !== "" && { note: part.note.trim() }) }),
    });
  const text = textOf(proposal);
  const canSendBack = proposal.source.type === "agent";
  useKeys({
    a: mayApprove && isArmed ? approve : undefined,
    b: isPending || !canSendBack ? undefined : open("revise"),
    r: isPending ? undefined : open("reject"),
    e: isPending || text === undefined ? undefined : open("edit"),
  });
  return (
    <section className="decision-bar" aria-label={t(words.decision)} data-armed={isArmed} data-shown={digest}>
      {error && !opened && (
        <div className="decision-error">
          <MutationError error={error} fate={fate} />
        </div>
      )}
      <div className="decision-buttons">
        <ArmedButton
          tone="approve"
          disabled={!mayApprove || isPending}
          isArmed={isArmed}
          aria-describedby={cannot && "cannot"}
          onClick={approve}
        >
          {mayApprove ? <Check size={16} aria-hidden="true" /> : <Lock size={16} aria-hidden="true" />}
          {part?.label ?? t(words.approve)} {mayApprove && <kbd>a</kbd>}
        </ArmedButton>
        {canSendBack && (
          <Button disabled={isPending} onClick={open("revise")}>
            <CornerUpLeft size={16} aria-hidden="true" /> {t(words.sendBack)} <kbd>b</kbd>
          </Button>
        )}
        <Button tone="danger" disabled={isPending} onClick={open("reject")}>
          <X size={16} aria-hidden="true" /> {t(words.reject)} <kbd>r</kbd>
        </Button>
        {text !== undefined && (
          <Button tone="quiet edit" disabled={isPending} onClick={open("edit")}>
            <PenLine size={16} aria-hidden="true" /> {t(words.edit)} <kbd>e</kbd>
          </Button>
        )}
        <span className="decision-side">
          {cannot ? (
            <span id="cannot" className="cannot">
              <Eye size={15} aria-hidden="true" /> {cannot}
            </span>
          ) : part?.stays !== undefined ? (
            <span>{part.stays}</span>
          ) : (
            <span className="version">
              {t(words.version)} <code>{digest.slice(0, 8)}</code>
              <span className="ready">{isArmed && ` · ${t(words.ready)}`}</span>
            </span>
          )}
          <button
            type="button"
            className="button icon small ghost"
            aria-label={`${t(words.previous)} (k)`}
            disabled={!onPrevious}
            onClick={onPrevious}
          >
            <ChevronUp size={18} aria-hidden="true" />
          </button>
          <button
            type="button"
            className="button icon small ghost"
            aria-label={`${t(words.next)} (j)`}
            disabled={!onNext}
            onClick={onNext}
          >
            <ChevronDown size={18} aria-hidden="true" />
          </button>
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
      {opened?.dialog === "revise" && (
        <SendBackDialog
          proposal={proposal}
          remarks={remarks}
          decision={decision}
          onClose={close}
          onSend={(said) => send({ verdict: "revise", digest: opened.digest, ...(said !== "" && { note: said }) })}
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
      title={t(words.editTitle)}
      action={{
        label: t(words.editSend),
        tone: "approve",
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
  edit: { en: "Edit", uk: "Виправити" },
  editTitle: { en: "Edit and approve", uk: "Виправити і схвалити" },
  sendBack: { en: "Send back", uk: "Повернути" },
  previous: { en: "Previous", uk: "Попередня" },
  next: { en: "Next", uk: "Наступна" },
  ready: { en: "ready", uk: "готово" },
  editHow: { en: "Text to approve", uk: "Текст, яким він має бути" },
  editSend: { en: "Approve this text", uk: "Схвалити цей текст" },
  version: { en: "Reviewed version", uk: "Переглянута версія" },
  reason: { en: "Reason (the proposer reads it)", uk: "Причина (її прочитає автор)" },
} as const satisfies Record<string, Text>;
