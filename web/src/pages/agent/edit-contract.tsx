import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type AnswerOf, ApiError, call } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { useDraft } from "../../components/draft.ts";
import { Button, Form, TextArea, TextField } from "../../components/form.tsx";
import { Failed } from "../../components/query-result.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { type ContractAnswer, ContractProblem } from "./contract-problem.tsx";

/** Edits the contract's text. It is checked before it is written; problems are shown with their lines, and nothing typed is lost. */
export function EditContract({ report, onClose }: { readonly report: ContractAnswer; readonly onClose: () => void }) {
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const { slug, hash } = report;
  const [text, setText] = useDraft(`contract.${slug}`, report.text);
  // The hash of the text that the edit began with: another edit since is noticed, also after a reload.
  const [begun, setBegun] = useDraft(`contract-base.${slug}`);
  const base = begun === "" ? hash : begun;
  const [reason, setReason] = useDraft(`contract-why.${slug}`);
  const forget = (): void => {
    setText(undefined);
    setBegun(undefined);
    setReason(undefined);
  };
  const save = useMutation({
    mutationFn: () =>
      call("PUT /agents/:slug/contract", {
        params: { slug },
        body: { text, base, ...(reason.trim() !== "" && { reason: reason.trim() }) },
      }),
    onSuccess: async ({ changed }) => {
      forget();
      toast(t(changed ? words.saved : words.same));
      await invalidate(client, "/agents", "/models");
      onClose();
    },
    onError: () => void invalidate(client, "/agents"),
  });
  const problems = problemsIn(save.error);
  const isChangedMeanwhile = base !== hash;
  return (
    <Form className="stack" onSubmit={() => save.mutate()}>
      {isChangedMeanwhile && (
        <div className="warning stack tight" role="alert">
          <p>{t(words.meanwhile)}</p>
          <p className="row">
            <Button onClick={() => setBegun(hash)}>{t(words.keepMine)}</Button>
            <Button onClick={forget}>{t(words.takeTheirs)}</Button>
          </p>
        </div>
      )}
      <TextArea
        label={`agents/${slug}/_agent.md`}
        className="field source-text"
        rows={Math.min(40, text.split("\n").length + 2)}
        spellCheck={false}
        value={text}
        onText={(now) => {
          setBegun(base);
          setText(now);
        }}
      />
      {problems.length > 0 ? (
        <div className="stack tight" role="alert">
          <strong>{t(words.refused)}</strong>
          {problems.map((problem) => (
            <ContractProblem key={`${problem.line} ${problem.field} ${problem.found.en}`} problem={problem} />
          ))}
        </div>
      ) : (
        save.error && <Failed error={save.error} />
      )}
      <TextField label={t(words.reason)} value={reason} maxLength={2000} onText={setReason} />
      <div className="row">
        <button type="submit" className="button primary" disabled={save.isPending || text === report.text}>
          {t(words.save)}
        </button>
        <Button
          onClick={() => {
            forget();
            onClose();
          }}
        >
          {t(words.discard)}
        </Button>
      </div>
    </Form>
  );
}

type Problem = AnswerOf<"GET /agents/:slug/contract">["problems"][number];

/** The problems that a refusal lists, each with its line. */
const problemsIn = (error: Error | null): readonly Problem[] =>
  error instanceof ApiError && Array.isArray(error.details["problems"])
    ? (error.details["problems"] as readonly Problem[])
    : [];

const words = {
  save: { en: "Save contract", uk: "Зберегти контракт" },
  discard: { en: "Discard changes", uk: "Відкинути зміни" },
  saved: { en: "Contract saved as a commit", uk: "Контракт збережено комітом" },
  same: { en: "Nothing changed", uk: "Нічого не змінилося" },
  refused: { en: "The contract was not saved:", uk: "Контракт не збережено:" },
  reason: { en: "Reason (optional; it is in the commit)", uk: "Причина (необов’язково; буде в коміті)" },
  meanwhile: {
    en: "The contract was changed since you began. Your text is kept.",
    uk: "Контракт змінили, відколи ви почали. Ваш текст збережено.",
  },
  keepMine: { en: "Replace it with my text", uk: "Замінити моїм текстом" },
  takeTheirs: { en: "Discard mine and edit the new one", uk: "Відкинути моє й правити новий" },
} as const satisfies Record<string, Text>;
