import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type AnswerOf, call } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { Form } from "../../components/form.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { AddForm, RowError } from "../settings/section.tsx";

/** S-10: the sessions of a garden that are taken here. Without a choice, all that it announces, and those that it will announce. */
export function ChooseSessions({ garden }: { readonly garden: AnswerOf<"GET /federation">["gardens"][number] }) {
  const { name, chosen, announced, sessions } = garden;
  const t = useT();
  const known = [...new Set([...announced, ...sessions.map((each) => each.name), ...(chosen ?? [])])].toSorted();
  if (known.length === 0) return null;
  return (
    <AddForm label={t(chosen === undefined ? words.open : words.change, chosen?.length ?? 0)}>
      {/* The ticks begin anew when another choice was saved. */}
      <Choice key={chosen?.join(" ") ?? "*"} name={name} chosen={chosen} known={known} />
    </AddForm>
  );
}

function Choice(props: {
  readonly name: string;
  readonly chosen: readonly string[] | undefined;
  readonly known: readonly string[];
}) {
  const { name, chosen, known } = props;
  const t = useT();
  const client = useQueryClient();
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set(chosen ?? known));
  const save = useMutation({
    mutationFn: (sessions: string[]) =>
      call("PUT /federation/gardens/:name/sessions", { params: { name }, body: { sessions } }),
    onSettled: () => invalidate(client, "/federation"),
  });
  const toggle = (each: string): void =>
    setTicked((now) => new Set(now.has(each) ? [...now].filter((other) => other !== each) : [...now, each]));
  return (
    <Form className="stack tight" onSubmit={() => ticked.size > 0 && save.mutate([...ticked])}>
      <ul className="plain-list publish-list" aria-label={t(words.list, name)}>
        {known.map((each) => (
          <li key={each}>
            <label className="row">
              <input type="checkbox" checked={ticked.has(each)} onChange={() => toggle(each)} />
              <span className="break">{each}</span>
            </label>
          </li>
        ))}
      </ul>
      <p className="meta">{t(words.rule)}</p>
      <div className="row">
        <button type="submit" className="button" disabled={ticked.size === 0 || save.isPending}>
          {t(words.save)}
        </button>
        {chosen !== undefined && (
          <button type="button" className="button ghost" disabled={save.isPending} onClick={() => save.mutate([])}>
            {t(words.all)}
          </button>
        )}
      </div>
      {save.error && <RowError error={save.error} />}
    </Form>
  );
}

const words = {
  open: { en: "Follow only chosen sessions", uk: "Стежити лише за вибраними сесіями" },
  change: {
    en: "Only {} chosen [session is|sessions are] followed",
    uk: "Стежите лише за вибраними: {} [сесія|сесії|сесій]",
  },
  list: { en: "Sessions announced by {}", uk: "Сесії, які оголосив сад {}" },
  rule: {
    en: "Sessions that are not chosen leave this garden. One that is chosen comes with the next look.",
    uk: "Невибрані сесії зникнуть звідси. Вибрана з’явиться після наступної перевірки.",
  },
  save: { en: "Follow only these", uk: "Стежити лише за цими" },
  all: { en: "Follow all again", uk: "Знову стежити за всіма" },
} as const satisfies Record<string, Text>;
