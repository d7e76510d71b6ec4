import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { type AnswerOf, ApiError, type BodyOf, call } from "../../api/client.ts";
import type { ProposalCard, Proposal as Whole } from "../../api/endpoints.gen.ts";
import { invalidate } from "../../api/queries.ts";
import { deleteDraft } from "../../components/draft.ts";
import { whenReleased } from "../../components/held-presses.ts";
import type { RequestFate } from "../../components/mutation-error.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { addRecentDecision } from "../proposals/recent-decisions.ts";
import { titleOf } from "../proposals/title.ts";
import { graceOf, useWithdraw } from "./use-withdraw.ts";

export type SentVerdict = Exclude<BodyOf<"PATCH /proposals/:id">, { verdict: "retry" }>;

export interface DecisionState {
  readonly send: (verdict: SentVerdict) => void;
  readonly isPending: boolean;
  readonly error: Error | null;
  /** For a decision whose answer was lost: what is known of it now. */
  readonly fate: RequestFate;
  /** The answer was lost, but the decision was recorded. */
  readonly hasCounted: boolean;
  /** Another decision came first. */
  readonly isLate: boolean;
}

/** Names of the stored drafts. */
export const noteDraft = (id: string): string => `note.${id}`;
export const reviseDraft = (id: string): string => `revise.${id}`;
export const editDraft = (id: string): string => `edit.${id}`;

/**
 * Sends a decision and follows it to its end. If the answer is lost, the proposal is read again to find out whether the decision was
 * recorded. Sending it again is idempotent.
 */
export function useDecision(
  proposal: Whole,
  /** When `proposal` was read. */
  readAt: number,
  onDone: (() => void) | undefined,
): DecisionState {
  const { id } = proposal;
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const withdraw = useWithdraw();
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => void (isHere.current = false);
  }, []);
  const [lost, setLost] = useState<{ readonly verdict: SentVerdict; readonly at: number }>();
  const [hasCounted, setHasCounted] = useState(false);

  const forget = useCallback(() => {
    deleteDraft(noteDraft(id));
    deleteDraft(reviseDraft(id));
    deleteDraft(editDraft(id));
  }, [id]);

  const { mutate, ...decide } = useMutation({
    mutationFn: (verdict: SentVerdict) => sendVerdict(id, verdict, lost !== undefined),
    onSuccess: async ({ proposal: after }, { verdict }) => {
      setLost(undefined);
      forget();
      const { apply_result } = after;
      const hasReturned = after.status === "pending" && after.returned !== undefined;
      const hasFailed = after.status === "failed" || hasReturned;
      if (hasReturned) toast(t(words.returned, t(after.returned!.why)));
      else if (hasFailed) toast(t(words.unapplied, apply_result?.error ? t(apply_result.error.message) : ""));
      else if (verdict === "reject") toast(t(words.rejected));
      else if (verdict === "revise") toast(t(words.sentBack, after.source.identity));
      else if (after.waiting) toast(t(words.waiting, t(after.waiting)));
      else if (graceOf(after) > 0) {
        const forMs = graceOf(after);
        addRecentDecision(cardOfProposal(proposal), forMs);
        toast(t(words.approved, ""), { undo: () => void withdraw([after.id]), forMs, about: titleOf(after, t) });
      } else toast(t(words.approved, apply_result?.git_commit?.slice(0, 10) ?? ""));
      await invalidate(client, "/proposals", "/notes", "/agents", "/logic", "/memory", "/sessions", "/session-graph");
      // A key that is still down belongs to this proposal, not to the next.
      await whenReleased();
      if (!hasFailed && isHere.current) onDone?.();
    },
    onError: (error, verdict) => {
      const refusal = error instanceof ApiError ? error : undefined;
      if (refusal?.isUnknown) setLost({ verdict, at: Date.now() });
      else setLost(undefined);
      if (!isHere.current)
        toast(
          refusal?.isUnknown
            ? t(words.leftInDoubt, proposal.summary)
            : t(words.leftBehind, proposal.summary, refusal?.message ?? ""),
        );
      if (refusal?.status === 409 || refusal?.isUnknown) void invalidate(client, "/proposals");
    },
  });

  const isReadSince = lost !== undefined && readAt > lost.at;
  // Settles a lost decision as soon as the proposal was read after it.
  useEffect(() => {
    if (!lost || decide.isPending) return;
    if (isDecidedAs(proposal, lost.verdict)) {
      setLost(undefined);
      setHasCounted(true);
      forget();
    } else if (isReadSince && isEdited(proposal, lost.verdict)) mutate(lost.verdict);
  }, [proposal, lost, isReadSince, decide.isPending, mutate, forget]);

  const isDecided = proposal.approval !== undefined;
  const isInDoubt = lost !== undefined && (!isReadSince || decide.isPending || isEdited(proposal, lost.verdict));
  return {
    send: mutate,
    isPending: decide.isPending,
    error: decide.error,
    fate: isReadSince && !isDecided ? "waits" : "unknown",
    hasCounted,
    isLate: isDecided && decide.isError && !hasCounted && !isInDoubt,
  };
}

