import { Link } from "@tanstack/react-router";
import { GitMerge } from "lucide-react";
import { useState } from "react";
import { ApiError } from "../../api/client.ts";
import { ActionDialog } from "../../components/action-dialog.tsx";
import { Button } from "../../components/form.tsx";
import { MutationError } from "../../components/mutation-error.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { useProposeMerge } from "../session/use-propose-merge.ts";

/** S-10: proposes to merge another garden's session into this one, and leads to the review. A grant for `merge` must allow it. */
export function MergeHere({ name, head }: { readonly name: string; readonly head: string }) {
  const t = useT();
  const [isOpen, setIsOpen] = useState(false);
  const propose = useProposeMerge(name, head);
  const isForbidden = propose.error instanceof ApiError && propose.error.status === 403;
  return (
    <>
      <Button tone="primary small" onClick={() => setIsOpen(true)}>
        <GitMerge size={14} aria-hidden="true" />
        {t(words.open)}
      </Button>
      {isOpen && (
        <ActionDialog
          title={t(words.title, name)}
          action={{
            label: t(words.propose),
            tone: "primary",
            isDisabled: propose.isPending,
            onConfirm: () => propose.mutate(),
          }}
          error={
            propose.error && (
              <>
                <MutationError error={propose.error} fate="repeat" />
                {isForbidden && (
                  <p>
                    <Link to="/other-gardens" hash="grants">
                      {t(words.grants)}
                    </Link>
                  </p>
                )}
              </>
            )
          }
          onClose={() => setIsOpen(false)}
        >
          <p className="quiet">{t(words.about)}</p>
        </ActionDialog>
      )}
    </>
  );
}

const words = {
  open: { en: "Merge into this garden…", uk: "Злити в цей сад…" },
  title: { en: "Merge {} into this garden?", uk: "Злити {} у цей сад?" },
  about: {
    en: "This makes a proposal. You review its files and decide; nothing changes before. Only notes and attachments come.",
    uk: "Це створить пропозицію. Ви переглянете файли й вирішите; до того нічого не зміниться. Прийдуть лише нотатки й вкладення.",
  },
  propose: { en: "Propose the merge", uk: "Запропонувати злиття" },
  grants: { en: "What other gardens may do here", uk: "Що інші сади можуть тут робити" },
} as const satisfies Record<string, Text>;
