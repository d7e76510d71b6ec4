import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import type { Proposal as Whole } from "../../api/endpoints.gen.ts";
import { invalidate } from "../../api/queries.ts";
import { Button } from "../../components/form.tsx";
import { actorName } from "../../components/labels.ts";
import { CommitLink, RunLink } from "../../components/links.tsx";
import { Failed } from "../../components/query-result.tsx";
import { When } from "../../components/tags.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

/** The decision: by whom, when, why, and the resulting commit or error. */
export function DecisionSummary({ proposal: { approval, apply_result, waiting } }: { readonly proposal: Whole }) {
  const t = useT();
  return (
    <section className="card stack tight">
      <h2>{t(words.decision)}</h2>
      <p>
        {actorName(approval!.decided_by, t)} · <When at={approval!.decided_at} />
      </p>
      {approval!.decision_note !== undefined && <p className="said">{approval!.decision_note}</p>}
      {approval!.revision_requested && (
        <p>
          {t(words.sentBack)} <RunLink run={approval!.revision_requested.run}>{t(words.revision)}</RunLink>
        </p>
      )}
      {apply_result?.git_commit !== undefined && (
        <p>
          {t(words.commit)} <CommitLink commit={apply_result.git_commit} />
        </p>
      )}
      {waiting && (
        <p className="warning" role="status">
          {t(words.waiting)} {t(waiting)}
        </p>
      )}
      {apply_result?.error && <p role="alert">{t(apply_result.error.message)}</p>}
    </section>
  );
}

export function RetryApply({ proposal }: { readonly proposal: Whole }) {
  const t = useT();
  const client = useQueryClient();
  const retry = useMutation({
    mutationFn: () => call("PATCH /proposals/:id", { params: { id: proposal.id }, body: { verdict: "retry" } }),
    onSettled: () => invalidate(client, "/proposals"),
  });
  return (
    <div className="row">
      <Button disabled={retry.isPending} onClick={() => retry.mutate()}>
        {t(words.retry)}
      </Button>
      {retry.error && <Failed error={retry.error} />}
    </div>
  );
}

const words = {
  decision: { en: "Decision", uk: "Рішення" },
  sentBack: { en: "Sent back.", uk: "Повернуто на доопрацювання." },
  revision: { en: "Run that revises it", uk: "Запуск, що доопрацьовує" },
  commit: { en: "Commit", uk: "Коміт" },
  waiting: { en: "Approved and not applied yet:", uk: "Схвалено й ще не застосовано:" },
  retry: { en: "Apply again", uk: "Спробувати застосувати знову" },
} as const satisfies Record<string, Text>;
