import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { ActionDialog } from "../../components/action-dialog.tsx";
import { useDraft } from "../../components/draft.ts";
import { Button, TextArea } from "../../components/form.tsx";
import { Failed } from "../../components/query-result.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

/** Proposes another text for one file of the memory (M-4). The review opens. */
export function EditMemory(props: {
  readonly slug: string;
  readonly name: string;
  readonly text: string;
  readonly version: number;
}) {
  const { slug, name, text, version } = props;
  const t = useT();
  const [isOpen, setIsOpen] = useState(false);
  const [written, setWritten] = useDraft(`memory.${slug}.${name}`, text);
  const open = useOpenProposal();
  const propose = useMutation({
    mutationFn: () =>
      call("POST /memory/:agentId/propose", {
        params: { agentId: slug },
        body: {
          operations: [{ op: "replace", file: `${name}.md`, text: written }],
          expectedVersion: version,
          priority: "normal",
        },
      }),
    onSuccess: async ({ proposal_id: id }) => {
      setWritten(undefined);
      await open(id);
    },
  });
  return (
    <>
      <Button tone="small" onClick={() => setIsOpen(true)}>
        {t(words.edit)}
      </Button>
      {isOpen && (
        <ActionDialog
          title={t(words.editTitle, slug)}
          action={{
            label: t(words.propose),
            tone: "primary",
            isDisabled: propose.isPending || written === text,
            onConfirm: () => propose.mutate(),
          }}
          error={propose.error && <Failed error={propose.error} />}
          onClose={() => setIsOpen(false)}
        >
          <TextArea label={t(words.text)} rows={14} value={written} onText={setWritten} />
        </ActionDialog>
      )}
    </>
  );
}

/** Proposes to restore the memory from a commit, a snapshot or the end of a day. The review opens. */
export function RestoreMemory({ slug, from }: { readonly slug: string; readonly from: string }) {
  const t = useT();
  const [isOpen, setIsOpen] = useState(false);
  const open = useOpenProposal();
  const restore = useMutation({
    mutationFn: () => call("POST /memory/:agentId/restore", { params: { agentId: slug }, body: { from } }),
    onSuccess: ({ proposal_id: id }) => open(id),
  });
  return (
    <>
      <Button tone="quiet small" onClick={() => setIsOpen(true)}>
        {t(words.restore)}
      </Button>
      {isOpen && (
        <ActionDialog
          title={t(words.restoreTitle, slug)}
          action={{
            label: t(words.propose),
            tone: "primary",
            isDisabled: restore.isPending,
            onConfirm: () => restore.mutate(),
          }}
          error={restore.error && <Failed error={restore.error} />}
          onClose={() => setIsOpen(false)}
        >
          <p className="quiet">{t(words.restoreAbout)}</p>
        </ActionDialog>
      )}
    </>
  );
}

function useOpenProposal(): (id: string | undefined) => Promise<void> {
  const navigate = useNavigate();
  const client = useQueryClient();
  return async (id) => {
    await invalidate(client, "/proposals", "/memory");
    if (id !== undefined) await navigate({ to: "/proposals/$id", params: { id } });
  };
}

const words = {
  edit: { en: "Edit", uk: "Змінити" },
  editTitle: { en: "Change the memory of {}", uk: "Змінити пам’ять {}" },
  text: { en: "Text", uk: "Текст" },
  propose: { en: "Propose", uk: "Запропонувати" },
  restore: { en: "Restore this state", uk: "Повернути цей стан" },
  restoreTitle: { en: "Restore the memory of {}?", uk: "Повернути пам’ять {}?" },
  restoreAbout: {
    en: "A proposal is made; the memory changes when you approve it.",
    uk: "Буде створено пропозицію; пам’ять зміниться, коли ви її схвалите.",
  },
} as const satisfies Record<string, Text>;
