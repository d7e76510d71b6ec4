import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { call } from "../../api/client.ts";
import { invalidate, query } from "../../api/queries.ts";
import { ArmedButton } from "../../components/armed-button.tsx";
import { CommitLink, ProposalLink } from "../../components/links.tsx";
import { Failed, QueryResult } from "../../components/query-result.tsx";
import { StateTag } from "../../components/tags.tsx";
import { useArmed } from "../../components/use-armed.ts";
import { type Text, useT } from "../../i18n/use-t.ts";

/** The proposal that was just submitted: applied if a rule approved it, otherwise to be approved here. */
export function SubmittedProposal({
  id,
  onApplied,
}: {
  readonly id: string;
  readonly onApplied?: (target: string) => void;
}) {
  const t = useT();
  const client = useQueryClient();
  const found = useQuery(query("GET /proposals/:id", { params: { id } }));
  const approve = useMutation({
    mutationFn: (digest: string) =>
      call("PATCH /proposals/:id", { params: { id }, body: { verdict: "approve", digest, grace_s: 0 } }), // the person's own words
    onSuccess: async ({ proposal }) => {
      await invalidate(client, "/proposals", "/notes", "/folders", "/search", "/links", "/lines");
      if (proposal.status === "applied") onApplied?.(proposal.target);
    },
  });
  return (
    <section className="card stack tight" aria-label={t(words.came)}>
      <QueryResult of={found}>
        {({ proposal, review }) => {
          const commit = proposal.apply_result?.git_commit;
          const hasConflict = review !== undefined && (review.conflicts.length > 0 || review.refusal !== undefined);
          return (
            <>
              <p className="row" role="status">
                <StateTag kind="proposal" state={proposal.status} />
                <ProposalLink id={id}>{proposal.summary}</ProposalLink>
                {commit !== undefined && (
                  <span>
                    {t(words.commit)} <CommitLink commit={commit} />
                  </span>
                )}
              </p>
              {proposal.waiting && <p role="status">{t(proposal.waiting)}</p>}
              {proposal.apply_result?.error && <p role="alert">{t(proposal.apply_result.error.message)}</p>}
              {proposal.status === "pending" && hasConflict && (
                <p className="warning" role="alert">
                  {review.refusal ? t(review.refusal.text) : t(words.conflict)}{" "}
                  <ProposalLink id={id}>{t(words.solve)}</ProposalLink>
                </p>
              )}
              {proposal.status === "pending" && !hasConflict && review && (
                <p className="row">
                  <ApproveNow
                    digest={review.digest}
                    isPending={approve.isPending}
                    onApprove={() => approve.mutate(review.digest)}
                  />
                  <span className="quiet small">
                    {t(words.rule)} <Link to="/settings">{t(words.settings)}</Link>
                  </span>
                </p>
              )}
              {approve.error && <Failed error={approve.error} />}
            </>
          );
        }}
      </QueryResult>
    </section>
  );
}

function ApproveNow(props: { readonly digest: string; readonly isPending: boolean; readonly onApprove: () => void }) {
  const t = useT();
  const isArmed = useArmed(props.digest);
  return (
    <ArmedButton tone="primary" disabled={props.isPending} isArmed={isArmed} onClick={props.onApprove}>
      {t(words.approve)}
    </ArmedButton>
  );
}

const words = {
  came: { en: "Submitted proposal", uk: "Що з цього вийшло" },
  commit: { en: "commit", uk: "коміт" },
  approve: { en: "Approve now", uk: "Схвалити зараз" },
  rule: {
    en: "Your changes need approval unless a rule approves them:",
    uk: "Надіслане чекає на вас, якщо його не схвалює правило:",
  },
  settings: { en: "settings", uk: "налаштування" },
  conflict: {
    en: "The same lines were changed meanwhile. Nothing is lost.",
    uk: "Те саме місце тим часом змінив хтось інший. Нічого не втрачено.",
  },
  solve: { en: "Compare and decide", uk: "Побачити обидва варіанти й вирішити" },
} as const satisfies Record<string, Text>;
