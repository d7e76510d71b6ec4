import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type AnswerOf, call } from "../../api/client.ts";
import { invalidate, query } from "../../api/queries.ts";
import { Button, Form, TextField } from "../../components/form.tsx";
import { actionLabels } from "../../components/labels.ts";
import { Failed, QueryResult } from "../../components/query-result.tsx";
import { When } from "../../components/tags.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

type Action = AnswerOf<"GET /inbox/entries">["entries"][number]["intent"]["action"];

/** Kinds of change that an agent may be allowed to propose. */
const ACTIONS: readonly Action[] = [
  "propose-note",
  "propose-edit",
  "propose-tag",
  "propose-comment",
  "propose-summary",
  "propose-artifact",
  "memory-update",
  "logic-update",
  "logic-rollback",
];

/** The kinds of change that an agent may propose (Z-2). Each change is a commit of its contract. */
export function AgentOutputs({ slug, allowed }: { readonly slug: string; readonly allowed: readonly string[] }) {
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (body: { readonly action: Action; readonly allowed: boolean }) =>
      call("PATCH /agents/:slug/outputs", { params: { slug }, body }),
    onSuccess: () => toast(t(words.saved)),
    onSettled: () => invalidate(client, "/agents"),
  });
  return (
    <section className="stack tight" aria-labelledby="outputs">
      <h2 id="outputs">{t(words.outputs)}</h2>
      <p className="quiet">{t(words.outputsAbout)}</p>
      <div className="row">
        {ACTIONS.map((action) => (
          <label key={action} className="row">
            <input
              type="checkbox"
              checked={allowed.includes(action)}
              disabled={change.isPending}
              onChange={({ target }) => change.mutate({ action, allowed: target.checked })}
            />
            {t(actionLabels[action] ?? { en: action, uk: action })}
          </label>
        ))}
      </div>
      {change.error && <Failed error={change.error} />}
    </section>
  );
}

/** Tokens with which a program outside of the garden acts as this agent. A new one is shown once. */
export function AgentTokens({ slug }: { readonly slug: string }) {
  const t = useT();
  const client = useQueryClient();
  const params = { slug };
  const tokens = useQuery(query("GET /agents/:slug/tokens", { params }));
  const [name, setName] = useState("");
  const make = useMutation({
    mutationFn: () => call("POST /agents/:slug/tokens", { params, body: { name: name.trim() } }),
    onSuccess: () => setName(""),
    onSettled: () => invalidate(client, `/agents/${slug}`, "/agents/:slug/tokens"),
  });
  const revoke = useMutation({
    mutationFn: (named: string) => call("DELETE /agents/:slug/tokens/:name", { params: { slug, name: named } }),
    onSettled: () => invalidate(client, "/agents/:slug/tokens"),
  });
  return (
    <section className="stack tight" aria-labelledby="agent-tokens">
      <h2 id="agent-tokens">{t(words.tokens)}</h2>
      <p className="quiet">{t(words.tokensAbout)}</p>
      <QueryResult of={tokens}>
        {({ tokens: list }) => (
          <ul className="stack tight">
            {list
              .filter(({ revoked_at }) => revoked_at === undefined)
              .map(({ id, name: named, expires_at, last_used }) => (
                <li key={id} className="row between">
                  <span>
                    <b>{named}</b>{" "}
                    <span className="meta">
                      {t(words.until)} <When at={expires_at} />
                      {last_used !== undefined && (
                        <>
                          {" "}
                          · {t(words.used)} <When at={last_used} />
                        </>
                      )}
                    </span>
                  </span>
                  <Button
                    tone="ghost danger small"
                    aria-label={`${t(words.revoke)}: ${named}`}
                    onClick={() => revoke.mutate(named)}
                  >
                    {t(words.revoke)}
                  </Button>
                </li>
              ))}
          </ul>
        )}
      </QueryResult>
      {make.data && (
        <div className="alert" role="status">
          <span>{t(words.once)}</span>
          <code className="break">{make.data.token}</code>
        </div>
      )}
      <Form className="row bottom" onSubmit={() => make.mutate()}>
        <TextField label={t(words.name)} value={name} onText={setName} placeholder="laptop" />
        <button type="submit" className="button" disabled={name.trim() === "" || make.isPending}>
          {t(words.make)}
        </button>
      </Form>
      {(make.error ?? revoke.error) && <Failed error={(make.error ?? revoke.error)!} />}
    </section>
  );
}

const words = {
  outputs: { en: "May propose", uk: "Може пропонувати" },
  outputsAbout: {
    en: "Its contract allows these kinds of change. Nothing is applied without a decision.",
    uk: "Ці види змін дозволяє його контракт. Без рішення нічого не застосовується.",
  },
  saved: { en: "Saved as a commit of its contract", uk: "Збережено комітом його контракту" },
  tokens: { en: "Runs outside of the garden", uk: "Працює поза садом" },
  tokensAbout: {
    en: "A program elsewhere can act as this agent, with its permissions and under the same review.",
    uk: "Програма деінде може діяти від імені цього агента: з його дозволами і під тим самим переглядом.",
  },
  until: { en: "expires", uk: "діє до" },
  used: { en: "last used", uk: "востаннє вжито" },
  revoke: { en: "Revoke", uk: "Завершити" },
  once: { en: "Copy it now. It is not shown again.", uk: "Скопіюйте зараз: більше його не буде видно." },
  name: { en: "Name of a new token", uk: "Назва нового токена" },
  make: { en: "Create token", uk: "Створити токен" },
} as const satisfies Record<string, Text>;
