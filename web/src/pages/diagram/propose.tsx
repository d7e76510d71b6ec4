import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { hasErrors } from "../../../../src/drakon/finding.ts";
import { call } from "../../api/client.ts";
import { useOneWish } from "../../api/one-wish.ts";
import { outdate, reading } from "../../api/queries.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { useDraft } from "../../parts/draft.ts";
import { useTell } from "../../parts/notices.tsx";
import { Failed } from "../../parts/state.tsx";
import { StateTag, When } from "../../parts/tags.tsx";
import { type Text, useSay } from "../../words/say.ts";
import { Findings } from "./findings.tsx";
import type { Editor } from "./use-editor.ts";

/** Saving is a proposal (L-6): it says why, names the runs that show it, and waits for a decision like any other. */
export function Propose({
  editor,
  onClose,
  onShow,
}: {
  readonly editor: Editor;
  readonly onClose: () => void;
  readonly onShow: (icon: string) => void;
}) {
  const say = useSay();
  const tell = useTell();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { base, diagram, checked } = editor;
  const [reason, setReason] = useDraft(`diagram.${base.slug}.reason`);
  const [evidence, setEvidence] = useState<readonly string[]>([]);
  const runs = useQuery(reading("GET /runs", { query: { agent: base.slug, limit: "30" } }));
  // Only what has ended shows anything.
  const ended = (runs.data?.runs ?? []).filter(({ finished_at }) => finished_at !== undefined).slice(0, 12);
  const { wishName, answered } = useOneWish();
  const send = useMutation({
    mutationFn: () =>
      call("POST /logic/:agentId/propose", {
        correlation: wishName([diagram.source.text, reason, evidence]),
        params: { agentId: base.slug },
        body: {
          diagram: diagram.source.text,
          ...(base.version !== undefined && { currentVersion: base.version }),
          rationale: { problem: reason.trim() },
          evidenceRuns: [...evidence],
        },
      }),
    onSuccess: async ({ proposal_id }) => {
      answered();
      setReason(undefined);
      editor.forget();
      tell(say(words.proposed));
      await outdate(client, "/proposals", "/logic", "/agents");
      await navigate({ to: "/proposals/$id", params: { id: proposal_id } });
    },
    // The gateway may know of a run that ended meanwhile and asks for it as evidence.
    onError: () => outdate(client, "/runs"),
  });
  if (hasErrors(checked.findings)) {
    return (
      <Dialog title={say(words.cannot)} onClose={onClose}>
        <p>{say(words.why)}</p>
        <Findings findings={checked.findings.filter(({ severity }) => severity === "error")} onShow={onShow} />
        <div className="row">
          <button type="button" className="button" onClick={onClose}>
            {say(words.back)}
          </button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={say(words.title)} onClose={onClose}>
      <p className="quiet small">{say(words.waits)}</p>
      <label className="labelled">
        <span>{say(words.reason)}</span>
        <textarea className="field" rows={3} value={reason} onChange={({ target }) => setReason(target.value)} />
      </label>
      {ended.length > 0 && (
        <fieldset className="diagram-evidence">
          <legend>{say(words.evidence)}</legend>
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
      {send.error && <Failed error={send.error} />}
      <div className="row">
        <button
          type="button"
          className="button primary"
          disabled={reason.trim() === "" || send.isPending}
          onClick={() => send.mutate()}
        >
          {say(words.send)}
        </button>
        <button type="button" className="button" onClick={onClose}>
          {say(words.back)}
        </button>
      </div>
    </Dialog>
  );
}

const words = {
  title: { en: "Propose this diagram", uk: "Запропонувати цю діаграму" },
  waits: {
    en: "It becomes a proposal. The agent follows it only after it was approved.",
    uk: "Це стане пропозицією. Агент дотримуватиметься її лише після схвалення.",
  },
  reason: { en: "Why: what is not as it should be", uk: "Чому: що зараз не так" },
  evidence: { en: "Runs that show it", uk: "Запуски, які це показують" },
  send: { en: "Propose", uk: "Запропонувати" },
  back: { en: "Back", uk: "Назад" },
  proposed: { en: "Proposed. It waits for a decision.", uk: "Запропоновано. Чекає рішення." },
  cannot: { en: "This diagram cannot be proposed yet", uk: "Цю діаграму ще не можна запропонувати" },
  why: {
    en: "It has errors: nobody could say what it means. They lead to their icons.",
    uk: "У ній є помилки: ніхто не скаже, що вона означає. Вони ведуть до своїх ікон.",
  },
} as const satisfies Record<string, Text>;
