import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { ActionDialog } from "../../components/action-dialog.tsx";
import { useDraft } from "../../components/draft.ts";
import { Button } from "../../components/form.tsx";
import { Failed } from "../../components/query-result.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

/** L-7: a rollback is a proposal like any change of logic. It needs a reason, and then a decision on its own page. */
export function RollbackButton(props: { readonly slug: string; readonly version: string; readonly current: string }) {
  const { slug, version, current } = props;
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  const [reason, setReason] = useDraft(`rollback.${slug}.${version}`);
  const propose = useMutation({
    mutationFn: () =>
      call("POST /logic/:agentId/rollback", {
        params: { agentId: slug },
        body: { toVersion: version, reason: reason.trim() },
      }),
    onSuccess: async ({ proposal_id }) => {
      setReason(undefined);
      toast(t(words.proposed));
      await invalidate(client, "/proposals", "/logic", "/agents");
      await navigate({ to: "/proposals/$id", params: { id: proposal_id } });
    },
  });
  return (
    <>
      <Button tone="danger" aria-label={t(words.name, version)} onClick={() => setIsOpen(true)}>
        {t(words.open)}
      </Button>
      {isOpen && (
        <ActionDialog
          title={t(words.ask, current, version)}
          reason={{ label: t(words.reason), text: reason, onChange: setReason, isRequired: true }}
          action={{
            label: t(words.propose),
            tone: "danger",
            isDisabled: propose.isPending,
            onConfirm: () => propose.mutate(),
          }}
          error={propose.error && <Failed error={propose.error} />}
          onClose={() => setIsOpen(false)}
        >
          <p>{t(words.how, version)}</p>
        </ActionDialog>
      )}
    </>
  );
}

const words = {
  open: { en: "Roll back …", uk: "Повернутися …" },
  name: { en: "Roll back to {} …", uk: "Повернутися до {} …" },
  ask: { en: "Roll back from {} to {}?", uk: "Повернутися з {} до {}?" },
  how: {
    en: "This creates a proposal with a report of what recorded runs would have done with {}. Nothing changes until you approve it; then it becomes a new version, and no version is lost.",
    uk: "Буде створено пропозицію зі звітом, як записані запуски повелися б за {}. Нічого не зміниться, доки ви її не схвалите; тоді це буде нова версія, і жодна не забудеться.",
  },
  reason: { en: "Reason", uk: "Чому" },
  propose: { en: "Propose rollback", uk: "Запропонувати повернення" },
  proposed: { en: "Proposed. It needs a decision.", uk: "Запропоновано. Чекає рішення." },
} as const satisfies Record<string, Text>;
