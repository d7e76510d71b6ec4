import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api/client.ts";
import type { LibraryDetail } from "../../api/endpoints.gen.ts";
import { invalidate } from "../../api/queries.ts";
import { ActionDialog } from "../../components/action-dialog.tsx";
import { Button } from "../../components/form.tsx";
import { MutationError } from "../../components/mutation-error.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

/** Ends the announcement of an own behaviour, or forgets one that only has a name or came from a file. */
export function WithdrawBehaviour({ detail }: { readonly detail: LibraryDetail }) {
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const isPublished = detail.source === "own";
  const withdraw = useMutation({
    mutationFn: () => call("POST /library/:id/withdraw", { params: { id: detail.id }, body: {} }),
    onSuccess: () => {
      toast(t(isPublished ? words.withdrawn : words.forgotten, detail.name));
      setIsAsking(false);
      return invalidate(client, "/library", "/federation");
    },
  });
  return (
    <>
      <Button tone="small ghost" onClick={() => setIsAsking(true)}>
        {t(isPublished ? words.withdraw : words.forget)}
      </Button>
      {isAsking && (
        <ActionDialog
          title={t(isPublished ? words.withdrawOne : words.forgetOne, detail.name)}
          action={{
            label: t(isPublished ? words.withdrawNow : words.forgetNow),
            tone: "danger",
            isDisabled: withdraw.isPending,
            onConfirm: () => withdraw.mutate(),
          }}
          error={withdraw.error && <MutationError error={withdraw.error} />}
          onClose={() => setIsAsking(false)}
        >
          <p>{t(isPublished ? words.kept : words.local)}</p>
        </ActionDialog>
      )}
    </>
  );
}

const words = {
  withdraw: { en: "Withdraw…", uk: "Відкликати…" },
  forget: { en: "Remove from the library…", uk: "Прибрати з бібліотеки…" },
  withdrawOne: { en: "Withdraw “{}”", uk: "Відкликати «{}»" },
  forgetOne: { en: "Remove “{}” from the library", uk: "Прибрати «{}» з бібліотеки" },
  withdrawNow: { en: "Withdraw it", uk: "Відкликати" },
  forgetNow: { en: "Remove it", uk: "Прибрати" },
  kept: {
    en: "It is no longer announced. What others have fetched, they keep.",
    uk: "Її більше не оголошують. Що інші вже отримали, те в них лишиться.",
  },
  local: { en: "The logic of agents does not change.", uk: "Логіка агентів не зміниться." },
  withdrawn: { en: "“{}” is no longer announced", uk: "«{}» більше не оголошується" },
  forgotten: { en: "“{}” is removed from the library", uk: "«{}» прибрано з бібліотеки" },
} as const satisfies Record<string, Text>;
