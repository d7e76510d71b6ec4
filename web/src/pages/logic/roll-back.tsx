import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { outdate } from "../../api/queries.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { useDraft } from "../../parts/draft.ts";
import { useTell } from "../../parts/notices.tsx";
import { Failed } from "../../parts/state.tsx";
import { type Text, useSay } from "../../words/say.ts";

/** L-7: going back is a proposal like any change of logic. It needs a reason, and then a decision on its own page. */
export function RollBack(props: { readonly slug: string; readonly version: string; readonly current: string }) {
  const { slug, version, current } = props;
  const say = useSay();
  const tell = useTell();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [asks, setAsks] = useState(false);
  const [reason, setReason] = useDraft(`rollback.${slug}.${version}`);
  const propose = useMutation({
    mutationFn: () =>
      call("POST /logic/:agentId/rollback", {
        params: { agentId: slug },
        body: { toVersion: version, reason: reason.trim() },
      }),
    onSuccess: async ({ proposal_id }) => {
      setReason(undefined);
      tell(say(words.proposed));
      await outdate(client, "/proposals", "/logic", "/agents");
      await navigate({ to: "/proposals/$id", params: { id: proposal_id } });
    },
  });
  return (
    <>
      <button
        type="button"
        className="button danger"
        aria-label={say(words.name, version)}
        onClick={() => setAsks(true)}
      >
        {say(words.open)}
      </button>
      {asks && (
        <Dialog title={say(words.ask, current, version)} onClose={() => setAsks(false)}>
          <p>{say(words.how, version)}</p>
          <label className="labelled">
            <span>{say(words.reason)}</span>
            <textarea className="field" rows={3} value={reason} onChange={({ target }) => setReason(target.value)} />
          </label>
          {propose.error && <Failed error={propose.error} />}
          <div className="row">
            <button
              type="button"
              className="button danger"
              disabled={reason.trim() === "" || propose.isPending}
              onClick={() => propose.mutate()}
            >
              {say(words.propose)}
            </button>
            <button type="button" className="button" onClick={() => setAsks(false)}>
              {say(words.back)}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}

const words = {
  open: { en: "Go back …", uk: "Повернутися …" },
  name: { en: "Go back to {} …", uk: "Повернутися до {} …" },
  ask: { en: "Go back from {} to {}?", uk: "Повернутися з {} до {}?" },
  how: {
    en: "This makes a proposal with a report of what recorded runs would have done by {}. Nothing changes until you approve it, and then it is a new version: nothing is forgotten.",
    uk: "Постане пропозиція зі звітом, як записані запуски повелися б за {}. Нічого не зміниться, доки ви її не схвалите; тоді це буде нова версія, і жодна не забудеться.",
  },
  reason: { en: "Why", uk: "Чому" },
  propose: { en: "Propose to go back", uk: "Запропонувати повернення" },
  back: { en: "Not now", uk: "Не зараз" },
  proposed: { en: "Proposed. It waits for a decision.", uk: "Запропоновано. Чекає рішення." },
} as const satisfies Record<string, Text>;
