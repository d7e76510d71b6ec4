import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import { invalidate, query } from "../../api/queries.ts";
import { ArmedButton } from "../../components/armed-button.tsx";
import { Failed } from "../../components/query-result.tsx";
import { useArmed } from "../../components/use-armed.ts";
import { type Text, useT } from "../../i18n/use-t.ts";

/** P-9: the owner's rule for the values that an agent keeps for itself: shown, made and revoked here. */
export function OwnValues({ slug }: { readonly slug: string }) {
  const t = useT();
  const client = useQueryClient();
  const state = useQuery(query("GET /agents/:slug", { params: { slug } })).data?.own_values;
  const change = useMutation({
    mutationFn: (approve: boolean) => call("PATCH /agents/:slug/own-values", { params: { slug }, body: { approve } }),
    onSettled: () => invalidate(client, "/agents", "/settings"),
  });
  const isArmed = useArmed(change.isPending ? undefined : state);
  if (state === undefined) return null;
  const isApproved = state === "approved";
  return (
    <section className="stack tight" aria-labelledby="own-values">
      <h2 id="own-values">{t(words.title)}</h2>
      <p>{t(isApproved ? words.approved : words.ask)}</p>
      <p className="row">
        <ArmedButton isArmed={isArmed} disabled={change.isPending} onClick={() => change.mutate(!isApproved)}>
          {t(isApproved ? words.revoke : words.allow)}
        </ArmedButton>
      </p>
      {change.error && <Failed error={change.error} />}
    </section>
  );
}

const words = {
  title: { en: "Values it keeps for itself", uk: "Значення, які він зберігає для себе" },
  ask: {
    en: "You are asked about every value, such as the list of notes it has processed.",
    uk: "Про кожне значення, як-от перелік опрацьованих нотаток, вирішуєте ви.",
  },
  approved: {
    en: "A rule of yours approves them. Everything else still needs your decision.",
    uk: "Їх схвалює ваше правило. Усе інше й далі вирішуєте ви.",
  },
  allow: { en: "Approve them by a rule", uk: "Схвалювати їх правилом" },
  revoke: { en: "Revoke the rule", uk: "Скасувати правило" },
} as const satisfies Record<string, Text>;
