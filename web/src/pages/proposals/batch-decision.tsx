import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type AnswerOf, ApiError, call } from "../../api/client.ts";
import type { ProposalCard } from "../../api/endpoints.gen.ts";
import { invalidate } from "../../api/queries.ts";
import { ActionDialog } from "../../components/action-dialog.tsx";
import { useDraft } from "../../components/draft.ts";
import { Button } from "../../components/form.tsx";
import { MutationError } from "../../components/mutation-error.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { graceOf, useWithdraw } from "../proposal/use-withdraw.ts";

type Result = AnswerOf<"POST /proposals/batch">["results"][number];

/** One verdict on several proposals. Each succeeds or fails on its own. */
export function BatchDecision(props: {
  /** The selected proposals that are still pending. */
  readonly cards: readonly ProposalCard[];
  /** When `cards` was read. */
  readonly readAt: number;
  /** Called with the ids that stay selected. */
  readonly onDone: (left: readonly string[]) => void;
}) {
  const { cards, readAt, onDone } = props;
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const withdraw = useWithdraw();
  const [opened, setOpened] = useState<"approve" | "reject">();
  const [note, setNote] = useDraft("batch");
  const [refused, setRefused] = useState<readonly { readonly card: ProposalCard; readonly why: Text }[]>([]);
  /** A request whose answer was lost. */
  const [lost, setLost] = useState<{ readonly at: number; readonly ids: readonly string[] }>();

  const decide = useMutation({
    mutationFn: ({ verdict, of }: { readonly verdict: "approve" | "reject"; readonly of: readonly ProposalCard[] }) =>
      call("POST /proposals/batch", {
        body: {
          verdict,
          proposals: of.map(({ id, digest }) => ({ id, digest })),
          ...(verdict === "reject" && { note: note.trim() }),
        },
      }),
    onSuccess: async ({ results }, { of }) => {
      const left = results.flatMap((result) => refusalOf(result, of));
      const done =
        left.length === 0 ? t(words.allDone, results.length) : t(words.someDone, results.length - left.length);
      const open = results.flatMap(({ proposal }) => (proposal && graceOf(proposal) > 0 ? [proposal] : []));
      const forMs = Math.min(...open.map(graceOf));
      const ids = open.map(({ id }) => id);
      toast(done, open.length > 0 ? { undo: () => void withdraw(ids), forMs } : undefined);
      setLost(undefined);
      setNote(undefined);
      setRefused(left);
      onDone(left.map(({ card }) => card.id));
      if (left.length === 0) setOpened(undefined);
      await invalidate(client, "/proposals", "/notes", "/agents");
    },
    onError: (error, { of }) => {
      if (!(error instanceof ApiError && error.isUnknown)) return;
      setLost({ at: Date.now(), ids: of.map(({ id }) => id) });
      void invalidate(client, "/proposals");
    },
  });
  const isLookedUp = lost !== undefined && readAt > lost.at;
  const gone = isLookedUp ? lost.ids.filter((id) => !cards.some((card) => card.id === id)).length : 0;
  const close = (): void => {
    setOpened(undefined);
    setRefused([]);
    setLost(undefined);
    decide.reset();
    if (cards.length === 0) onDone([]);
  };
  const open = (verdict: "approve" | "reject") => (): void => setOpened(verdict);
  const canSend = refused.length === 0 && cards.length > 0;
  return (
    <>
      <Button tone="primary" onClick={open("approve")}>
        {t(words.approve, cards.length)}
      </Button>
      <Button tone="danger" onClick={open("reject")}>
        {t(words.reject, cards.length)}
      </Button>
      {opened && (
        <ActionDialog
          title={t(words[opened], cards.length)}
          reason={
            canSend && opened === "reject"
              ? { label: t(words.reason), text: note, onChange: setNote, isRequired: true }
              : undefined
          }
          action={
            canSend
              ? {
                  label: t(words[opened], cards.length),
                  tone: opened === "approve" ? "primary" : "danger",
                  isDisabled: decide.isPending,
                  onConfirm: () => decide.mutate({ verdict: opened, of: cards }),
                }
              : undefined
          }
          error={
            gone > 0 ? (
              <p role="alert">
                <strong>{t(words.counted, gone, lost!.ids.length)}</strong>
              </p>
            ) : (
              decide.error && <MutationError error={decide.error} fate={isLookedUp ? "waits" : "unknown"} />
            )
          }
          onClose={close}
        >
          {refused.length > 0 && (
            <div className="stack tight" role="alert">
              <strong>{t(words.refused)}</strong>
              <ul className="long-list">
                {refused.map(({ card, why }) => (
                  <li key={card.id}>
                    {card.summary}: <span className="quiet">{t(why)}</span>
                  </li>
                ))}
              </ul>
            </div>
          )}
          {canSend && (
            <ul className="long-list">
              {cards.map(({ id, summary, target }) => (
                <li key={id}>
                  {summary} <code className="quiet small">{target}</code>
                </li>
              ))}
            </ul>
          )}
        </ActionDialog>
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
  refused: { en: "Not decided:", uk: "Не вирішено, і чому:" },
  allDone: { en: "Decided: {}", uk: "Вирішено: {}" },
  someDone: { en: "Decided: {}, but not all of them.", uk: "Вирішено: {}; не всі." },
  counted: {
    en: "The answer was lost, but {} of {} were decided. The others are still pending.",
    uk: "Відповідь загубилася дорогою. Проте вирішено: {} із {}. Решта ще чекає.",
  },
} as const satisfies Record<string, Text>;
