import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { PencilLine } from "lucide-react";
import { useEffect, useState } from "react";
import { call } from "../../api/client.ts";
import { invalidate, query } from "../../api/queries.ts";
import { ActionDialog } from "../../components/action-dialog.tsx";
import { useDraft } from "../../components/draft.ts";
import { Button } from "../../components/form.tsx";
import { Failed } from "../../components/query-result.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { AgentHead } from "./agent-head.tsx";
import type { ContractAnswer } from "./contract-answer.ts";
import { ContractForm } from "./contract-form.tsx";
import { contractNotes } from "./contract-notes.ts";
import { ContractSide } from "./contract-side.tsx";
import { ContractText } from "./contract-text.tsx";
import { TryAgent } from "./try-agent.tsx";

const CHECK_AFTER_MS = 250;

/**
 * The contract: a form for the fields, the file beside it, checks and tools. Form and text edit one text, so each follows the other.
 * Typed text stays in this browser until it is saved, which is a commit of the owner.
 */
export function ContractEditor({ report }: { readonly report: ContractAnswer }) {
  const t = useT();
  const { slug, hash } = report;
  const [text, setText] = useDraft(`contract.${slug}`, report.text);
  // The hash of the text that the edit began with: another edit since is noticed, also after a reload.
  const [begun, setBegun] = useDraft(`contract-base.${slug}`);
  const base = begun === "" ? hash : begun;
  const [isSaving, setIsSaving] = useState(false);
  const tools = useQuery(query("GET /tools", {})).data?.tools ?? [];
  const checked = useContractCheck(slug, text);
  const notes = contractNotes(text, checked?.problems ?? report.problems, tools);
  const change = (next: string | undefined): void => {
    if (next === undefined) return;
    setBegun(base);
    setText(next);
  };
  const forget = (): void => {
    setText(undefined);
    setBegun(undefined);
  };
  const isChanged = text !== report.text;
  return (
    <>
      <AgentHead
        report={report}
        tab="contract"
        actions={
          <>
            {isChanged && (
              <>
                <span className="chip">
                  <PencilLine size={13} aria-hidden="true" />
                  {t(words.unsaved)}
                </span>
                <Button tone="ghost" onClick={forget}>
                  {t(words.discard)}
                </Button>
              </>
            )}
            <TryAgent slug={slug} {...(isChanged && { text })} />
            <Button tone="primary" disabled={!isChanged} onClick={() => setIsSaving(true)}>
              {t(words.save)}
            </Button>
          </>
        }
      />
      {base !== hash && (
        <div className="warning stack tight" role="alert">
          <p>{t(words.meanwhile)}</p>
          <p className="row">
            <Button onClick={() => setBegun(hash)}>{t(words.keepMine)}</Button>
            <Button onClick={forget}>{t(words.takeTheirs)}</Button>
          </p>
        </div>
      )}
      <div className="bleed contract-panes">
        <ContractForm text={text} checked={checked} onText={change} />
        <ContractText slug={slug} text={text} notes={notes} onText={change} />
        <ContractSide text={text} checks={checked?.checks ?? report.checks} tools={tools} onText={change} />
      </div>
      {isSaving && (
        <SaveContract
          slug={slug}
          text={text}
          base={base}
          onSaved={forget}
          problems={notes.filter(({ tone }) => tone === "bad").length}
          onClose={() => setIsSaving(false)}
        />
      )}
    </>
  );
}

/** The gateway's check of the text, a moment after the last key. */
function useContractCheck(slug: string, text: string) {
  const [asked, setAsked] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text), CHECK_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return useQuery({
    queryKey: ["POST /agents/:slug/contract/check", slug, asked],
    queryFn: () => call("POST /agents/:slug/contract/check", { params: { slug }, body: { text: asked } }),
    placeholderData: keepPreviousData,
  }).data;
}

function SaveContract(props: {
  readonly slug: string;
  readonly text: string;
  readonly base: string;
  readonly problems: number;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}) {
  const { slug, text, base, problems, onSaved, onClose } = props;
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const [reason, setReason] = useDraft(`contract-why.${slug}`);
  const save = useMutation({
    mutationFn: () =>
      call("PUT /agents/:slug/contract", {
        params: { slug },
        body: { text, base, ...(reason.trim() !== "" && { reason: reason.trim() }) },
      }),
    onSuccess: async ({ changed }) => {
      onSaved();
      setReason(undefined);
      toast(t(changed ? words.saved : words.same));
      onClose();
      await invalidate(client, "/agents", "/models");
    },
    onError: () => void invalidate(client, "/agents"),
  });
  return (
    <ActionDialog
      title={t(words.sure, slug)}
      reason={{ label: t(words.reason), text: reason, onChange: setReason, isRequired: false }}
      action={{
        label: t(words.commit),
        tone: "primary",
        isDisabled: save.isPending || problems > 0,
        onConfirm: () => save.mutate(),
      }}
      error={save.error && <Failed error={save.error} />}
      onClose={onClose}
    >
      <p className="quiet">{problems > 0 ? t(words.problems, problems) : t(words.about)}</p>
    </ActionDialog>
  );
}

const words = {
  unsaved: { en: "Changes not saved", uk: "Зміни не збережено" },
  discard: { en: "Discard changes", uk: "Відкинути зміни" },
  save: { en: "Save…", uk: "Зберегти…" },
  sure: { en: "Save the contract of {}?", uk: "Зберегти контракт {}?" },
  about: {
    en: "It becomes a commit in your name. The next run uses it.",
    uk: "Це стане комітом від вашого імені. Його візьме наступний запуск.",
  },
  problems: {
    en: "{} [problem|problems] must be repaired first. They are shown at their lines.",
    uk: "Спершу виправте: {} [проблема|проблеми|проблем]. Їх показано біля рядків.",
  },
  reason: { en: "Reason (optional; it is recorded)", uk: "Причина (необов’язково; буде в журналі)" },
  commit: { en: "Save contract", uk: "Зберегти контракт" },
  saved: { en: "Contract saved as a commit", uk: "Контракт збережено комітом" },
  same: { en: "Nothing changed", uk: "Нічого не змінилося" },
  meanwhile: {
    en: "The contract has changed since you began. Your text is kept here.",
    uk: "Відколи ви почали, контракт змінився. Ваш текст збережено тут.",
  },
  keepMine: { en: "Keep my text", uk: "Лишити мій текст" },
  takeTheirs: { en: "Take the new text", uk: "Узяти новий текст" },
} as const satisfies Record<string, Text>;
