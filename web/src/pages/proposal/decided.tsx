import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { call } from "../../api/client.ts";
import type { Proposal as Whole } from "../../api/endpoints.gen.ts";
import { outdate } from "../../api/queries.ts";
import { Failed } from "../../parts/state.tsx";
import { When } from "../../parts/tags.tsx";
import { nameOf } from "../../parts/words.ts";
import { type Text, useSay } from "../../words/say.ts";

/** What was decided, by whom, and what came of it. */
export function Decided({ proposal: { approval, apply_result } }: { readonly proposal: Whole }) {
  const say = useSay();
  return (
    <section className="card stack tight">
      <h2>{say(words.decision)}</h2>
      <p>
        {nameOf(approval!.decided_by, say)} · <When at={approval!.decided_at} />
      </p>
      {approval!.decision_note !== undefined && <p className="said">{approval!.decision_note}</p>}
      {apply_result?.git_commit !== undefined && (
        <p>
          {say(words.commit)}{" "}
          <Link to="/why" search={{ subject: apply_result.git_commit }}>
            <code>{apply_result.git_commit.slice(0, 10)}</code>
          </Link>
        </p>
      )}
      {apply_result?.error && <p role="alert">{say(apply_result.error.message)}</p>}
    </section>
  );
}

export function Retry({ proposal }: { readonly proposal: Whole }) {
  const say = useSay();
  const client = useQueryClient();
  const retry = useMutation({
    mutationFn: () => call("PATCH /proposals/:id", { params: { id: proposal.id }, body: { verdict: "retry" } }),
    onSettled: () => outdate(client, "/proposals"),
  });
  return (
    <div className="row">
      <button type="button" className="button" disabled={retry.isPending} onClick={() => retry.mutate()}>
        {say(words.retry)}
      </button>
      {retry.error && <Failed error={retry.error} />}
    </div>
  );
}

const words = {
  decision: { en: "Decision", uk: "Рішення" },
  commit: { en: "Commit", uk: "Коміт" },
  retry: { en: "Try to apply again", uk: "Спробувати застосувати знову" },
} as const satisfies Record<string, Text>;