/** The card of a proposal in lists. */
const cardOfProposal = ({ id, status, action, target, summary, ...rest }: Whole): ProposalCard => {
  const { preview, source, priority, digest, created_at, expires_at } = rest;
  const card = { id, status, action, target, summary, source, priority, digest, created_at, expires_at };
  return { ...card, ...(preview && { preview }) };
};

type Answer = AnswerOf<"PATCH /proposals/:id">;

async function sendVerdict(id: string, verdict: SentVerdict, isAgain: boolean): Promise<Answer> {
  const send = (): Promise<Answer> => call("PATCH /proposals/:id", { params: { id }, body: verdict });
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // "Already decided" may refer to our own decision whose answer was lost.
    const isInDoubt = error.isUnknown || (isAgain && error.status === 409);
    const now = isInDoubt ? await call("GET /proposals/:id", { params: { id } }).catch(() => undefined) : undefined;
    if (now && isDecidedAs(now.proposal, verdict)) return { proposal: now.proposal };
    // The same edit is idempotent: the gateway continues where it stopped.
    if (now && isEdited(now.proposal, verdict)) return send();
    throw error;
  }
}

/** True if the proposal was decided with this verdict, digest and note. */
function isDecidedAs({ approval }: Whole, verdict: SentVerdict): boolean {
  if (verdict.verdict === "edit") return false;
  if (verdict.verdict === "revise")
    return approval?.revision_requested !== undefined && approval.digest === verdict.digest;
  // The digest of a part of a merge is its own; the files tell which part it was.
  const isSame =
    verdict.verdict === "approve" && verdict.files
      ? approval?.files?.toSorted().join("\n") === verdict.files.toSorted().join("\n")
      : approval?.digest === verdict.digest;
  return (
    approval !== undefined &&
    approval.decision === (verdict.verdict === "approve" ? "approved" : "rejected") &&
    isSame &&
    approval.decision_note === verdict.note
  );
}

/** True if an edited copy replaced it, of this edit or of another one: sending the same edit again continues only its own. */
const isEdited = ({ approval }: Whole, { verdict }: SentVerdict): boolean =>
  verdict === "edit" && approval?.superseded_by !== undefined;

const words = {
  rejected: { en: "Rejected.", uk: "Відхилено." },
  sentBack: { en: "Sent back. {} revises it.", uk: "Повернуто. {} доопрацює." },
  returned: { en: "Not applied, and pending again: {}", uk: "Не застосовано, знову чекає рішення: {}" },
  waiting: { en: "Approved and not applied yet: {}", uk: "Схвалено й ще не застосовано: {}" },
  approved: { en: "Approved. {}", uk: "Схвалено. {}" },
  unapplied: { en: "Approved, but not applied: {}", uk: "Схвалено, але застосувати не вдалося: {}" },
  leftInDoubt: {
    en: "The garden did not answer. Check whether “{}” was decided.",
    uk: "Сад не відповів. Перевірте, чи вирішено про «{}».",
  },
  leftBehind: { en: "The decision on “{}” was not recorded. {}", uk: "Рішення про «{}» не прийнято. {}" },
} as const satisfies Record<string, Text>;
