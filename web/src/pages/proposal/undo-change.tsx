import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { call } from "../../api/client.ts";
import type { Proposal as Whole } from "../../api/endpoints.gen.ts";
import { invalidate } from "../../api/queries.ts";
import { ArmedButton } from "../../components/armed-button.tsx";
import { Button } from "../../components/form.tsx";
import { Failed } from "../../components/query-result.tsx";
import { useToast } from "../../components/toasts.tsx";
import { useArmed } from "../../components/use-armed.ts";
import { type Text, useT } from "../../i18n/use-t.ts";
import { graceOf, useWithdraw } from "./use-withdraw.ts";

/** Takes a decision back: by withdrawing it within its grace (P-6a), later by a revert in one click (P-10b). */
export function UndoChange({ proposal }: { readonly proposal: Whole }) {
  const t = useT();
  const withdraw = useWithdraw();
  const isOpen = graceOf(proposal) > 0;
  if (proposal.status === "applied") return <RevertChange proposal={proposal} />;
  if (!isOpen) return null;
  return (
    <div className="row">
      <Button onClick={() => void withdraw([proposal.id])}>{t(words.withdraw)}</Button>
      <span className="quiet">{t(words.soon)}</span>
    </div>
  );
}

function RevertChange({ proposal: { id, target } }: { readonly proposal: Whole }) {
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const navigate = useNavigate();
  const isArmed = useArmed(id);
  const revert = useMutation({
    mutationFn: () => call("POST /proposals/:id/revert", { params: { id }, body: { approve: true } }),
    onSuccess: async ({ proposal: made }) => {
      toast(t(made.status === "applied" ? words.reverted : words.proposed, target));
      await invalidate(client, "/proposals", "/notes", "/agents", "/logic", "/memory");
      await navigate({ to: "/proposals/$id", params: { id: made.id } });
    },
  });
  return (
    <div className="row">
      <ArmedButton isArmed={isArmed} disabled={revert.isPending} onClick={() => revert.mutate()}>
        {t(words.revert)}
      </ArmedButton>
      {revert.error && <Failed error={revert.error} />}
    </div>
  );
}

const words = {
  withdraw: { en: "Withdraw approval", uk: "Відкликати схвалення" },
  soon: { en: "Applied in a few seconds", uk: "Буде застосовано за кілька секунд" },
  revert: { en: "Undo this change", uk: "Скасувати цю зміну" },
  reverted: { en: "The change of {} was undone.", uk: "Зміну {} скасовано." },
  proposed: { en: "Undoing {} needs your decision.", uk: "Скасування {} чекає на ваше рішення." },
} as const satisfies Record<string, Text>;
