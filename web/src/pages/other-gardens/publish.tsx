import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type AnswerOf, call } from "../../api/client.ts";
import { invalidate, query } from "../../api/queries.ts";
import { ActionDialog } from "../../components/action-dialog.tsx";
import { Button } from "../../components/form.tsx";
import { MutationError } from "../../components/mutation-error.tsx";
import { Empty, QueryResult } from "../../components/query-result.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { RowError, SettingsSection } from "../settings/section.tsx";
import { settingIn } from "../settings/values.ts";

type PublicationPreview = AnswerOf<"POST /federation/publications">;
interface PublicationWish {
  readonly sessions: string[];
  readonly withdraw: string[];
}

/** The sessions that others may see. Nothing leaves before its preview was shown and confirmed. */
export function PublishSection({ published }: { readonly published: readonly string[] }) {
  const t = useT();
  const sessions = useQuery(query("GET /sessions", {}));
  return (
    <SettingsSection id="publish" title={t(words.title)} about={t(words.about)}>
      <QueryResult of={sessions}>
        {({ sessions: list }) => {
          const names = [...new Set([...published, ...list.map(({ name }) => name)])];
          return names.length === 0 ? (
            <Empty>{t(words.none)}</Empty>
          ) : (
            // The ticks begin anew when something was published.
            <Publication key={published.join(" ")} names={names} published={published} />
          );
        }}
      </QueryResult>
    </SettingsSection>
  );
}

function Publication(props: { readonly names: readonly string[]; readonly published: readonly string[] }) {
  const { names, published } = props;
  const t = useT();
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set(published));
  const preview = useMutation({
    mutationFn: (wish: PublicationWish) => call("POST /federation/publications", { body: wish }),
  });
  const wish = { sessions: [...ticked], withdraw: published.filter((name) => !ticked.has(name)) };
  const toggle = (name: string): void =>
    setTicked((now) => new Set(now.has(name) ? [...now].filter((each) => each !== name) : [...now, name]));
  return (
    <>
      <ul className="plain-list publish-list" aria-label={t(words.sessions)}>
        {names.map((name) => (
          <li key={name}>
            <label className="row">
              <input type="checkbox" checked={ticked.has(name)} onChange={() => toggle(name)} />
              <span className="break">{name}</span>
              {published.includes(name) && <span className="state good">{t(words.isPublished)}</span>}
            </label>
          </li>
        ))}
      </ul>
      <Button tone="small" disabled={preview.isPending} onClick={() => preview.mutate(wish)}>
        {t(words.show)}
      </Button>
      {preview.error && <RowError error={preview.error} />}
      {preview.data && <PublishDialog shown={preview.data} wish={wish} onClose={() => preview.reset()} />}
    </>
  );
}

