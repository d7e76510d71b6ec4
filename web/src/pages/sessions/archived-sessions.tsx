import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type AnswerOf, call } from "../../api/client.ts";
import { invalidate, query } from "../../api/queries.ts";
import { ActionDialog } from "../../components/action-dialog.tsx";
import { Button } from "../../components/form.tsx";
import { MutationError } from "../../components/mutation-error.tsx";
import { When } from "../../components/tags.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { KindGlyph } from "./commit-kind.tsx";

type Archived = AnswerOf<"GET /session-archive">["sessions"][number];

/** Sessions that were put away: each can be brought back, or deleted for good. */
export function ArchivedSessions() {
  const t = useT();
  const sessions = useQuery(query("GET /session-archive", {})).data?.sessions ?? [];
  if (sessions.length === 0) return null;
  return (
    <details>
      <summary>{t(words.archive, sessions.length)}</summary>
      <ul className="rows" aria-label={t(words.title)}>
        {sessions.map((session) => (
          <ArchivedRow key={`${session.name} ${session.head.commit}`} session={session} />
        ))}
      </ul>
    </details>
  );
}

function ArchivedRow({ session: { name, head } }: { readonly session: Archived }) {
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const refresh = (): Promise<void> => invalidate(client, "/sessions", "/session-archive", "/session-graph");
  const at = head.commit;
  const restore = useMutation({
    mutationFn: () => call("POST /sessions/:name/restore", { params: { name }, body: { at } }),
    onSuccess: refresh,
    onError: (error) => toast(error.message),
  });
  const remove = useMutation({
    mutationFn: () => call("DELETE /session-archive/:name", { params: { name }, query: { at } }),
    onSuccess: () => {
      setIsOpen(false);
      return refresh();
    },
  });
  return (
    <li className="list-row">
      <KindGlyph kind={head.kind} />
      <span className="session-title">
        <span className="title cut">{name}</span>
        <span className="meta cut">
          {head.message} · <When at={head.at} />
        </span>
      </span>
      <span className="row">
        <Button tone="small" disabled={restore.isPending} onClick={() => restore.mutate()}>
          {t(words.restore)}
        </Button>
        <Button tone="small danger" onClick={() => setIsOpen(true)}>
          {t(words.delete)}
        </Button>
      </span>
      {isOpen && (
        <ActionDialog
          title={t(words.deleteAsk, name)}
          action={{
            label: t(words.delete),
            tone: "danger",
            isDisabled: remove.isPending,
            onConfirm: () => remove.mutate(),
          }}
          error={remove.error && <MutationError error={remove.error} />}
          onClose={() => setIsOpen(false)}
        >
          <p className="quiet">{t(words.deleteAbout)}</p>
        </ActionDialog>
      )}
    </li>
  );
}

const words = {
  title: { en: "Archive of sessions", uk: "Архів сесій" },
  archive: { en: "Archive: {} [session|sessions]", uk: "Архів: {} [сесія|сесії|сесій]" },
  restore: { en: "Restore", uk: "Повернути" },
  delete: { en: "Delete", uk: "Видалити" },
  deleteAsk: { en: "Delete {} for good?", uk: "Видалити {} назавжди?" },
  deleteAbout: {
    en: "Commits that main or another session does not have are lost.",
    uk: "Коміти, яких немає в main чи іншій сесії, буде втрачено.",
  },
} as const satisfies Record<string, Text>;
