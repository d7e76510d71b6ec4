import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import { outdate } from "../../api/queries.ts";
import { Failed } from "../../parts/state.tsx";
import { type Text, useSay } from "../../words/say.ts";

/** L-8: without a report nothing is approved. The gateway makes it by itself; whoever will not wait asks for it. */
export function NoReport({ id }: { readonly id: string }) {
  const say = useSay();
  const client = useQueryClient();
  const make = useMutation({
    mutationFn: () => call("GET /proposals/:id/report", { params: { id } }),
    onSuccess: () => outdate(client, "/proposals"),
  });
  return (
    <section className="stack tight" aria-labelledby="report">
      <h2 id="report">{say(words.title)}</h2>
      <p className="warning" role="status">
        {say(make.isPending ? words.making : words.missing)}
      </p>
      {make.error && <Failed error={make.error} />}
      <div className="row">
        <button type="button" className="button" disabled={make.isPending} onClick={() => make.mutate()}>
          {say(words.make)}
        </button>
      </div>
    </section>
  );
}

const words = {
  title: { en: "What recorded runs would have done", uk: "Як повелися б записані запуски" },
  missing: {
    en: "There is no report yet, so this cannot be approved. It is made as soon as the agent has a recorded run.",
    uk: "Звіту ще немає, тож схвалити не можна. Він постане, щойно агент матиме записаний запуск.",
  },
  making: { en: "The report is being made …", uk: "Звіт готується …" },
  make: { en: "Make the report now", uk: "Підготувати звіт зараз" },
} as const satisfies Record<string, Text>;
