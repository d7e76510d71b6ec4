import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { invalidate, query } from "../../api/queries.ts";
import { Button, Form, TextField } from "../../components/form.tsx";
import { Failed, QueryResult } from "../../components/query-result.tsx";
import { When } from "../../components/tags.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

/** Sessions, access tokens and guest codes. A new token is shown once. */
export function TokenSettings() {
  const t = useT();
  const client = useQueryClient();
  const [name, setName] = useState("");
  const tokens = useQuery(query("GET /tokens", {}));
  const make = useMutation({
    mutationFn: () => call("POST /tokens", { body: { kind: "owner", name: name.trim() } }),
    onSuccess: () => {
      setName("");
      return invalidate(client, "/tokens");
    },
  });
  const revoke = useMutation({
    mutationFn: (id: string) => call("DELETE /tokens/:id", { params: { id } }),
    onSettled: () => invalidate(client, "/tokens"),
  });
  return (
    <section className="card stack tight" aria-labelledby="tokens">
      <h2 id="tokens">{t(words.title)}</h2>
      <QueryResult of={tokens}>
        {({ tokens: list }) => (
          <div className="scroll-x">
            <table className="table lines">
              <thead>
                <tr>
                  {(["name", "kind", "made", "until"] as const).map((each) => (
                    <th key={each} scope="col">
                      {t(words[each])}
                    </th>
                  ))}
                  <th scope="col">
                    <span className="hidden-visually">{t(words.end)}</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {list
                  .filter(({ revoked_at, kind }) => revoked_at === undefined && kind !== "agent")
                  .map(({ id, kind, name: named, made_at, expires_at }) => (
                    <tr key={id}>
                      <td>{named}</td>
                      <td>{t(words[kind])}</td>
                      <td>
                        <When at={made_at} />
                      </td>
                      <td>
                        <When at={expires_at} />
                      </td>
                      <td>
                        <Button
                          tone="danger"
                          aria-label={`${t(words.end)}: ${named}`}
                          onClick={() => revoke.mutate(id)}
                        >
                          {t(words.end)}
                        </Button>
                      </td>
                    </tr>
                  ))}
              </tbody>
            </table>
          </div>
        )}
      </QueryResult>
      {revoke.error && <Failed error={revoke.error} />}
      {make.data && (
        <div className="warning stack tight" role="status">
          <p>{t(words.once)}</p>
          <code className="break">{make.data.token}</code>
        </div>
      )}
      <Form className="row bottom ask" onSubmit={() => make.mutate()}>
        <TextField label={t(words.newName)} value={name} onText={setName} />
        <button type="submit" className="button" disabled={name.trim() === "" || make.isPending}>
          {t(words.make)}
        </button>
      </Form>
      {make.error && <Failed error={make.error} />}
    </section>
  );
}

const words = {
  title: { en: "Tokens and sessions", uk: "Токени й сеанси" },
  name: { en: "Name", uk: "Назва" },
  kind: { en: "Kind", uk: "Вид" },
  made: { en: "Created", uk: "Створено" },
  until: { en: "Expires", uk: "Діє до" },
  end: { en: "Revoke", uk: "Завершити" },
  owner: { en: "token", uk: "токен" },
  session: { en: "browser", uk: "браузер" },
  agent: { en: "run", uk: "запуск" },
  outside: { en: "outside agent", uk: "агент поза садом" },
  guest: { en: "guest", uk: "гість" },
  newName: { en: "Name of a new token, for scripts", uk: "Токен для вашого скрипта: назва" },
  make: { en: "Create token", uk: "Створити токен" },
  once: { en: "Copy it now. It is not shown again.", uk: "Скопіюйте зараз: більше його не буде видно." },
} as const satisfies Record<string, Text>;
