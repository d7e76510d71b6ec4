import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type BodyOf, call, Refusal } from "../../api/client.ts";
import type { Review, Proposal as Whole } from "../../api/endpoints.ts";
import { outdate } from "../../api/queries.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { useDraft } from "../../parts/draft.ts";
import { useKeys } from "../../parts/keys.ts";
import { useTell } from "../../parts/notices.tsx";
import { Failed } from "../../parts/state.tsx";
import { type Text, useSay } from "../../words/say.ts";

type Verdict = BodyOf<"PATCH /proposals/:id">;

/** P-10a: the decision names the digest of what is on this page. If that has changed meanwhile, it is shown anew and nothing happens. */
export function Decide(props: {
  readonly proposal: Whole;
  readonly review: Review;
  readonly onDone: (() => void) | undefined;
  /** Why it cannot be approved yet, whatever its effect is. */
  readonly cannot?: Text;
}) {
  const { proposal, review, onDone, cannot } = props;
  const say = useSay();
  const tell = useTell();
  const client = useQueryClient();
  const [note, setNote] = useDraft(`note.${proposal.id}`);
  const [asks, setAsks] = useState<"reject" | "edit">();
  const decide = useMutation({
    mutationFn: (body: Verdict) => call("PATCH /proposals/:id", { params: { id: proposal.id }, body }),
    onSuccess: async (answer, { verdict }) => {
      setNote(undefined);
      setAsks(undefined);
      tell(
        say(
          verdict === "reject" ? words.rejected : words.approvedAs,
          answer.proposal.apply_result?.git_commit?.slice(0, 10) ?? "",
        ),
      );
      await outdate(client, "/proposals", "/notes", "/agents", "/logic", "/memory");
      onDone?.();
    },
    onError: (error) => {
      if (error instanceof Refusal && error.status === 409) void outdate(client, "/proposals");
    },
  });
  const { digest } = review;
  const said = note.trim();
  const mayApprove = !cannot && review.files.length > 0 && review.conflicts.length === 0 && !review.refusal;
  const approve = (): void => decide.mutate({ verdict: "approve", digest, ...(said !== "" && { note: said }) });
  const text = textOf(proposal);
  useKeys({
    a: mayApprove && !decide.isPending ? approve : undefined,
    r: () => setAsks("reject"),
    ...(text !== undefined && { e: () => setAsks("edit") }),
  });
  return (
    <section className="decide stack tight" aria-label={say(words.decision)}>
      {decide.error && asks === undefined && <Failed error={decide.error} />}
      {cannot && <p id="cannot">{say(cannot)}</p>}
      <div className="row">
        <button
          type="button"
          className="button primary"
          disabled={!mayApprove || decide.isPending}
          aria-describedby={cannot && "cannot"}
          onClick={approve}
        >
          {say(words.approve)} <kbd>a</kbd>
        </button>
        <button type="button" className="button danger" disabled={decide.isPending} onClick={() => setAsks("reject")}>
          {say(words.reject)} <kbd>r</kbd>
        </button>
        {text !== undefined && (
          <button type="button" className="button" disabled={decide.isPending} onClick={() => setAsks("edit")}>
            {say(words.edit)} <kbd>e</kbd>
          </button>
        )}
        <span className="quiet small">
          {say(words.deciding)} <code>{digest.slice(0, 10)}</code>
        </span>
      </div>
      {asks === "reject" && (
        <Dialog title={say(words.reject)} onClose={() => setAsks(undefined)}>
          <label className="labelled">
            <span>{say(words.reason)}</span>
            <textarea className="field" rows={3} value={note} onChange={({ target }) => setNote(target.value)} />
          </label>
          {decide.error && <Failed error={decide.error} />}
          <div className="row">
            <button
              type="button"
              className="button danger"
              disabled={said === "" || decide.isPending}
              onClick={() => decide.mutate({ verdict: "reject", digest, note: said })}
            >
              {say(words.reject)}
            </button>
            <button type="button" className="button" onClick={() => setAsks(undefined)}>
              {say(words.back)}
            </button>
          </div>
        </Dialog>
      )}
      {asks === "edit" && text !== undefined && (
        <EditAndApprove
          id={proposal.id}
          text={text}
          error={decide.error}
          isPending={decide.isPending}
          onClose={() => setAsks(undefined)}
          onSend={(now) =>
            decide.mutate({ verdict: "edit", digest, payload: { ...proposal.operation.payload, text: now } })
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
  readonly error: Error | null;
  readonly isPending: boolean;
  readonly onClose: () => void;
  readonly onSend: (text: string) => void;
}) {
  const say = useSay();
  const [text, setText] = useDraft(`edit.${props.id}`, props.text);
  return (
    <Dialog title={say(words.edit)} onClose={props.onClose}>
      <label className="labelled">
        <span>{say(words.editHow)}</span>
        <textarea className="field" rows={16} value={text} onChange={({ target }) => setText(target.value)} />
      </label>
      {props.error && <Failed error={props.error} />}
      <div className="row">
        <button
          type="button"
          className="button primary"
          disabled={props.isPending || text === props.text}
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
  rejected: { en: "Rejected.", uk: "Відхилено." },
  approvedAs: { en: "Approved. {}", uk: "Схвалено. {}" },
} as const satisfies Record<string, Text>;