function PublishDialog(props: {
  readonly shown: PublicationPreview;
  readonly wish: PublicationWish;
  readonly onClose: () => void;
}) {
  const { shown, wish, onClose } = props;
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const remotes = useRemoteNames();
  const [chosen, setChosen] = useState("");
  const to = remotes.includes(chosen) ? chosen : remotes[0];
  const publish = useMutation({
    mutationFn: (name: string) =>
      call("POST /federation/publications", { body: { ...wish, publish: { digest: shown.digest, to: name } } }),
    onSuccess: ({ published }, name) => {
      toast(t(words.done, published?.seq ?? 0, name));
      onClose();
      return invalidate(client, "/federation");
    },
  });
  return (
    <ActionDialog
      title={t(words.preview)}
      action={{
        label: t(words.send),
        tone: "primary",
        isDisabled: to === undefined || publish.isPending,
        onConfirm: () => to !== undefined && publish.mutate(to),
      }}
      error={publish.error && <MutationError error={publish.error} />}
      onClose={onClose}
    >
      <WhatLeaves shown={shown} withdrawn={wish.withdraw} />
      {remotes.length === 0 ? (
        <p className="alert bad">
          <span>{t(words.noRemote)}</span>
        </p>
      ) : (
        <label className="labelled">
          <span>{t(words.to)}</span>
          <select className="field" value={to} onChange={({ target }) => setChosen(target.value)}>
            {remotes.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      )}
      <p className="meta">
        {t(words.digest)} <code className="break">{shown.digest}</code>
      </p>
    </ActionDialog>
  );
}

function WhatLeaves({ shown, withdrawn }: { readonly shown: PublicationPreview; readonly withdrawn: string[] }) {
  const t = useT();
  const { sessions, commits } = shown;
  return (
    <>
      <h3>{t(words.seen, sessions.length)}</h3>
      <ul className="plain-list leaving-sessions" aria-label={t(words.sessions)}>
        {sessions.map(({ name, head, files }) => (
          <li key={name}>
            {name} <code className="meta">{head.slice(0, 10)}</code>{" "}
            <span className="meta">{t(words.files, files)}</span>
          </li>
        ))}
      </ul>
      {withdrawn.length > 0 && <p className="meta">{t(words.withdrawn, withdrawn.join(", "))}</p>}
      <h3>{t(words.leaving, commits.length)}</h3>
      {commits.length > 0 && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls is reached by the keyboard
        <ul className="plain-list leaving-commits" aria-label={t(words.commits)} tabIndex={0}>
          {commits.map(({ commit, subject, by }) => (
            <li key={commit}>
              <code className="meta">{commit.slice(0, 10)}</code> {subject} <span className="meta">· {by}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The repositories of the settings that can be pushed to. The shared one of all machines is private. */
export function useRemoteNames(): readonly string[] {
  const settings = useQuery(query("GET /settings", {})).data?.settings;
  return settings === undefined ? [] : Object.keys(settingIn(settings, "remotes") ?? {});
}

const words = {
  title: { en: "What others may see", uk: "Що можуть бачити інші" },
  about: {
    en: "Whole branches with their history; never main, unless a session began there.",
    uk: "Цілі гілки з їхньою історією; main — лише тоді, коли сесія почалася від нього.",
  },
  none: { en: "There are no sessions to publish.", uk: "Немає сесій, які можна оприлюднити." },
  sessions: { en: "Sessions to publish", uk: "Сесії для оприлюднення" },
  isPublished: { en: "published", uk: "оприлюднено" },
  show: { en: "Show what would leave", uk: "Показати, що піде назовні" },
  preview: { en: "What would leave this garden", uk: "Що піде із цього саду" },
  seen: { en: "Others would see {} [session|sessions]", uk: "Інші побачать {} [сесію|сесії|сесій]" },
  files: { en: "{} [file|files]", uk: "{} [файл|файли|файлів]" },
  withdrawn: {
    en: "No longer announced: {}. What others have fetched, they keep.",
    uk: "Більше не оголошується: {}. Що інші вже отримали, те в них лишиться.",
  },
  leaving: {
    en: "{} [commit leaves|commits leave] for the first time, with all files",
    uk: "Назовні вперше: {} [коміт|коміти|комітів] з усіма файлами",
  },
  commits: { en: "Commits that leave", uk: "Коміти, що підуть" },
  to: { en: "Public repository", uk: "Публічний репозиторій" },
  noRemote: {
    en: "No repository to publish to: add one under Settings, Remotes. Use one that holds nothing private.",
    uk: "Нікуди оприлюднювати: додайте репозиторій у «Налаштування → Віддалені репозиторії». У ньому не має бути нічого приватного.",
  },
  digest: { en: "Digest of exactly this:", uk: "Відбиток саме цього:" },
  send: { en: "Publish exactly this", uk: "Оприлюднити саме це" },
  done: { en: "Published as announcement {} to {}", uk: "Оприлюднено оголошенням {} у {}" },
} as const satisfies Record<string, Text>;
