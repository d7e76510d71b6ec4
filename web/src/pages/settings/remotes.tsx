import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { invalidate, query } from "../../api/queries.ts";
import { Button, Form, TextField } from "../../components/form.tsx";
import { toneOf } from "../../components/labels.ts";
import { Empty, QueryResult } from "../../components/query-result.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { AddForm, RowError, SettingRow, SettingsSection } from "./section.tsx";
import { useSetting } from "./use-setting.ts";
import { settingIn } from "./values.ts";

type Verb = "fetch" | "pull" | "push";

/** Other repositories of this garden, and the exchange with them. */
export function RemoteSection() {
  const t = useT();
  const settings = useQuery(query("GET /settings", {}));
  const change = useSetting();
  const [name, setName] = useState("");
  const [url, setUrl] = useState("");
  const isComplete = /^[a-z0-9-]+$/.test(name.trim()) && url.trim() !== "";
  return (
    <SettingsSection id="remotes" title={t(words.title)} about={t(words.about)}>
      <QueryResult of={settings}>
        {({ settings: current }) => {
          const remotes = Object.entries((settingIn(current, "remotes") ?? {}) as Record<string, { url: string }>);
          return (
            <>
              <SharedRemoteRow address={settingIn(current, "repo.remote") as string | undefined} />
              {remotes.length === 0 && <Empty>{t(words.none)}</Empty>}
              {remotes.map(([each, remote]) => (
                <RemoteRow
                  key={each}
                  name={each}
                  url={remote.url}
                  onRemove={() => change.mutate({ key: `remotes.${each}`, value: undefined, before: remote })}
                />
              ))}
            </>
          );
        }}
      </QueryResult>
      <AddForm label={t(words.add)}>
        <Form
          className="stack tight"
          onSubmit={() =>
            isComplete &&
            change.mutate(
              { key: `remotes.${name.trim()}`, value: { url: url.trim() }, before: undefined },
              { onSuccess: () => (setName(""), setUrl("")) },
            )
          }
        >
          <div className="two">
            <TextField label={t(words.name)} value={name} onText={setName} placeholder="origin" />
            <TextField label={t(words.url)} value={url} onText={setUrl} placeholder="git@example.org:me/garden.git" />
          </div>
          <div>
            <button type="submit" className="button" disabled={!isComplete || change.isPending}>
              {t(words.addIt)}
            </button>
          </div>
        </Form>
      </AddForm>
      {change.error && <RowError error={change.error} />}
    </SettingsSection>
  );
}

/** The remote that every machine of the garden pushes to; bloom follows it by itself. */
function SharedRemoteRow({ address }: { readonly address: string | undefined }) {
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const remote = useQuery(query("GET /status", {})).data?.remote;
  const look = useMutation({
    mutationFn: () => call("POST /remotes/:name/fetch", { params: { name: "repo" } }),
    onSuccess: () => toast(t(words.looked)),
    onSettled: () => invalidate(client, "/"),
  });
  if (address === undefined) return null;
  const isWell = remote?.reachable === true && !remote.blocked;
  return (
    <SettingRow
      name={t(words.shared)}
      about={
        <>
          {t(words.sharedAbout)} <code className="break">{remote?.address ?? address}</code>
        </>
      }
    >
      <div className="row">
        {remote && (
          <span className={`state ${toneOf(isWell ? "ok" : "degraded")}`}>{t(isWell ? words.well : words.unwell)}</span>
        )}
        {remote && <span className="meta">{t(words.distance, remote.behind, remote.ahead)}</span>}
        <Button tone="small" disabled={look.isPending} onClick={() => look.mutate()}>
          {t(words.look)}
        </Button>
      </div>
      {remote?.trouble && <p className="meta">{t(remote.trouble)}</p>}
      {look.error && <RowError error={look.error} />}
    </SettingRow>
  );
}

function RemoteRow(props: { readonly name: string; readonly url: string; readonly onRemove: () => void }) {
  const { name, url, onRemove } = props;
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const exchange = useMutation({
    mutationFn: async (verb: Verb) => {
      const request = { params: { name } };
      if (verb === "fetch") return t(words.fetched, (await call("POST /remotes/:name/fetch", request)).refs);
      if (verb === "push") return t(words.pushed, (await call("POST /remotes/:name/push", request)).refs.length);
      const { kind, head } = await call("POST /remotes/:name/pull", request);
      return kind === "pulled" ? t(words.pulled, (head ?? "").slice(0, 10)) : t(words.upToDate);
    },
    onSuccess: (said) => toast(said),
    onSettled: () => invalidate(client, "/"),
  });
  return (
    <SettingRow
      name={name}
      about={<code className="break">{url}</code>}
      action={
        <Button tone="ghost danger small" aria-label={`${t(words.remove)}: ${name}`} onClick={onRemove}>
          {t(words.remove)}
        </Button>
      }
    >
      <div className="row">
        {(["fetch", "pull", "push"] as const).map((verb) => (
          <Button key={verb} tone="small" disabled={exchange.isPending} onClick={() => exchange.mutate(verb)}>
            {t(words[verb])}
          </Button>
        ))}
        {exchange.isPending && <span className="meta">{t(words.working)}</span>}
      </div>
      {exchange.error && <RowError error={exchange.error} />}
    </SettingRow>
  );
}

const words = {
  title: { en: "Remotes", uk: "Віддалені репозиторії" },
  about: {
    en: "Ordinary git: another copy of main and of the traces.",
    uk: "Звичайний git: ще один примірник main і трас.",
  },
  shared: { en: "Shared remote", uk: "Спільний репозиторій" },
  sharedAbout: {
    en: "Every machine pushes to it and follows it (`repo.remote` in garden.yaml):",
    uk: "Кожна машина надсилає сюди і йде за ним (`repo.remote` у garden.yaml):",
  },
  well: { en: "in step", uk: "у згоді" },
  unwell: { en: "needs attention", uk: "потребує уваги" },
  distance: { en: "behind {}, ahead {}", uk: "позаду на {}, попереду на {}" },
  look: { en: "Look now", uk: "Перевірити зараз" },
  looked: { en: "Looked at the shared remote", uk: "Спільний репозиторій перевірено" },
  none: { en: "No remotes", uk: "Віддалених репозиторіїв немає" },
  add: { en: "Add a remote", uk: "Додати репозиторій" },
  addIt: { en: "Add", uk: "Додати" },
  name: { en: "Name", uk: "Назва" },
  url: { en: "Address", uk: "Адреса" },
  remove: { en: "Remove", uk: "Вилучити" },
  fetch: { en: "Fetch", uk: "Отримати" },
  pull: { en: "Pull", uk: "Влити" },
  push: { en: "Push", uk: "Надіслати" },
  working: { en: "Connecting …", uk: "З’єднуюся …" },
  fetched: { en: "Fetched {} [ref|refs]", uk: "Отримано {} [посилання|посилання|посилань]" },
  pushed: { en: "Pushed {} [ref|refs]", uk: "Надіслано {} [посилання|посилання|посилань]" },
  pulled: { en: "main is now at {}", uk: "main тепер на {}" },
  upToDate: { en: "Already up to date", uk: "Нічого нового" },
} as const satisfies Record<string, Text>;
