import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { ActionDialog } from "../../components/action-dialog.tsx";
import { Button, TextField } from "../../components/form.tsx";
import { Failed } from "../../components/query-result.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

/** Deletes an archived agent, after its name was typed (C-6). */
export function DeleteAgent({ slug }: { readonly slug: string }) {
  const t = useT();
  const toast = useToast();
  const navigate = useNavigate();
  const client = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const [reason, setReason] = useState("");
  const remove = useMutation({
    mutationFn: () =>
      call("DELETE /agents/:slug", {
        params: { slug },
        query: { confirm: typed, ...(reason.trim() !== "" && { reason: reason.trim() }) },
      }),
    onSuccess: async () => {
      toast(t(words.deleted, slug));
      await navigate({ to: "/agents" });
      await invalidate(client, "/agents");
    },
  });
  return (
    <section className="stack tight" aria-labelledby="delete">
      <h2 id="delete">{t(words.title)}</h2>
      <p className="quiet">{t(words.about)}</p>
      <p>
        <Button tone="danger" onClick={() => setIsOpen(true)}>
          {t(words.open)}
        </Button>
      </p>
      {isOpen && (
        <ActionDialog
          title={t(words.sure, slug)}
          reason={{ label: t(words.reason), text: reason, onChange: setReason, isRequired: false }}
          action={{
            label: t(words.title),
            tone: "danger",
            isDisabled: typed !== slug || remove.isPending,
            onConfirm: () => remove.mutate(),
          }}
          error={remove.error && <Failed error={remove.error} />}
          onClose={() => setIsOpen(false)}
        >
          <TextField label={t(words.type, slug)} value={typed} autoComplete="off" onText={setTyped} />
        </ActionDialog>
      )}
    </section>
  );
}

const words = {
  title: { en: "Delete agent", uk: "Видалити агента" },
  open: { en: "Delete agent …", uk: "Видалити агента …" },
  about: {
    en: "Its files stay in the history of git, and its runs and proposals are kept.",
    uk: "Його файли лишаються в історії git, а запуски й пропозиції зберігаються.",
  },
  sure: { en: "Delete {}?", uk: "Видалити {}?" },
  type: { en: "Type {} to confirm", uk: "Для підтвердження введіть {}" },
  reason: { en: "Reason (optional; it is recorded)", uk: "Причина (необов’язково; буде в журналі)" },
  deleted: { en: "{} is deleted", uk: "{} видалено" },
} as const satisfies Record<string, Text>;
