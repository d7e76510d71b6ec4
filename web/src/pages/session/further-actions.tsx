import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { GitMerge } from "lucide-react";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { ActionDialog } from "../../components/action-dialog.tsx";
import { useDraft } from "../../components/draft.ts";
import { Button } from "../../components/form.tsx";
import { MutationError } from "../../components/mutation-error.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { useProposeMerge } from "./use-propose-merge.ts";

/** S-11: proposes to merge the newest commit of a session into main. Nothing changes until it is reviewed and approved. */
export function ProposeMerge({ name, head }: { readonly name: string; readonly head: string }) {
  const t = useT();
  const toast = useToast();
  const propose = useProposeMerge(name, head);
  return (
    <Button
      tone="primary small"
      disabled={propose.isPending}
      onClick={() => propose.mutate(undefined, { onError: (error) => toast(error.message) })}
    >
      <GitMerge size={14} aria-hidden="true" />
      {t(words.propose)}
    </Button>
  );
}

/** S-2: out of the branches, with everything kept; the list of sessions brings it back. */
export function ArchiveSession({ name }: { readonly name: string }) {
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  const archive = useMutation({
    mutationFn: () => call("POST /sessions/:name/archive", { params: { name } }),
    async onSuccess() {
      toast(t(words.archived, name));
      await navigate({ to: "/sessions" });
      return invalidate(client, "/sessions", "/session-archive", "/session-graph");
    },
  });
  return (
    <>
      <Button tone="ghost small" onClick={() => setIsOpen(true)}>
        {t(words.archive)}
      </Button>
      {isOpen && (
        <ActionDialog
          title={t(words.archiveAsk, name)}
          action={{
            label: t(words.archiveNow),
            tone: "primary",
            isDisabled: archive.isPending,
            onConfirm: () => archive.mutate(),
          }}
          error={archive.error && <MutationError error={archive.error} />}
          onClose={() => setIsOpen(false)}
        >
          <p className="quiet">{t(words.archiveAbout)}</p>
        </ActionDialog>
      )}
    </>
  );
}

/** S-2, S-6: a branch that a person made or rewrote gets what a session needs. */
export function AdoptSession({ name, hasGoal }: { readonly name: string; readonly hasGoal: boolean }) {
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const [goal, setGoal] = useDraft(`adopt.${name}`);
  const adopt = useMutation({
    mutationFn: () =>
      call("POST /sessions/:name/adopt", { params: { name }, body: goal.trim() === "" ? {} : { goal: goal.trim() } }),
    onSuccess({ byHand, rebound }) {
      setIsOpen(false);
      setGoal(undefined);
      toast(t(words.adopted, byHand, rebound.bound.length));
      return invalidate(client, "/sessions", "/session-graph", "/traces");
    },
  });
  return (
    <>
      <Button tone="small" onClick={() => setIsOpen(true)}>
        {t(words.adopt)}
      </Button>
      {isOpen && (
        <ActionDialog
          title={t(words.adoptAsk, name)}
          reason={{ label: t(words.goal), text: goal, onChange: setGoal, isRequired: !hasGoal }}
          action={{
            label: t(words.adopt),
            tone: "primary",
            isDisabled: adopt.isPending,
            onConfirm: () => adopt.mutate(),
          }}
          error={adopt.error && <MutationError error={adopt.error} fate="repeat" />}
          onClose={() => setIsOpen(false)}
        >
          <p className="quiet">{t(words.adoptAbout)}</p>
        </ActionDialog>
      )}
    </>
  );
}

const words = {
  propose: { en: "Propose the merge", uk: "Запропонувати злиття" },
  archive: { en: "Archive", uk: "В архів" },
  archiveAsk: { en: "Archive {}?", uk: "Відкласти {} в архів?" },
  archiveNow: { en: "Archive the session", uk: "Відкласти сесію" },
  archiveAbout: {
    en: "The branch is taken away; commits, briefing and traces are kept. The list of sessions brings it back.",
    uk: "Гілку буде прибрано; коміти, завдання і сліди лишаться. Повернути сесію можна зі списку.",
  },
  archived: { en: "{} is in the archive.", uk: "{} в архіві." },
  adopt: { en: "Adopt the branch", uk: "Узяти гілку" },
  adoptAsk: { en: "Adopt {}?", uk: "Узяти {}?" },
  adoptAbout: {
    en: "Its briefing, its first commit and its traces are put right, so that an agent can work on it again. No commit of yours changes.",
    uk: "Завдання, перший коміт і сліди буде виправлено, щоб агент міг працювати далі. Ваші коміти не зміняться.",
  },
  goal: { en: "Goal", uk: "Мета" },
  adopted: {
    en: "Adopted, with {} [commit|commits] by hand; {} got traces.",
    uk: "Узято, вручну: {} [коміт|коміти|комітів]; сліди отримали {}.",
  },
} as const satisfies Record<string, Text>;
