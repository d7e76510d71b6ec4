import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useCallback, useState } from "react";
import { type AnswerOf, ApiError, call } from "../../api/client.ts";
import type { ProposalCard } from "../../api/endpoints.gen.ts";
import { invalidate } from "../../api/queries.ts";
import { ActionDialog } from "../../components/action-dialog.tsx";
import { useDraft } from "../../components/draft.ts";
import { Button } from "../../components/form.tsx";
import { MutationError } from "../../components/mutation-error.tsx";
import { isRead, markRead } from "../../components/read-proposals.ts";
import { useToast } from "../../components/toasts.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { graceOf, useWithdraw } from "../proposal/use-withdraw.ts";
import { ChangesToRead } from "./changes-to-read.tsx";
import { addRecentDecision } from "./recent-decisions.ts";
import { titleOf } from "./title.ts";

type Result = AnswerOf<"POST /proposals/batch">["results"][number];

type BatchVerdict = "approve" | "reject" | "revise";

interface Batch {
  /** The selected proposals that are still pending. */
  readonly cards: readonly ProposalCard[];
  /** When `cards` was read. */
  readonly readAt: number;
  /** Called with the ids that stay selected. */
  readonly onDone: (left: readonly string[]) => void;
}

/** Buttons for one verdict on several proposals. */
export function BatchDecision({ cards, ...rest }: Batch) {
  const t = useT();
  const [opened, setOpened] = useState<BatchVerdict>();
  return (
    <>
      <Button tone="approve small" onClick={() => setOpened("approve")}>
        {t(words.approve, cards.length)}
      </Button>
      {isOfOneAgent(cards) && (
        <Button tone="small" onClick={() => setOpened("revise")}>
          {t(words.revise, cards.length)}
        </Button>
      )}
      <Button tone="danger small" onClick={() => setOpened("reject")}>
        {t(words.reject, cards.length)}
      </Button>
      {opened && <BatchDialog cards={cards} verdict={opened} onClose={() => setOpened(undefined)} {...rest} />}
    </>
  );
}

/** One verdict on several proposals. Each succeeds or fails on its own; a change that was not read is not approved. */
export function BatchDialog(
  props: Batch & {
    readonly verdict: BatchVerdict;
    /** The changes that must have been read before an approval: each of them, or one of alike changes. */
    readonly needs?: "each" | "one";
    readonly onClose: () => void;
    /** Shown above the list. */
    readonly children?: ReactNode;
  },
) {
  const { cards, readAt, onDone, verdict: opened, needs = "each", onClose, children } = props;
  const t = useT();
  const [note, setNote] = useDraft("batch");
  const { decide, refused, lost } = useBatch(note, (left) => {
    setNote(undefined);
    onDone(left);
    if (left.length === 0) onClose();
  });
  const isLookedUp = lost !== undefined && readAt > lost.at;
  const gone = isLookedUp ? lost.ids.filter((id) => !cards.some((card) => card.id === id)).length : 0;
  const close = (): void => {
    onClose();
    if (cards.length === 0) onDone([]);
  };
  const canSend = refused.length === 0 && cards.length > 0;
  const [, setReads] = useState(0);
  const unread = cards.filter((card) => !isRead(card));
  const noteRead = useCallback((card: ProposalCard) => {
    markRead(card);
    setReads((count) => count + 1);
  }, []);
  // A change that nobody looked at is not approved. Rejecting needs a reason instead.
  const mustRead = opened === "approve" && (needs === "one" ? unread.length === cards.length : unread.length > 0);
  return (
    <ActionDialog
      title={t(words[opened], cards.length)}
      reason={
        canSend && opened !== "approve"
          ? {
              label: t(opened === "revise" ? words.what : words.reason),
              text: note,
              onChange: setNote,
              isRequired: true,
            }
          : undefined
      }
      action={
        canSend
          ? {
              label: t(words[opened], cards.length),
              tone: opened === "approve" ? "approve" : opened === "revise" ? "primary" : "danger",
              isDisabled: decide.isPending,
              isLocked: mustRead,
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
      {children}
      {refused.length > 0 && <Refusals refused={refused} />}
      {canSend && <ChangesToRead cards={cards} unread={unread} onRead={noteRead} opensFirst={needs === "one"} />}
      {canSend && mustRead && (
        <p className="quiet" role="status">
          {needs === "one" ? t(words.unopened) : t(words.unread, unread.length)}
        </p>
      )}
    </ActionDialog>
  );
}

/** Sends one verdict on several proposals and keeps what was refused. `onSettled` is called with the ids that were not decided. */
function useBatch(note: string, onSettled: (left: readonly string[]) => void) {
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const withdraw = useWithdraw();
  const [refused, setRefused] = useState<readonly Refusal[]>([]);
  /** A request whose answer was lost. */
  const [lost, setLost] = useState<{ readonly at: number; readonly ids: readonly string[] }>();

  const decide = useMutation({
    mutationFn: ({ verdict, of }: { readonly verdict: BatchVerdict; readonly of: readonly ProposalCard[] }) =>
      call("POST /proposals/batch", {
        body: {
          verdict,
          proposals: of.map(({ id, digest }) => ({ id, digest })),
          ...(verdict !== "approve" && { note: note.trim() }),
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
      for (const card of of) if (ids.includes(card.id)) addRecentDecision(card, forMs);
      setLost(undefined);
      setRefused(left);
      onSettled(left.map(({ card }) => card.id));
      await invalidate(client, "/proposals", "/notes", "/agents");
    },
    onError: (error, { of }) => {
      if (!(error instanceof ApiError && error.isUnknown)) return;
      setLost({ at: Date.now(), ids: of.map(({ id }) => id) });
      void invalidate(client, "/proposals");
    },
  });
  return { decide, refused, lost };
}

interface Refusal {
  readonly card: ProposalCard;
  readonly why: Text;
}

function Refusals({ refused }: { readonly refused: readonly Refusal[] }) {
  const t = useT();
  return (
    <div className="stack tight" role="alert">
      <strong>{t(words.refused)}</strong>
      <ul className="long-list">
        {refused.map(({ card, why }) => (
          <li key={card.id}>
            {titleOf(card, t)}: <span className="quiet">{t(why)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** P-10c: only proposals of one agent are sent back together. */
const isOfOneAgent = (cards: readonly ProposalCard[]): boolean =>
  cards.length > 0 &&
  cards.every(({ source }) => source.type === "agent" && source.identity === cards[0]!.source.identity);

/** A proposal that was not decided, or was returned to be reviewed again. */
function refusalOf({ id, error, proposal }: Result, of: readonly ProposalCard[]): Refusal[] {
  const card = of.find((each) => each.id === id);
  const why = error?.message ?? (proposal?.status === "pending" ? proposal.returned?.why : undefined);
  return why && card ? [{ card, why }] : [];
}

const words = {
  unread: {
    en: "{} [change|changes] left to read: scroll through the list, and open those with more lines.",
    uk: "Ще не прочитано: {}. Прогорніть список і відкрийте ті, де рядків більше.",
  },
  unopened: { en: "Read at least one of them first.", uk: "Спершу прочитайте хоча б одну." },
  approve: { en: "Approve {}", uk: "Схвалити {}" },
  revise: { en: "Send back {}", uk: "Повернути {}" },
  what: { en: "What should change (the agent reads it)", uk: "Що змінити (агент це прочитає)" },
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
