import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { call } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { Button } from "../../components/form.tsx";
import { Failed } from "../../components/query-result.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

/**
 * L-8: a change of logic cannot be approved without a report. Makes it when the page is opened; the button tries again, and only
 * then a failure is shown, because an agent's change without any run has no report yet.
 */
export function MissingReport({ id }: { readonly id: string }) {
  const t = useT();
  const client = useQueryClient();
  const make = useMutation({
    mutationFn: (_by: "page" | "person") => call("POST /proposals/:id/report", { params: { id } }),
    onSuccess: () => invalidate(client, "/proposals"),
  });
  const { mutate } = make;
  useEffect(() => mutate("page"), [mutate]);
  return (
    <section className="stack tight" aria-label={t(words.title)}>
      <p className="warning" role="status">
        {t(make.isPending ? words.making : words.missing)}
      </p>
      {make.error && make.variables === "person" && <Failed error={make.error} />}
      <div className="row">
        <Button disabled={make.isPending} onClick={() => mutate("person")}>
          {t(words.make)}
        </Button>
      </div>
    </section>
  );
}

const words = {
  title: { en: "Replay of recorded runs", uk: "Як повелися б записані запуски" },
  missing: {
    en: "No report yet, so this cannot be approved. It is made as soon as the agent has a recorded run.",
    uk: "Звіту ще немає, тож схвалити не можна. Його буде створено, щойно агент матиме записаний запуск.",
  },
  making: { en: "Making the report …", uk: "Звіт готується …" },
  make: { en: "Make report now", uk: "Підготувати звіт зараз" },
} as const satisfies Record<string, Text>;
