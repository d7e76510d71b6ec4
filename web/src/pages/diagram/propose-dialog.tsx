import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
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
import { type DiagramFiles, MAIN_PART } from "./editor-history.ts";
import { Findings } from "./findings.tsx";
import { noteKey } from "./icon-notes.ts";
import type { EditorState } from "./use-editor-state.ts";
import { partsWithErrors } from "./whole-findings.ts";

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
  readonly onShow: (icon: string, part: string) => void;
}) {
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { base, parts } = editor;
  const [reason, setReason] = useDraft(`diagram.${base.slug}.reason`);
  const noted = notedIcons(parts, notes);
  const [evidence, setEvidence] = useState<readonly string[]>([]);
  const runs = useQuery(query("GET /runs", { query: { agent: base.slug, limit: "30" } }));
  // Only finished runs are evidence.
  const ended = (runs.data?.runs ?? []).filter(({ finished_at }) => finished_at !== undefined).slice(0, 12);
  const { keyFor, reset } = useIdempotencyKey();
  const send = useMutation({
    mutationFn: () =>
      call("POST /logic/:agentId/propose", {
        correlation: keyFor([editor.text, reason, evidence]),
        params: { agentId: base.slug },
        body: {
          diagram: editor.text,
          ...(base.version !== undefined && { currentVersion: base.version }),
          rationale: { problem: reason.trim() },
          evidenceRuns: [...evidence],
        },
      }),
    onSuccess: async ({ proposal_id }) => {
      await sendNotes(proposal_id, base.slug, noted).catch(() => toast(t(words.notesLost)));
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
  const broken = useMemo(() => partsWithErrors(parts), [parts]);
  if (broken.length > 0)
    return (
      <ActionDialog title={t(words.cannot)} onClose={onClose}>
        <p>{t(words.why)}</p>
        {broken.map(({ part, findings }) => (
          <div key={part} className="stack tight">
            {part !== MAIN_PART && <p className="label">{parts.get(part)?.name || part}</p>}
            <Findings findings={findings} onShow={(icon) => onShow(icon, part)} />
          </div>
        ))}
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
            {noted.map(({ part, icon, text, note }) => (
              <li key={`${part}#${icon}`}>
                <b>{text.split("\n", 1)[0] || icon}</b>: {note}
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

interface NotedIcon {
  readonly part: string;
  readonly icon: string;
  readonly text: string;
  readonly note: string;
}

/** The comments on icons that still exist. */
function notedIcons(parts: DiagramFiles, notes: Readonly<Record<string, string>>): readonly NotedIcon[] {
  return [...parts].flatMap(([part, { icons }]) =>
    [...icons.values()].flatMap(({ id, text }) => {
      const note = notes[noteKey(part, id)]?.trim() ?? "";
      return note === "" ? [] : [{ part, icon: id, text, note }];
    }),
  );
}

/** P-10c: each comment becomes a remark at its icon. Idempotent by the key. */
async function sendNotes(id: string, slug: string, noted: readonly NotedIcon[]): Promise<void> {
  for (const { part, icon, note } of noted)
    await call("POST /proposals/:id/remarks", {
      params: { id },
      body: {
        text: note,
        place: {
          path: `logic/${slug}/current.drakon.json`,
          side: "after",
          icon,
          ...(part !== MAIN_PART && { diagram: part }),
        },
        key: `note ${part}#${icon}`,
      },
    });
}

const words = {
  notes: {
    en: "Your comments on icons, shown at them in the review",
    uk: "Ваші коментарі до ікон, показані біля них під час розгляду",
  },
  notesLost: {
    en: "Proposed, but a comment on an icon was not saved. Add it in the review.",
    uk: "Запропоновано, але коментар до ікони не збережено. Додайте його під час розгляду.",
  },
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
