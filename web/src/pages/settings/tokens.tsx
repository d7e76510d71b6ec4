import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type AnswerOf, call } from "../../api/client.ts";
import { invalidate, query } from "../../api/queries.ts";
import { Button, Form, TextField } from "../../components/form.tsx";
import { QueryResult } from "../../components/query-result.tsx";
import { When } from "../../components/tags.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { AddForm, RowError, SettingRow, SettingsSection } from "./section.tsx";
import { ShownOnce } from "./shown-once.tsx";

/** Sessions, access tokens and guest codes. A new token is shown once. */
export function TokenSettings() {
  const t = useT();
  return (
    <SettingsSection id="tokens" title={t(words.title)} about={t(words.about)}>
      <TokenRows of={["owner", "session", "guest"]} />
      <NewToken />
    </SettingsSection>
  );
}

type TokenKind = AnswerOf<"GET /tokens">["tokens"][number]["kind"];

/** The valid tokens of these kinds, each with a button that ends it. */
export function TokenRows({ of, live = false }: { readonly of: readonly TokenKind[]; readonly live?: boolean }) {
  const t = useT();
  const client = useQueryClient();
  const tokens = useQuery({ ...query("GET /tokens", {}), ...(live && { refetchInterval: LOOK_MS }) });
  const revoke = useMutation({
    mutationFn: (id: string) => call("DELETE /tokens/:id", { params: { id } }),
    onSettled: () => invalidate(client, "/tokens"),
  });
  return (
    <>
      <QueryResult of={tokens}>
        {({ tokens: list }) =>
          list
            .filter(({ revoked_at, kind }) => revoked_at === undefined && of.includes(kind))
            .map(({ id, kind, name: named, agent, made_at, expires_at, seen_at }) => (
              <SettingRow
                key={id}
                name={agent ?? named}
                about={agent === undefined ? t(words[kind]) : named}
                action={
                  <Button
                    tone="ghost danger small"
                    aria-label={`${t(words.end)}: ${agent ?? named}`}
                    onClick={() => revoke.mutate(id)}
                  >
                    {t(words.end)}
                  </Button>
                }
              >
                <span className="row">
                  {kind === "outside" && <SeenLight at={seen_at} />}
                  <span className="meta">
                    {t(words.made)} <When at={made_at} /> · {t(words.until)} <When at={expires_at} />
                  </span>
                </span>
              </SettingRow>
            ))
        }
      </QueryResult>
      {revoke.error && <RowError error={revoke.error} />}
    </>
  );
}

/** Lit while the program sends requests. */
function SeenLight({ at }: { readonly at: string | undefined }) {
  const t = useT();
  if (at === undefined) return <span className="state draft">{t(words.neverSeen)}</span>;
  if (Date.now() - Date.parse(at) < JUST_NOW_MS) return <span className="state good">{t(words.justNow)}</span>;
  return (
    <span className="state draft">
      {t(words.seen)} <When at={at} />
    </span>
  );
}

const LOOK_MS = 5000;
/** The gateway notes a use every half minute. */
const JUST_NOW_MS = 60_000;

/** Makes a token for a script, or a code for the guests of a zone. */
function NewToken() {
  const t = useT();
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [zone, setZone] = useState("");
  const [days, setDays] = useState("");
  const zones = useQuery(query("GET /settings/zones", {})).data?.items ?? [];
  const make = useMutation({
    mutationFn: () => {
      const lasts = days.trim() === "" ? {} : { days: Number(days) };
      return call("POST /tokens", {
        body: zone === "" ? { kind: "owner", name: name.trim(), ...lasts } : { kind: "guest", zone, ...lasts },
      });
    },
    onSuccess: () => {
      setName("");
      return invalidate(client, "/tokens");
    },
  });
  const token = make.data?.token;
  return (
    <>
      {token !== undefined && <ShownOnce secret={token} />}
      <AddForm label={t(words.add)}>
        <Form className="stack tight" onSubmit={() => make.mutate()}>
          <div className="three">
            <label className="labelled">
              <span>{t(words.who)}</span>
              <select className="field" value={zone} onChange={({ target }) => setZone(target.value)}>
                <option value="">{t(words.script)}</option>
                {zones.map((each) => (
                  <option key={each.name} value={each.name}>
                    {t(words.guestsOf, each.name)}
                  </option>
                ))}
              </select>
            </label>
            {zone === "" && <TextField label={t(words.newName)} value={name} onText={setName} />}
            <TextField
              label={t(words.days)}
              type="number"
              min={1}
              placeholder={zone === "" ? "90" : "30"}
              value={days}
              onText={setDays}
            />
          </div>
          <div>
            <button type="submit" className="button" disabled={(zone === "" && name.trim() === "") || make.isPending}>
              {t(words.make)}
            </button>
          </div>
        </Form>
      </AddForm>
      {make.error && <RowError error={make.error} />}
    </>
  );
}

const words = {
  title: { en: "Tokens and sessions", uk: "Токени й сеанси" },
  about: { en: "Who may enter, and until when.", uk: "Хто може заходити і до якого часу." },
  neverSeen: { en: "not seen yet", uk: "ще не з’являлася" },
  justNow: { en: "seen just now", uk: "щойно з’являлася" },
  seen: { en: "last seen", uk: "востаннє" },
  made: { en: "created", uk: "створено" },
  until: { en: "expires", uk: "діє до" },
  add: { en: "Create a token", uk: "Створити токен" },
  who: { en: "For", uk: "Для" },
  script: { en: "a script of yours", uk: "вашого скрипта" },
  guestsOf: { en: "guests of {}", uk: "гостей зони {}" },
  days: { en: "Days", uk: "Днів" },
  end: { en: "Revoke", uk: "Завершити" },
  owner: { en: "token", uk: "токен" },
  session: { en: "browser", uk: "браузер" },
  agent: { en: "run", uk: "запуск" },
  outside: { en: "outside agent", uk: "агент поза садом" },
  guest: { en: "guest", uk: "гість" },
  newName: { en: "Name", uk: "Назва" },
  make: { en: "Create token", uk: "Створити токен" },
} as const satisfies Record<string, Text>;
