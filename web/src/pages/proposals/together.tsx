import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type AnswerOf, call, Refusal } from "../../api/client.ts";
import type { ProposalCard } from "../../api/endpoints.gen.ts";
import { outdate } from "../../api/queries.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { useDraft } from "../../parts/draft.ts";
import { NotDone } from "../../parts/not-done.tsx";
import { useTell } from "../../parts/notices.tsx";
import { type Text, useSay } from "../../words/say.ts";

type Result = AnswerOf<"POST /proposals/batch">["results"][number];

/** One verdict on several: each on its own, with what became of each. */
export function Together(props: {
  /** Those that were chosen and still wait. */
  readonly cards: readonly ProposalCard[];
  /** When it was last read which of them do. */
  readonly readAt: number;
  /** Afterwards these stay chosen. */
  readonly onDone: (left: readonly string[]) => void;
}) {
  const { cards, readAt, onDone } = props;
  const say = useSay();
  const tell = useTell();
  const client = useQueryClient();
  const [asked, setAsked] = useState<"approve" | "reject">();
  const [note, setNote] = useDraft("batch");
  const [refused, setRefused] = useState<readonly { readonly card: ProposalCard; readonly why: Text }[]>([]);
  /** Sent, and never answered. */
  const [lost, setLost] = useState<{ readonly at: number; readonly ids: readonly string[] }>();
  const reason = note.trim();
  const decide = useMutation({
    mutationFn: ({ verdict, of }: { readonly verdict: "approve" | "reject"; readonly of: readonly ProposalCard[] }) =>
      call("POST /proposals/batch", {
        body: {
          verdict,
          proposals: of.map(({ id, digest }) => ({ id, digest })),
          ...(verdict === "reject" && { note: reason }),
        },
      }),
    onSuccess: async ({ results }, { of }) => {
      const left = results.flatMap((result) => refusalOf(result, of));
      tell(left.length === 0 ? say(words.allDone, results.length) : say(words.someDone, results.length - left.length));
      setLost(undefined);
      setNote(undefined);
      setRefused(left);
      onDone(left.map(({ card }) => card.id));
      if (left.length === 0) setAsked(undefined);
      await outdate(client, "/proposals", "/notes", "/agents");
    },
    onError: (error, { of }) => {
      if (!(error instanceof Refusal && error.isUnknown)) return;
      setLost({ at: Date.now(), ids: of.map(({ id }) => id) });
      void outdate(client, "/proposals");
    },
  });
  const isLookedUp = lost !== undefined && readAt > lost.at;
  const gone = isLookedUp ? lost.ids.filter((id) => !cards.some((card) => card.id === id)).length : 0;
  const close = (): void => {
    setAsked(undefined);
    setRefused([]);
    setLost(undefined);
    decide.reset();
    if (cards.length === 0) onDone([]);
  };
  const open = (verdict: "approve" | "reject") => (): void => setAsked(verdict);
  return (
    <>
      <button type="button" className="button primary" onClick={open("approve")}>
        {say(words.approve, cards.length)}
      </button>
      <button type="button" className="button danger" onClick={open("reject")}>
        {say(words.reject, cards.length)}
      </button>
      {asked && (
        <Dialog title={say(words[asked], cards.length)} onClose={close}>
          {refused.length > 0 && (
            <div className="stack tight" role="alert">
              <strong>{say(words.refused)}</strong>
              <ul className="long-list">
                {refused.map(({ card, why }) => (
                  <li key={card.id}>
                    {card.summary}: <span className="quiet">{say(why)}</span>
                  </li>
                ))}
              </ul>
            </div>
          )}
          {refused.length === 0 && cards.length > 0 && (
            <>
              <ul className="long-list">
                {cards.map(({ id, summary, target }) => (
                  <li key={id}>
                    {summary} <code className="quiet small">{target}</code>
                  </li>
                ))}
              </ul>
              {asked === "reject" && (
                <label className="labelled">
                  <span>{say(words.reason)}</span>
                  <textarea className="field" rows={2} value={note} onChange={({ target }) => setNote(target.value)} />
                </label>
              )}
            </>
          )}
          {gone > 0 ? (
            <p role="alert">
              <strong>{say(words.counted, gone, lost!.ids.length)}</strong>
            </p>
          ) : (
            decide.error && <NotDone error={decide.error} fate={isLookedUp ? "waits" : "unknown"} />
          )}
          <div className="row">
            {refused.length === 0 && cards.length > 0 && (
              <button
                type="button"
                className={`button ${asked === "approve" ? "primary" : "danger"}`}
                disabled={decide.isPending || (asked === "reject" && reason === "")}
                onClick={() => decide.mutate({ verdict: asked, of: cards })}
              >
                {say(words[asked], cards.length)}
              </button>
            )}
            <button type="button" className="button" onClick={close}>
              {say(words.back)}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}

function refusalOf({ id, error }: Result, of: readonly ProposalCard[]): { card: ProposalCard; why: Text }[] {
  const card = of.find((each) => each.id === id);
  return error && card ? [{ card, why: error.message }] : [];
}

const words = {
  approve: { en: "Approve {}", uk: "Схвалити {}" },
  reject: { en: "Reject {}", uk: "Відхилити {}" },
  reason: { en: "Reason (the proposer reads it)", uk: "Причина (її прочитає автор)" },
  back: { en: "Back", uk: "Назад" },
  refused: { en: "Not decided, and why:", uk: "Не вирішено, і чому:" },
  allDone: { en: "Decided: {}", uk: "Вирішено: {}" },
  someDone: { en: "Decided: {}; not all of them.", uk: "Вирішено: {}; не всі." },
  counted: {
    en: "The answer was lost on the way. Decided all the same: {} of {}. The others still wait.",
    uk: "Відповідь загубилася дорогою. Проте вирішено: {} із {}. Решта ще чекає.",
  },
} as const satisfies Record<string, Text>;
