import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { hasErrors } from "../../../../src/drakon/finding.ts";
import { call } from "../../api/client.ts";
import { useIdempotencyKey } from "../../api/idempotency-key.ts";
import { invalidate, query } from "../../api/queries.ts";
import { ActionDialog } from "../../components/action-dialog.tsx";
import { useDraft } from "../../components/draft.ts";
import { TextArea } from "../../components/form.tsx";
import { Failed } from "../../components/query-result.tsx";
import { StateTag, When } from "../../components/tags.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { Findings } from "./findings.tsx";
import type { EditorState } from "./use-editor-state.ts";

/** Saving a diagram makes a proposal (L-6) with a reason and evidence runs. */
export function ProposeDialog({
  editor,
  notes,
  onClose,
  onProposed,
  onShow,
}: {
  readonly editor: EditorState;
  /** Comments for reviewers, by icon. */
  readonly notes: Readonly<Record<string, string>>;
  readonly onClose: () => void;
  readonly onProposed: () => void;
  readonly onShow: (icon: string) => void;
}) {
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { base, diagram, checked } = editor;
  const [reason, setReason] = useDraft(`diagram.${base.slug}.reason`);
  const noted = Object.entries(notes).flatMap(([icon, note]) => {
    const found = diagram.icons.get(icon);
    return found && note.trim() !== "" ? [{ name: found.text.split("\n", 1)[0] || icon, note: note.trim() }] : [];
  });
  const [evidence, setEvidence] = useState<readonly string[]>([]);
  const runs = useQuery(query("GET /runs", { query: { agent: base.slug, limit: "30" } }));
  // Only finished runs are evidence.
  const ended = (runs.data?.runs ?? []).filter(({ finished_at }) => finished_at !== undefined).slice(0, 12);
  const { keyFor, reset } = useIdempotencyKey();
  const send = useMutation({
    mutationFn: () =>
      call("POST /logic/:agentId/propose", {
        correlation: keyFor([diagram.source.text, withNotes(reason, noted), evidence]),
        params: { agentId: base.slug },
        body: {
          diagram: diagram.source.text,
          ...(base.version !== undefined && { currentVersion: base.version }),
          rationale: { problem: withNotes(reason, noted) },
          evidenceRuns: [...evidence],
        },
      }),
    onSuccess: async ({ proposal_id }) => {
      reset();
      setReason(undefined);
      editor.forget();
      onProposed();
      toast(t(words.proposed));
      await invalidate(client, "/proposals", "/logic", "/agents");
      await navigate({ to: "/proposals/$id", params: { id: proposal_id } });
    },
    // A run may have ended meanwhile, and the gateway then requires evidence.
    onError: () => invalidate(client, "/runs"),
  });
  if (hasErrors(checked.findings))
    return (
      <ActionDialog title={t(words.cannot)} onClose={onClose}>
        <p>{t(words.why)}</p>
        <Findings findings={checked.findings.filter(({ severity }) => severity === "error")} onShow={onShow} />
      </ActionDialog>
    );
  return (
    <ActionDialog
      title={t(words.title)}
      action={{
        label: t(words.send),
        tone: "primary",
        isDisabled: reason.trim() === "" || send.isPending,
        onConfirm: () => send.mutate(),
      }}
      error={send.error && <Failed error={send.error} />}
      onClose={onClose}
    >
      <p className="quiet small">{t(words.waits)}</p>
      <TextArea label={t(words.reason)} rows={3} value={reason} onText={setReason} />
      {noted.length > 0 && (
        <div className="stack tight">
          <p className="label">{t(words.notes)}</p>
          <ul className="small">
            {noted.map(({ name, note }) => (
              <li key={name}>
                <b>{name}</b>: {note}
              </li>
            ))}
          </ul>
        </div>
      )}
      {ended.length > 0 && (
        <fieldset className="diagram-evidence">
          <legend>{t(words.evidence)}</legend>
          {ended.map(({ run_id, state, requested_at, outcome }) => (
            <label key={run_id} className="row">
              <input
                type="checkbox"
                checked={evidence.includes(run_id)}
                onChange={({ target }) =>
                  setEvidence(target.checked ? [...evidence, run_id] : evidence.filter((each) => each !== run_id))
                }
              />
              <StateTag kind="run" state={state} />
              <When at={requested_at} />
              <code className="small quiet">…{run_id.slice(-6)}</code>
              {outcome?.reason !== undefined && <span className="small quiet break">{outcome.reason}</span>}
            </label>
          ))}
        </fieldset>
      )}
    </ActionDialog>
  );
}

/** The reason with the comments on icons, one per line. */
const withNotes = (reason: string, noted: readonly { readonly name: string; readonly note: string }[]): string =>
  [reason.trim(), ...noted.map(({ name, note }) => `“${name}”: ${note}`)].join("\n\n");

const words = {
  notes: { en: "Your comments on icons, sent with the reason", uk: "Ваші коментарі до ікон, надсилаються з причиною" },
  title: { en: "Propose this diagram", uk: "Запропонувати цю діаграму" },
  waits: {
    en: "This creates a proposal. The agent follows the diagram once you approve it.",
    uk: "Це стане пропозицією. Агент дотримуватиметься її лише після схвалення.",
  },
  reason: { en: "Reason: what is wrong now", uk: "Чому: що зараз не так" },
  evidence: { en: "Evidence", uk: "Запуски, які це показують" },
  send: { en: "Propose", uk: "Запропонувати" },
  proposed: { en: "Proposed. It needs a decision.", uk: "Запропоновано. Чекає рішення." },
  cannot: { en: "This diagram cannot be proposed yet", uk: "Цю діаграму ще не можна запропонувати" },
  why: {
    en: "Fix these errors first. Select one to see its icon.",
    uk: "У ній є помилки: ніхто не скаже, що вона означає. Вони ведуть до своїх ікон.",
  },
} as const satisfies Record<string, Text>;
