import { useState } from "react";
import type { Review, Proposal as Whole } from "../../api/endpoints.gen.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { useDraft } from "../../parts/draft.ts";
import { useKeys } from "../../parts/keys.ts";
import { NotDone } from "../../parts/not-done.tsx";
import { type Text, useSay } from "../../words/say.ts";
import { type Decision, editDraft, noteDraft } from "./use-decision.ts";

/** P-10a: the decision names the digest of what is on this page. If that has changed meanwhile, it is shown anew and nothing happens. */
export function Decide(props: {
  readonly proposal: Whole;
  readonly review: Review;
  readonly decision: Decision;
  /** Why it cannot be approved yet, whatever its effect is. */
  readonly cannot?: Text;
}) {
  const { proposal, review, decision, cannot } = props;
  const { send, isPending, error, fate } = decision;
  const say = useSay();
  const [note, setNote] = useDraft(noteDraft(proposal.id));
  /** What is asked before deciding, and what was on the page then. */
  const [asked, setAsked] = useState<{ readonly about: "reject" | "edit"; readonly digest: string }>();
  const ask = (about: "reject" | "edit") => (): void => setAsked({ about, digest: review.digest });
  const close = (): void => setAsked(undefined);
  const { digest } = review;
  const said = note.trim();
  const mayApprove = !cannot && review.files.length > 0 && review.conflicts.length === 0 && !review.refusal;
  const approve = (): void => send({ verdict: "approve", digest });
  const text = textOf(proposal);
  useKeys({
    a: mayApprove && !isPending ? approve : undefined,
    r: isPending ? undefined : ask("reject"),
    e: isPending || text === undefined ? undefined : ask("edit"),
  });
  return (
    <section className="decide stack tight" aria-label={say(words.decision)}>
      {error && !asked && <NotDone error={error} fate={fate} />}
      {cannot && <p id="cannot">{say(cannot)}</p>}
      <div className="row">
        <button
          type="button"
          className="button primary"
          disabled={!mayApprove || isPending}
          aria-describedby={cannot && "cannot"}
          onClick={approve}
        >
          {say(words.approve)} <kbd>a</kbd>
        </button>
        <button type="button" className="button danger" disabled={isPending} onClick={ask("reject")}>
          {say(words.reject)} <kbd>r</kbd>
        </button>
        {text !== undefined && (
          <button type="button" className="button" disabled={isPending} onClick={ask("edit")}>
            {say(words.edit)} <kbd>e</kbd>
          </button>
        )}
        <span className="quiet small">
          {say(words.deciding)} <code>{digest.slice(0, 10)}</code>
        </span>
      </div>
      {asked?.about === "reject" && (
        <Dialog title={say(words.reject)} onClose={close}>
          <label className="labelled">
            <span>{say(words.reason)}</span>
            <textarea className="field" rows={3} value={note} onChange={({ target }) => setNote(target.value)} />
          </label>
          {error && <NotDone error={error} fate={fate} />}
          <div className="row">
            <button
              type="button"
              className="button danger"
              disabled={said === "" || isPending}
              onClick={() => send({ verdict: "reject", digest: asked.digest, note: said })}
            >
              {say(words.reject)}
            </button>
            <button type="button" className="button" onClick={close}>
              {say(words.back)}
            </button>
          </div>
        </Dialog>
      )}
      {asked?.about === "edit" && text !== undefined && (
        <EditAndApprove
          id={proposal.id}
          text={text}
          decision={decision}
          onClose={close}
          onSend={(now) =>
            send({
              verdict: "edit",
              digest: asked.digest,
              payload: { ...proposal.operation.payload, text: now },
            })
          }
        />
      )}
    </section>
  );
}

/** What of an operation is text that a person can put right before approving. */
function textOf({ operation }: Whole): string | undefined {
  const { payload } = operation as { payload: Readonly<Record<string, unknown>> };
  return typeof payload["text"] === "string" && payload["remove"] !== true ? payload["text"] : undefined;
}

function EditAndApprove(props: {
  readonly id: string;
  readonly text: string;
  readonly decision: Decision;
  readonly onClose: () => void;
  readonly onSend: (text: string) => void;
}) {
  const say = useSay();
  const { error, isPending, fate } = props.decision;
  const [text, setText] = useDraft(editDraft(props.id), props.text);
  return (
    <Dialog title={say(words.edit)} onClose={props.onClose}>
      <label className="labelled">
        <span>{say(words.editHow)}</span>
        <textarea className="field" rows={16} value={text} onChange={({ target }) => setText(target.value)} />
      </label>
      {error && <NotDone error={error} fate={fate} />}
      <div className="row">
        <button
          type="button"
          className="button primary"
          disabled={isPending || text === props.text}
          onClick={() => props.onSend(text)}
        >
          {say(words.editSend)}
        </button>
        <button type="button" className="button" onClick={props.onClose}>
          {say(words.back)}
        </button>
      </div>
    </Dialog>
  );
}

const words = {
  decision: { en: "Decision", uk: "Рішення" },
  approve: { en: "Approve", uk: "Схвалити" },
  reject: { en: "Reject", uk: "Відхилити" },
  edit: { en: "Edit and approve", uk: "Виправити і схвалити" },
  editHow: { en: "The text as it should be", uk: "Текст, яким він має бути" },
  editSend: { en: "Approve this text", uk: "Схвалити цей текст" },
  deciding: { en: "You decide on exactly this:", uk: "Ви вирішуєте саме про це:" },
  reason: { en: "Reason (the proposer reads it)", uk: "Причина (її прочитає автор)" },
  back: { en: "Back", uk: "Назад" },
} as const satisfies Record<string, Text>;
