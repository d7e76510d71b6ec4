import { useState } from "react";
import type { AnswerOf } from "../../api/client.ts";
import { useDraft } from "../../components/draft.ts";
import { Form, TextArea } from "../../components/form.tsx";
import { ProposalLink } from "../../components/links.tsx";
import { Failed } from "../../components/query-result.tsx";
import { When } from "../../components/tags.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { SubmittedProposal } from "./submitted-proposal.tsx";
import { useSubmit } from "./use-submit.ts";

/** The comments on a note, with a form to add one. */
export function Comments({ note: { path, comments } }: { readonly note: AnswerOf<"GET /notes/:path"> }) {
  const t = useT();
  const [text, setText] = useDraft(`comment.${path}`);
  const [sent, setSent] = useState<string>();
  const send = useSubmit(({ proposal_id }) => {
    setText(undefined);
    setSent(proposal_id);
  });
  return (
    <section className="stack tight" aria-labelledby="comments">
      <h2 id="comments">{t(words.comments)}</h2>
      {comments.length > 0 && (
        <ul className="stack tight">
          {comments.map(({ proposal, by, at, line, text: said }) => (
            <li key={proposal} className="card stack tight small">
              <p className="said break">{said}</p>
              <p className="row quiet">
                <span>{by}</span>
                <When at={at} />
                {line !== undefined && <span>{t(words.line, line)}</span>}
                <ProposalLink id={proposal}>{t(words.proposal)}</ProposalLink>
              </p>
            </li>
          ))}
        </ul>
      )}
      <Form
        className="stack tight"
        onSubmit={() => {
          if (text.trim() !== "")
            send.mutate({ action: "propose-comment", payload: { note: path, text: text.trim() } });
        }}
      >
        <TextArea label={t(words.yours)} rows={3} value={text} onText={setText} />
        {send.error && <Failed error={send.error} />}
        <p>
          <button type="submit" className="button" disabled={text.trim() === "" || send.isPending}>
            {t(words.send)}
          </button>
        </p>
      </Form>
      {sent !== undefined && <SubmittedProposal key={sent} id={sent} />}
    </section>
  );
}

const words = {
  comments: { en: "Comments", uk: "Коментарі" },
  line: { en: "line {}", uk: "рядок {}" },
  proposal: { en: "proposal", uk: "пропозиція" },
  yours: { en: "Your comment", uk: "Ваш коментар" },
  send: { en: "Comment", uk: "Коментувати" },
} as const satisfies Record<string, Text>;
